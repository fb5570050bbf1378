#pragma once
#include <weir/runtime/leaf_wait.hpp>
#include <weir/runtime/task.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

namespace weir {

/// Owns tasks that run beside the one that spawned them, on one loop. They can be stopped and waited for; those that
/// are left when the group is destroyed are destroyed where they wait. Own thread, unless a member says otherwise.
class task_group {
public:
    explicit task_group(run_loop& loop) noexcept;
    task_group(const task_group&) = delete;
    task_group& operator=(const task_group&) = delete;
    ~task_group();

    /// Starts the task in the loop's next turn, in the order of spawning.
    void spawn(task<void> what);
    /// The same from any thread. The group must not be destroyed meanwhile.
    void post(task<void> what);

    /// Tasks that have not finished, those that were posted a moment ago included. Any thread.
    std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
    /// Stops all tasks, present and future: their waits end with `errc::cancelled`.
    void request_stop() noexcept { stop_.request_stop(); }
    /// Makes a stop of the owner stop this group too.
    stop_state& stop() noexcept { return stop_; }

    class drain_wait;
    /// `co_await group.drain();` waits until no task is left, then throws the first failure, if there was one. Being
    /// stopped ends the wait, not the group's tasks. One task at a time may drain.
    drain_wait drain() noexcept;
    /// Destroys the tasks where they wait.
    void clear() noexcept;

    /// What becomes of an exception out of a task: by default the first is kept for `drain`. A task that ends with
    /// `errc::cancelled` after `request_stop` has not failed.
    void on_failure(void (*f)(std::exception_ptr) noexcept) noexcept { on_failure_ = f; }
    /// For `on_failure`: says on standard error what was thrown, and ends the program.
    [[noreturn]] static void terminate(std::exception_ptr why) noexcept;

private:
    struct member;  // the promise of the coroutine around a task
    struct holder;
    static holder hold(task_group& group, task<void> what);
    void start(member& m) noexcept;
    void failed(std::exception_ptr why) noexcept;
    void take_posted() noexcept;

    struct arrivals : run_node {
        task_group* group = nullptr;
    };
    run_loop& loop_;
    stop_state stop_;
    member* first_ = nullptr;  // of all that were spawned here
    std::atomic<std::size_t> size_{0};
    drain_wait* drainer_ = nullptr;
    std::exception_ptr failure_;
    void (*on_failure_)(std::exception_ptr) noexcept = nullptr;
    std::mutex lock_;
    member* posted_ = nullptr;  // newest first; under lock_
    arrivals arrivals_;
};

/// See `task_group::drain`.
class [[nodiscard]] task_group::drain_wait : private detail::leaf_wait<> {
public:
    explicit drain_wait(task_group& group) noexcept;
    using leaf_wait::use_stop;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> task) noexcept;
    void await_resume();

private:
    friend class task_group;
    static void leave(leaf_wait& w) noexcept;
    void arrive_last() noexcept;
    task_group& group_;
};

inline task_group::drain_wait task_group::drain() noexcept { return drain_wait(*this); }

/// Makes the task the loop's own: it starts in the loop's next turn and is destroyed with the loop if it has not
/// finished by then. An exception out of it ends the program, as nobody is there to see it. Any thread.
void spawn(run_loop& loop, task<void> what);

}  // namespace weir
