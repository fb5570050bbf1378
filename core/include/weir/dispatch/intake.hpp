#pragma once
#include <weir/broker/feed.hpp>
#include <weir/broker/outgoing.hpp>
#include <weir/runtime/run_loop.hpp>

#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

namespace weir {

class slot;
class subscription_base;

/// Time as the processor counts it: a few instructions, no call. Only good for "has about so much time passed".
inline std::uint64_t coarse_ticks() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value
           << 5;  // counts at 24 to 100 MHz on most machines; one order of magnitude is all that is asked
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// One window on a feed: up to `limit` records at a time, and the run of them that may be acknowledged together. The
/// broker's subscriber keeps a reference and calls `wake`; all else belongs to the dispatch loop, on the subscription's
/// own thread.
class intake {
public:
    static constexpr unsigned most = 64;  ///< records in one window

    intake(subscription_base& of, run_loop& home) noexcept;
    intake(const intake&) = delete;
    intake& operator=(const intake&) = delete;
    ~intake();

    // ---- for brokers
    /// There is something to fill. Any thread; once for every `fill` that answered 0.
    void wake() noexcept {
        if (home_.is_current()) return open();
        knock_from_outside();
    }
    run_loop& home() const noexcept { return home_; }
    std::string_view subscription() const noexcept;
    /// The subscription's slots, by what each of them waits for; fixed before the first `fill`.
    const std::vector<publish_waiter*>& waiters() const noexcept { return waiters_; }

    // ---- for the dispatch loop
    /// The run up to the window's end is acknowledged, then the window is filled again. False: nothing there.
    bool refill() noexcept {
        if (acked != position) settle_run(position);
        position = acked = 0;
        const unsigned most_now = room();
        count = stopped_ || most_now == 0 ? 0 : from.table->fill(from.self, records.get(), most_now);
        if (count == 0) return false;
        hold_until = coarse_ticks() + hold;
        return true;
    }
    /// Acknowledges everything before `end` that has not been settled.
    void settle_run(unsigned end) noexcept;
    /// One more delivery was handled and stays in the run, unless the run has been held back for long enough.
    void hold_ack(unsigned end) noexcept {
        if (coarse_ticks() > hold_until) [[unlikely]]
            settle_held(end);
    }
    void park(slot& s) noexcept;
    /// Puts the next parked slot to work.
    void open() noexcept;
    /// No more fills; what no handler has seen goes back to the broker.
    void stop() noexcept;
    bool stopped() const noexcept { return stopped_; }

    feed from;
    std::unique_ptr<record[]> records;
    unsigned position = 0;  ///< the next record to hand to a handler
    unsigned count = 0;
    unsigned acked = 0;  ///< records before this one are settled
    unsigned limit = most;
    unsigned unsettled_limit = most;  ///< prefetch
    unsigned copied = 0;              ///< records that slots hold copies of
    std::uint64_t hold_until = 0;

private:
    friend class subscription_base;
    /// A few milliseconds on any machine: a slow plain handler must not hold back acknowledgements for a whole window.
    static constexpr std::uint64_t hold = std::uint64_t{1} << 23;
    unsigned room() const noexcept {
        return std::min(limit, unsettled_limit - std::min(copied, unsettled_limit));
    }
    void knock_from_outside() noexcept;
    void settle_held(unsigned end) noexcept;

    struct knock_node : run_node {
        intake* of;
    };
    subscription_base& of_;
    run_loop& home_;
    slot* parked_ = nullptr;
    std::vector<publish_waiter*> waiters_;
    knock_node knock_;
    std::atomic<bool> knocked_{false};
    bool stopped_ = false;
};

}  // namespace weir
