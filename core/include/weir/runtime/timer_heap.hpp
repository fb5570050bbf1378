#pragma once
#include <weir/runtime/clock.hpp>
#include <weir/runtime/run_node.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir {

/// A node that a loop runs at a time; see `run_loop::at`. Armed at most once at a time; it must be cancelled before it
/// is destroyed.
struct timer : run_node {
    bool armed() const noexcept { return slot_ != unarmed; }

private:
    friend class timer_heap;
    static constexpr std::size_t unarmed = static_cast<std::size_t>(-1);
    std::size_t slot_ = unarmed;  // where in the heap, so that cancelling needs no search
};

/// The armed timers of one loop, earliest first, equal times in the order of arming.
///
/// A heap and not a wheel: a wheel rounds to its tick, and the delays here reach from microseconds to hours, so it
/// would either round away what `epoll_pwait2` can keep or cascade through many levels. A virtual clock also asks for
/// the exact next time, which a heap answers from its root. A loop has a few timers for each subscription and
/// connection, not one for each message, so the logarithm is small. Four children to a node keep the heap shallow.
class timer_heap {
public:
    bool empty() const noexcept { return entries_.empty(); }
    std::size_t size() const noexcept { return entries_.size(); }
    /// When the first timer is due; `nanos::max()` when none is armed.
    nanos next() const noexcept { return entries_.empty() ? nanos::max() : entries_.front().when; }
    void insert(nanos when, timer& what);  ///< `what` must not be armed
    void erase(timer& what) noexcept;      ///< nothing if it is not armed
    /// Takes out the first timer if it is due at `now`; null otherwise.
    timer* pop_due(nanos now) noexcept;

private:
    struct entry {
        nanos when;
        std::uint64_t order;
        timer* what;
        bool before(const entry& other) const noexcept {
            return when != other.when ? when < other.when : order < other.order;
        }
    };
    void place(std::size_t at, const entry& e) noexcept;
    void sift_up(std::size_t at, const entry& e) noexcept;
    void sift_down(std::size_t at, const entry& e) noexcept;

    std::vector<entry> entries_;
    std::uint64_t next_order_ = 0;
};

}  // namespace weir
