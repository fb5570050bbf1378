#pragma once
#include <weir/runtime/frame_cache.hpp>
#include <weir/runtime/leaf_wait.hpp>

#include <atomic>
#include <exception>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>

namespace weir {

template <class T> class completion;

namespace detail {

class completion_base;

/// What a completion shares with its handles: it outlives the awaiting task when the callback is late, and the callback
/// when it never comes.
class completion_state {
public:
    completion_state() noexcept;
    completion_state(const completion_state&) = delete;
    completion_state& operator=(const completion_state&) = delete;

    void add_handle() noexcept;
    void drop_handle() noexcept;
    void release() noexcept;
    /// True for the one caller that may store the outcome.
    bool claim() noexcept { return !claimed_.exchange(true, std::memory_order_acq_rel); }
    /// After the outcome was stored: tells the loop, if the completion still exists.
    void publish() noexcept;
    bool abandoned() noexcept;

protected:
    virtual ~completion_state() = default;

private:
    friend class completion_base;
    virtual void store(std::exception_ptr why) noexcept = 0;  // by the one who claimed

    struct delivery : run_node {
        completion_state* of = nullptr;
    };
    std::atomic<unsigned> references_{1};  // the completion's; each handle has another
    std::atomic<unsigned> handles_{0};
    std::atomic<bool> claimed_{false};
    std::mutex lock_;  // owner_, for the callback that comes while the completion goes
    completion_base* owner_ = nullptr;
    delivery delivery_;
};

template <class T> class completion_result final : public completion_state {
public:
    using stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
    template <class... Args> bool set(Args&&... args) noexcept {
        if (!claim()) return false;
        try {
            result.template emplace<1>(std::forward<Args>(args)...);
        } catch (...) {
            result.template emplace<2>(std::current_exception());
        }
        publish();
        return true;
    }
    bool fail(std::exception_ptr why) noexcept {
        if (!claim()) return false;
        store(std::move(why));
        return true;
    }
    static void* operator new(std::size_t size) { return new_frame(size); }
    static void operator delete(void* memory, std::size_t size) noexcept { free_frame(memory, size); }

    std::variant<std::monostate, stored, std::exception_ptr> result;

private:
    void store(std::exception_ptr why) noexcept override {
        result.template emplace<2>(std::move(why));
        publish();
    }
};

/// The waiting half of a completion, whatever its type.
class completion_base : protected leaf_wait<> {
public:
    using leaf_wait::use_stop;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> task) noexcept { begin(task); }

protected:
    completion_base(run_loop& loop, completion_state& state) noexcept;
    ~completion_base();
    void handle_given() noexcept;
    void check_outcome();

private:
    friend class completion_state;
    void delivered() noexcept;
    void settle_account() noexcept;

    run_loop& home_;
    completion_state& state_;
    bool counted_ = false;  // as work outside the loop
    bool has_come_ = false;
    bool taken_ = false;
};

}  // namespace detail

/// The calling half of a `completion`: copy it into the callback. Usable on any thread and at any time, also when the
/// awaiting task, or its loop, is long gone. The first outcome wins. When the last handle goes without one, the task
/// gets `errc::closed`, so a callback that is thrown away unused hangs nobody.
template <class T = void> class completion_handle {
public:
    completion_handle(const completion_handle& other) noexcept : state_(other.state_) {
        if (state_ != nullptr) state_->add_handle();
    }
    completion_handle(completion_handle&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    completion_handle& operator=(completion_handle other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~completion_handle() {
        if (state_ != nullptr) state_->drop_handle();
    }

    /// Makes the value from the arguments (none for `void`). False if there was an outcome already.
    template <class... Args>
        requires std::is_constructible_v<typename detail::completion_result<T>::stored, Args...>
    bool set_value(Args&&... args) const noexcept {
        return state_->set(std::forward<Args>(args)...);
    }
    /// The task gets this exception. False if there was an outcome already.
    bool set_error(std::exception_ptr why) const noexcept { return state_->fail(std::move(why)); }
    /// Nobody waits any more, so the work may be cut short. Only a hint: it may become true at any moment.
    bool abandoned() const noexcept { return state_->abandoned(); }

private:
    friend class completion<T>;
    explicit completion_handle(detail::completion_result<T>* state) noexcept : state_(state) {
        state_->add_handle();
    }
    detail::completion_result<T>* state_;
};

/// Turns any callback on any thread into the result of a wait:
///
///     completion<int> done;
///     start_foreign([h = done.handle()](int n) { h.set_value(n); });
///     const int n = co_await done;
///
/// Belongs to one loop and is awaited once, by one task. Destroying it, or stopping the task, does not stop the foreign
/// work: whatever the callback still touches must be its own.
template <class T = void> class [[nodiscard]] completion : public detail::completion_base {
public:
    completion() : completion(current()) {}
    explicit completion(run_loop& loop) : completion(loop, new detail::completion_result<T>) {}

    /// Counted as work outside the loop from the first handle on until the outcome has arrived.
    completion_handle<T> handle() {
        handle_given();
        return completion_handle<T>(result_);
    }
    T await_resume() {
        check_outcome();
        if (auto* why = std::get_if<2>(&result_->result)) std::rethrow_exception(*why);
        if constexpr (!std::is_void_v<T>) return std::move(std::get<1>(result_->result));
    }

private:
    static run_loop& current() {
        run_loop* loop = run_loop::current();
        if (loop == nullptr) detail::throw_no_loop("completion");
        return *loop;
    }
    completion(run_loop& loop, detail::completion_result<T>* result) noexcept
        : completion_base(loop, *result), result_(result) {}
    detail::completion_result<T>* result_;
};

}  // namespace weir
