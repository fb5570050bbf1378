#pragma once
#include <weir/runtime/run_loop.hpp>
#include <weir/runtime/task_group.hpp>

#include <atomic>
#include <string>
#include <thread>

namespace weir {

/// A thread that owns a run loop and drives it until it is stopped. Nothing is caught: an exception that nobody
/// handles ends the program.
class loop_thread {
public:
    /// The name is what debuggers and `top` show, cut at 15 characters.
    explicit loop_thread(std::string name = "weir", run_loop::options options = run_loop::options{});
    loop_thread(const loop_thread&) = delete;
    loop_thread& operator=(const loop_thread&) = delete;
    /// Stops and joins.
    ~loop_thread();

    /// Lives as long as this object; once the thread has ended it runs no more.
    run_loop& loop() noexcept { return loop_; }
    /// Any thread. Starts the task on this thread; see `weir::spawn`.
    void spawn(task<void> what) { weir::spawn(loop_, std::move(what)); }
    /// Any thread. The thread ends after the node it is running; what `spawn` started and has not finished is destroyed
    /// there. To let work finish, wait for it first.
    void stop() noexcept;
    /// Waits for the thread to end, which needs a `stop`. Not from the thread itself.
    void join();

private:
    run_loop loop_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace weir
