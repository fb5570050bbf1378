#pragma once
#include <weir/runtime/frame_cache.hpp>
#include <weir/runtime/stop.hpp>
#include <weir/runtime/task.hpp>

#include <coroutine>
#include <cstddef>
#include <utility>

namespace weir::detail {

class join;

/// The continuation of one joined task: a coroutine, as that is what a task resumes when it has finished.
class join_leg {
public:
    struct promise_type {
        promise_type(join& j, std::size_t, bool (*)(const void*), const void*) noexcept : of(j) {}
        join_leg get_return_object() noexcept {
            return join_leg(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        struct finish {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) const noexcept;
            void await_resume() const noexcept {}
        };
        std::suspend_always initial_suspend() const noexcept { return {}; }
        finish final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }
        static void* operator new(std::size_t size) { return new_frame(size); }
        static void operator delete(void* frame, std::size_t size) noexcept { free_frame(frame, size); }
        join& of;
    };
    join_leg() = default;
    join_leg(join_leg&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    join_leg& operator=(join_leg&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~join_leg() {
        if (handle_) handle_.destroy();
    }
    std::coroutine_handle<> handle() const noexcept { return handle_; }

private:
    explicit join_leg(std::coroutine_handle<promise_type> h) noexcept : handle_(h) {}
    std::coroutine_handle<promise_type> handle_{};
};

/// Starts tasks side by side and waits for all of them, whatever happens: nothing outlives a join. On the first
/// failure, or with `until_first` on the first end, it stops the others.
class join {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    join(stop_token outer, std::size_t tasks, bool until_first) noexcept
        : stop_(outer), left_(tasks), until_first_(until_first) {}

    template <class T> void start(task<T>& t, join_leg& leg, std::size_t index) {
        if (first_ != none) {  // already decided: what has not begun need not
            --left_;
            return;
        }
        t.use_stop(stop_.state());
        if (t.start()) return ended(index, t.failed());
        leg =
            follow(*this, index, [](const void* p) { return static_cast<const task<T>*>(p)->failed(); }, &t);
        t.then(leg.handle());
    }
    /// The task that ended first, among the failed ones if any has failed and this is not `until_first`.
    std::size_t first() const noexcept { return first_; }

    auto all_ended() noexcept {
        class awaiter {
        public:
            explicit awaiter(join& j) noexcept : of_(j) {}
            bool await_ready() const noexcept { return of_.left_ == 0; }
            void await_suspend(std::coroutine_handle<> parent) noexcept { of_.parent_ = parent; }
            void await_resume() const noexcept {}

        private:
            join& of_;
        };
        return awaiter(*this);
    }

private:
    friend class join_leg;
    static join_leg follow(join& of, std::size_t index, bool (*failed)(const void*), const void* which);
    void ended(std::size_t index, bool failed) noexcept;

    nested_stop stop_;
    std::size_t left_;
    bool until_first_;
    std::size_t first_ = none;
    std::coroutine_handle<> parent_{};
};

}  // namespace weir::detail
