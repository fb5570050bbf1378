#pragma once
#include <weir/runtime/run_loop.hpp>

#include <atomic>

namespace weir {

class stop_state;

/// What a stop calls, linked into one `stop_state`. Intrusive, so that asking for a stop allocates nothing.
class stop_callback {
public:
    explicit stop_callback(void (*stopped)(stop_callback&) noexcept) noexcept : stopped_(stopped) {}
    stop_callback(const stop_callback&) = delete;
    stop_callback& operator=(const stop_callback&) = delete;
    ~stop_callback() { unlink(); }

    /// Links behind the callbacks that are there; nothing if it is linked. Must not be linked to a stopped state.
    void link(stop_state& to) noexcept;
    void unlink() noexcept;
    bool linked() const noexcept { return to_ != nullptr; }

private:
    friend class stop_state;
    void (*stopped_)(stop_callback&) noexcept;
    stop_state* to_ = nullptr;
    stop_callback* next_ = nullptr;
    stop_callback* before_ = nullptr;
};

/// Whether the tasks that see this state shall stop. It belongs to one loop: only its own thread may touch it, other
/// threads ask through a `stop_source`. Must outlive the tasks that use it.
class stop_state {
public:
    stop_state() = default;
    stop_state(const stop_state&) = delete;
    stop_state& operator=(const stop_state&) = delete;
    ~stop_state();

    /// Makes every wait that sees this state end with `errc::cancelled`, the present ones (they become ready, in the
    /// order they began) and all later ones. Once for good; asking again does nothing.
    void request_stop() noexcept;
    bool stop_requested() const noexcept { return requested_; }

private:
    friend class stop_callback;
    bool requested_ = false;
    stop_callback* first_ = nullptr;
    stop_callback* last_ = nullptr;
};

/// What a task can ask about its own stopping: `co_await this_task::stop_token()`. Own thread only; as valid as the
/// state behind it.
class stop_token {
public:
    stop_token() = default;
    explicit stop_token(stop_state* state) noexcept : state_(state) {}
    bool stop_requested() const noexcept { return state_ != nullptr && state_->stop_requested(); }
    bool stop_possible() const noexcept { return state_ != nullptr; }
    stop_state* state() const noexcept { return state_; }

private:
    stop_state* state_ = nullptr;
};

/// A `stop_state` that follows another: a stop of the outer one stops this one too, not the other way round.
class nested_stop {
public:
    explicit nested_stop(stop_token outer) noexcept;
    stop_state& state() noexcept { return state_; }
    void request_stop() noexcept { state_.request_stop(); }
    bool stop_requested() const noexcept { return state_.stop_requested(); }

private:
    struct follow : stop_callback {
        explicit follow(nested_stop& n) noexcept;
        nested_stop& to;
    };
    stop_state state_;
    follow follow_{*this};
};

/// A stop that any thread may ask for. Made and destroyed on the loop's own thread (or while the loop does not run),
/// after the tasks that use its state, and when nobody asks any more.
class stop_source {
public:
    explicit stop_source(run_loop& loop) noexcept;
    stop_source(const stop_source&) = delete;
    stop_source& operator=(const stop_source&) = delete;
    ~stop_source();

    /// Any thread, also a signal handler; the stop happens on the loop. Only the first call counts.
    void request_stop() noexcept;
    /// Any thread: whether a stop was asked for, which is a moment before `state()` shows it.
    bool stop_requested() const noexcept { return asked_.load(std::memory_order_acquire); }
    /// Own thread.
    stop_state& state() noexcept { return state_; }

private:
    struct request : run_node {
        stop_source* from = nullptr;
    };
    run_loop& loop_;
    std::atomic<bool> asked_{false};
    request request_;
    stop_state state_;
};

}  // namespace weir
