#pragma once
#include <atomic>
#include <chrono>

namespace weir {

using nanos = std::chrono::nanoseconds;

/// Where a run loop takes its time from. Two function pointers rather than a virtual interface: a clock is copied into
/// nothing, owned by nobody, and must outlive the loops that use it.
struct clock {
    nanos (*now)(const void* self);                                   ///< monotonic, from an arbitrary origin
    std::chrono::system_clock::time_point (*wall)(const void* self);  ///< the time of day
    const void* self;
    bool moves_by_itself;  ///< false: a loop never sleeps until a timer, somebody else moves the time
};

/// `std::chrono::steady_clock` and `std::chrono::system_clock`.
const clock& real_clock() noexcept;

/// A clock that stands still until `advance` moves it, for tests. The time may be moved from any thread, but a loop
/// that is asleep has to be told with `run_loop::wake`.
class manual_clock {
public:
    explicit manual_clock(nanos start = nanos{0},
                          std::chrono::system_clock::time_point wall_start = {}) noexcept;
    manual_clock(const manual_clock&) = delete;
    manual_clock& operator=(const manual_clock&) = delete;

    nanos now() const noexcept { return nanos{now_.load(std::memory_order_relaxed)}; }
    /// The time of day: it started at `wall_start` and moves together with `now`.
    std::chrono::system_clock::time_point wall() const noexcept;
    void advance(nanos by) noexcept { now_.fetch_add(by.count(), std::memory_order_relaxed); }
    /// What `run_loop::options::time` points to; lives as long as this object.
    const clock& source() const noexcept { return source_; }

private:
    std::atomic<nanos::rep> now_;
    nanos start_;
    std::chrono::system_clock::time_point wall_start_;
    clock source_;
};

}  // namespace weir
