#pragma once
#include <weir/runtime/clock.hpp>
#include <weir/runtime/current_loop.hpp>
#include <weir/runtime/poller.hpp>
#include <weir/runtime/run_node.hpp>
#include <weir/runtime/timer_heap.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace weir {

class task_group;

/// One thread's run loop: a queue of ready nodes, timers, an inbox for other threads, and an epoll instance to sleep
/// in. "Own thread" below is the thread that calls the `run_*` functions; before the first such call, any one thread.
///
/// Nodes run in the order they became ready. Readiness, timers and the inbox are served at least once every `turn`
/// nodes, so a busy loop starves none of them. Tasks, timers and watches must be gone before their loop; plain nodes
/// that are left are not run.
class run_loop {
public:
    struct options {
        const clock* time = &real_clock();  ///< must outlive the loop
        nanos spin =
            std::chrono::microseconds{50};  ///< how long to look for work before sleeping; 0: never spin
    };
    static constexpr unsigned turn = 64;

    run_loop() : run_loop(options{}) {}
    explicit run_loop(options o);
    run_loop(const run_loop&) = delete;
    run_loop& operator=(const run_loop&) = delete;
    ~run_loop();

    /// The loop whose `run_*` function is on this thread's stack; null elsewhere.
    static run_loop* current() noexcept { return detail::current_loop; }
    bool is_current() const noexcept { return detail::current_loop == this; }
    nanos now() const noexcept { return time_->now(time_->self); }
    std::chrono::system_clock::time_point wall_now() const noexcept { return time_->wall(time_->self); }

    /// Own thread. Queues the node behind all that are ready; nothing if it is queued already.
    void push(run_node& n) noexcept {
        if (n.queued) return;
        n.queued = true;
        n.next = nullptr;
        *last_ = &n;
        last_ = &n.next;
    }
    /// Any thread, also a signal handler. The node must not be posted again, or pushed, before it ran.
    void post(run_node& n) noexcept { post(n, n); }
    /// Any thread. A chain linked by `next` that runs first to last: one exchange and at most one wake-up for all.
    void post(run_node& first, run_node& last) noexcept;
    /// Own thread. Takes a node that has not run yet out of the ready queue or the inbox; nothing if it is in neither.
    /// Walks the queue, so it is meant for what is destroyed while it waits, not for the ordinary path.
    void withdraw(run_node& n) noexcept;
    /// Any thread: makes `run_until` evaluate its condition again.
    void wake() noexcept;

    /// Own thread. Runs the timer when `now()` reaches `when`; moves it if it is armed already.
    void at(nanos when, timer& t);
    /// Own thread. Also takes the timer out of the ready queue if it is due and has not run yet.
    void cancel(timer& t) noexcept;
    /// When the first timer is due; `nanos::max()` when none is armed.
    nanos next_timer() const noexcept { return timers_.next(); }

    /// Own thread. Runs the node once when its descriptor is readable (writable), has failed, or was hung up. Throws
    /// `errc::already_waited` if another node waits for the same direction, a system error for a bad descriptor. Files
    /// that epoll refuses (regular files) are always ready.
    void watch(fd_node& node) { poller_.watch(node, *this); }
    /// Own thread. The node will not run any more.
    void unwatch(fd_node& node) noexcept;
    /// Own thread; to be called before closing a descriptor somebody may be waiting for: their waits end with
    /// `errc::closed`. The kernel says nothing about a descriptor that is closed under a wait.
    void forget(int fd) noexcept { poller_.forget(fd, *this); }

    /// Fires due timers, takes the inbox, polls readiness without blocking, and runs nodes until none is ready. True
    /// if anything ran. Makes no system call while nobody waits for a descriptor.
    bool run_ready();
    /// Runs nodes until `done()` is true, which is asked between nodes and after every wake-up; sleeps when idle.
    template <class Condition> void run_until(Condition done);

    /// `f` is called before the loop looks for sleep and at least once every `turn` nodes. Own thread; each function
    /// once, whatever the number of calls.
    void on_turn_end(void (*f)() noexcept);

    /// Work outside the loop that will come back (completions, offloads). A harness that moves the time by hand must
    /// not do so while `external()` is above zero. Any thread.
    void external_begin() noexcept { external_.fetch_add(1, std::memory_order_relaxed); }
    void external_end() noexcept { external_.fetch_sub(1, std::memory_order_relaxed); }
    std::int64_t external() const noexcept { return external_.load(std::memory_order_relaxed); }

    /// How often the loop has gone to sleep in the kernel. Own thread.
    std::uint64_t sleeps() const noexcept { return sleeps_; }
    /// The tasks that `spawn(loop, task)` made this loop's own; a group like any other.
    task_group& detached();

private:
    class entered;
    void step() noexcept {
        run_node* n = first_;
        first_ = n->next;
        if (first_ == nullptr) last_ = &first_;
        n->queued = false;
        n->run(n);
    }
    void serve() noexcept;  // timers, inbox, readiness, end of turn
    void fire_timers() noexcept;
    void take_inbox() noexcept;
    void idle() noexcept;
    bool spin_for_work(nanos until) noexcept;
    bool work_has_come() const noexcept {
        return inbox_.load(std::memory_order_relaxed) != nullptr || woken_.load(std::memory_order_relaxed);
    }
    void rouse() noexcept;

    run_node* first_ = nullptr;
    run_node** last_ = &first_;
    const clock* time_;
    timer_heap timers_;
    poller poller_;
    nanos spin_;
    bool recent_ = false;  // the last idle time was short: traffic flows, spinning pays
    std::uint64_t sleeps_ = 0;
    std::vector<void (*)() noexcept> turn_end_;

    // What other threads write, away from what only this one does.
    alignas(64) std::atomic<run_node*> inbox_{nullptr};  // newest first
    std::atomic<bool> asleep_{false};
    std::atomic<bool> woken_{false};
    std::atomic<int> posting_{0};  // threads inside post() or wake(), which the destructor waits for
    std::atomic<std::int64_t> external_{0};
    std::atomic<task_group*> detached_{nullptr};  // made by the first who asks
};

/// Makes a loop the current one for a scope; loops nest, as in a test that drives a second loop from a node.
class run_loop::entered {
public:
    explicit entered(run_loop& loop) noexcept : before_(detail::current_loop) {
        detail::current_loop = &loop;
    }
    entered(const entered&) = delete;
    entered& operator=(const entered&) = delete;
    ~entered() { detail::current_loop = before_; }

private:
    run_loop* before_;
};

template <class Condition> void run_loop::run_until(Condition done) {
    const entered here(*this);
    for (unsigned left = 0; !done();) {
        if (first_ != nullptr && left != 0) {
            --left;
            step();
            continue;
        }
        serve();
        left = turn;
        if (first_ != nullptr) continue;
        if (done()) return;  // a hook of the turn's end may have made it true
        idle();
    }
}

}  // namespace weir
