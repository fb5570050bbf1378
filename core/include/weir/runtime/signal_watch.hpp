#pragma once
#include <weir/runtime/leaf_wait.hpp>

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

namespace weir {

/// Delivers signals to a loop while it exists, and puts back the handlers that were there. Works whatever threads are
/// already running, as no thread's signal mask is changed: the handler posts to the loop, and takes no lock. One watch
/// at a time in a process; a second one throws `errc::misuse`. Made and destroyed on the loop's own thread.
class signal_watch {
public:
    struct delivery {
        int signal;
        unsigned count;  ///< 1 for the first signal since the watch was made, 2 for the second, ...
    };
    class next_wait;

    explicit signal_watch(run_loop& loop, std::initializer_list<int> signals = {SIGINT, SIGTERM});
    signal_watch(const signal_watch&) = delete;
    signal_watch& operator=(const signal_watch&) = delete;
    ~signal_watch();

    /// `const signal_watch::delivery d = co_await watch.next();` in the order of arrival; up to 16 may be pending, what
    /// comes beyond that is dropped. One task at a time.
    next_wait next() noexcept;
    /// How many signals have come. Any thread; the loop is woken for each, so it can stand in a `run_until` condition.
    unsigned count() const noexcept { return written_.load(std::memory_order_acquire); }
    /// The last signal that came; 0 before the first.
    int last() const noexcept { return last_.load(std::memory_order_acquire); }

private:
    static constexpr unsigned pending = 16;
    static void on_signal(int signal) noexcept;
    void record(int signal) noexcept;
    void deliver() noexcept;
    bool available() const noexcept;

    struct arrival : run_node {
        signal_watch* at = nullptr;
    };
    run_loop& loop_;
    std::vector<std::pair<int, struct sigaction>> before_;
    std::atomic<unsigned> written_{0};
    std::atomic<unsigned> read_{0};
    std::atomic<int> last_{0};
    std::atomic<int> slots_[pending]{};
    std::atomic<bool> posted_{false};
    arrival arrival_;
    next_wait* waiter_ = nullptr;
};

/// See `signal_watch::next`.
class [[nodiscard]] signal_watch::next_wait : private detail::leaf_wait<> {
public:
    explicit next_wait(signal_watch& watch) noexcept
        : leaf_wait("signal",
                    [](leaf_wait& w) noexcept { static_cast<next_wait&>(w).watch_.waiter_ = nullptr; }),
          watch_(watch) {}
    using leaf_wait::use_stop;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> task) noexcept {
        watch_.waiter_ = this;
        begin(task);
    }
    delivery await_resume();

private:
    friend class signal_watch;
    signal_watch& watch_;
};

inline signal_watch::next_wait signal_watch::next() noexcept { return next_wait(*this); }

}  // namespace weir
