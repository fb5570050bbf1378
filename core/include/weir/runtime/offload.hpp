#pragma once
#include <weir/runtime/completion.hpp>
#include <weir/runtime/offload_pool.hpp>
#include <weir/runtime/task.hpp>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace weir {

namespace detail {

template <class F, class Result> class offload_job final : public offload_pool::job {
public:
    offload_job(F&& f, completion_handle<Result> to) : f_(std::move(f)), to_(std::move(to)) {}

private:
    void run() noexcept override {
        try {
            if constexpr (std::is_void_v<Result>) {
                std::invoke(f_);
                to_.set_value();
            } else {
                to_.set_value(std::invoke(f_));
            }
        } catch (...) {
            to_.set_error(std::current_exception());
        }
    }
    void refuse() noexcept override {
        to_.set_error(std::make_exception_ptr(error(errc::closed, "weir: the offload pool was shut down")));
    }
    F f_;
    completion_handle<Result> to_;
};

/// Takes a job that no thread has begun back out of the queue, when its task goes.
class offload_ticket {
public:
    offload_ticket(offload_pool& pool, std::shared_ptr<offload_pool::job> job) noexcept
        : pool_(pool), job_(std::move(job)) {}
    offload_ticket(const offload_ticket&) = delete;
    offload_ticket& operator=(const offload_ticket&) = delete;
    ~offload_ticket() { pool_.withdraw(job_); }

private:
    offload_pool& pool_;
    std::shared_ptr<offload_pool::job> job_;
};

}  // namespace detail

/// Runs `f()` on a thread of the pool and returns its result, or throws its exception, on this task's loop. Waits,
/// without blocking the loop, while the pool's queue is full. For calls that block or compute for long.
///
/// A stop ends the wait at once. What has not begun is then never run; what has begun cannot be interrupted: it goes
/// on, and its result is dropped. So `f` must own, or share, everything it uses, and capture nothing of the task by
/// reference. With g++ 12 give a lambda that captures a name before the `co_await` (see CONTRIBUTING.md).
template <class F, class Result = std::decay_t<std::invoke_result_t<F&>>>
task<Result> offload(offload_pool& pool, F f) {
    offload_pool::place place = co_await pool.room();
    completion<Result> done;
    auto job = std::make_shared<detail::offload_job<F, Result>>(std::move(f), done.handle());
    const detail::offload_ticket ticket(pool, job);
    place.submit(std::move(job));
    co_return co_await done;
}

/// On the pool that all share: four threads, made at the first use.
template <class F> auto offload(F f) { return offload(offload_pool::shared(), std::move(f)); }

}  // namespace weir
