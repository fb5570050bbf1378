#pragma once
#include <weir/runtime/current_loop.hpp>
#include <weir/runtime/frame_cache.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace weir {

class stop_state;

namespace detail {

enum class progress : unsigned char { running, value, error };

[[noreturn]] void resumed_on_foreign_loop(const char* at) noexcept;

struct promise_base;

template <class Awaitable>
concept has_co_await = requires(Awaitable&& a) { static_cast<Awaitable&&>(a).operator co_await(); } ||
                       requires(Awaitable&& a) { operator co_await(static_cast<Awaitable&&>(a)); };

/// An awaiter by reference. g++ 12 would copy one that `await_transform` hands on as it is; and this is where debug
/// builds see that a task comes back to its own loop.
template <class Awaiter> class resume_check {
public:
    resume_check(Awaiter& awaiter, const promise_base& promise) noexcept
        : awaiter_(awaiter), promise_(promise) {}
    bool await_ready() noexcept(noexcept(std::declval<Awaiter&>().await_ready())) {
        return awaiter_.await_ready();
    }
    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> h) noexcept(
        noexcept(std::declval<Awaiter&>().await_suspend(h))) {
        return awaiter_.await_suspend(h);
    }
    decltype(auto) await_resume();

private:
    Awaiter& awaiter_;
    const promise_base& promise_;
};

/// What does not depend on the result. The layout is the same in debug and release builds, so that objects of both can
/// be linked; only the check differs.
struct promise_base {
    std::coroutine_handle<> next{};  // resumed when the task has finished
    stop_state* stop = nullptr;
    run_loop* home = nullptr;
    progress state = progress::running;

    struct finish {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) const noexcept {
            h.promise().check_home("finished");
            const std::coroutine_handle<> waiting = h.promise().next;
            return waiting ? waiting : std::noop_coroutine();
        }
        void await_resume() const noexcept {}
    };
    std::suspend_always initial_suspend() const noexcept { return {}; }
    finish final_suspend() const noexcept { return {}; }

    /// Those that can be stopped (tasks, waits) learn of this task's stop; the awaitable itself stays where it is.
    template <class Awaitable> decltype(auto) await_transform(Awaitable&& what) noexcept {
        check_home("awaits again");
        if constexpr (requires { what.use_stop(stop); }) what.use_stop(stop);
        if constexpr (has_co_await<Awaitable>) return static_cast<Awaitable&&>(what);
        else return resume_check<std::remove_reference_t<Awaitable>>(what, *this);
    }

    // A task that was started outside any loop may go on anywhere.
    void check_home([[maybe_unused]] const char* at) const noexcept {
#ifndef NDEBUG
        if (home != nullptr && home != current_loop) resumed_on_foreign_loop(at);
#endif
    }
    void settle_home() noexcept {
#ifndef NDEBUG
        home = current_loop;
#endif
    }

    static void* operator new(std::size_t size) { return new_frame(size); }
    static void operator delete(void* frame, std::size_t size) noexcept { free_frame(frame, size); }
};

template <class Awaiter> decltype(auto) resume_check<Awaiter>::await_resume() {
    promise_.check_home("was resumed");
    return awaiter_.await_resume();
}

template <class T> struct result_slot {
    using stored = std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>;
    union {
        stored value;
        std::exception_ptr error;
    };
    result_slot() noexcept {}
    ~result_slot() {}
};

template <> struct result_slot<void> {
    union {
        std::exception_ptr error;
    };
    result_slot() noexcept {}
    ~result_slot() {}
};

template <class T> struct promise_result : promise_base, result_slot<T> {
    template <class U = T>
        requires std::is_constructible_v<T, U>
    void return_value(U&& u) {
        if constexpr (std::is_reference_v<T>) std::construct_at(&this->value, std::addressof(u));
        else std::construct_at(&this->value, std::forward<U>(u));
        state = progress::value;
    }
    void drop() noexcept {
        if (state == progress::value) std::destroy_at(&this->value);
        else if (state == progress::error) std::destroy_at(&this->error);
    }
    ~promise_result() { drop(); }
};

template <> struct promise_result<void> : promise_base, result_slot<void> {
    void return_void() noexcept { state = progress::value; }
    void drop() noexcept {
        if (state == progress::error) std::destroy_at(&this->error);
    }
    ~promise_result() { drop(); }
};

}  // namespace detail

/// A coroutine that does nothing until it is awaited or started, and then runs on its loop's thread until it waits.
/// Awaited once, on the loop that started it; destroying it destroys the coroutine, wherever it waits.
///
/// A child is started on its parent's stack, inside `await_ready`: one that never waits costs no suspension, and a
/// loop over a million of them keeps the stack flat on every compiler and with every sanitizer.
template <class T = void> class [[nodiscard]] task {
public:
    struct promise_type : detail::promise_result<T> {
        task get_return_object() noexcept {
            return task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        void unhandled_exception() noexcept {
            this->drop();  // a local's destructor may throw after co_return
            std::construct_at(&this->error, std::current_exception());
            this->state = detail::progress::error;
        }
    };
    using value_type = T;

    task(task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    task& operator=(task&& other) noexcept {
        if (this != &other) {
            if (handle_) handle_.destroy();
            handle_ = std::exchange(other.handle_, {});
        }
        return *this;
    }
    ~task() {
        if (handle_) handle_.destroy();
    }

    /// For those who drive a task by hand: runs it until it waits or finishes. Once. True if it has finished.
    bool start() {
        handle_.promise().settle_home();
        handle_.resume();
        return done();
    }
    bool done() const noexcept { return handle_.promise().state != detail::progress::running; }
    /// Finished with an exception, which `take` throws.
    bool failed() const noexcept { return handle_.promise().state == detail::progress::error; }
    /// What is resumed when the task finishes; set it while the task is not done.
    void then(std::coroutine_handle<> next) noexcept { handle_.promise().next = next; }
    /// The result, moved out. Once, when done.
    T take() {
        auto& p = handle_.promise();
        if (p.state == detail::progress::error) [[unlikely]]
            std::rethrow_exception(p.error);
        if constexpr (std::is_reference_v<T>) return static_cast<T>(*p.value);
        else if constexpr (!std::is_void_v<T>) return std::move(p.value);
    }
    /// The exception of a failed task; null otherwise.
    std::exception_ptr failure() const noexcept { return failed() ? handle_.promise().error : nullptr; }

    /// Before it starts: the stop that every wait below it sees. A task that has none takes its parent's.
    void use_stop(stop_state& stop) noexcept { handle_.promise().stop = &stop; }
    void use_stop(stop_state* inherited) noexcept {
        if (handle_.promise().stop == nullptr) handle_.promise().stop = inherited;
    }

    auto operator co_await() && noexcept {
        class awaiter {
        public:
            explicit awaiter(task& child) noexcept : child_(child) {}
            bool await_ready() { return child_.start(); }
            void await_suspend(std::coroutine_handle<> parent) noexcept { child_.then(parent); }
            T await_resume() { return child_.take(); }

        private:
            task& child_;
        };
        return awaiter(*this);
    }

private:
    explicit task(std::coroutine_handle<promise_type> h) noexcept : handle_(h) {}
    std::coroutine_handle<promise_type> handle_;
};

}  // namespace weir
