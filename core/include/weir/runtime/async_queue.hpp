#pragma once
#include <weir/runtime/leaf_wait.hpp>

#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace weir {

namespace detail {

/// One side's waiting tasks, first come first served.
template <class Wait> class wait_list {
public:
    bool empty() const noexcept { return first_ == nullptr; }
    void append(Wait& w) noexcept {
        w.after_ = nullptr;
        w.before_ = std::exchange(last_, &w);
        (w.before_ != nullptr ? w.before_->after_ : first_) = &w;
    }
    void erase(Wait& w) noexcept {
        (w.before_ != nullptr ? w.before_->after_ : first_) = w.after_;
        (w.after_ != nullptr ? w.after_->before_ : last_) = w.before_;
    }
    Wait* take_first() noexcept {
        Wait* w = first_;
        if (w != nullptr) erase(*w);
        return w;
    }

private:
    Wait* first_ = nullptr;
    Wait* last_ = nullptr;
};

[[noreturn]] void throw_queue_closed(const char* what);

}  // namespace detail

/// A bounded queue between tasks of one loop. Waiting tasks are served in the order they came, values leave in the
/// order they entered. Allocates once, when it is made. Own thread; must outlive those who wait.
///
/// `co_await queue.push(x);` waits while the queue is full, `T x = co_await queue.pop();` while it is empty.
template <class T> class async_queue {
public:
    class push_wait;
    class pop_wait;

    /// `capacity` must not be 0.
    explicit async_queue(std::size_t capacity)
        : capacity_(capacity), ring_(std::allocator<T>{}.allocate(capacity == 0 ? 1 : capacity)) {
        assert(capacity != 0 && "a queue without room would never pass anything on");
    }
    async_queue(const async_queue&) = delete;
    async_queue& operator=(const async_queue&) = delete;
    ~async_queue() {
        while (size_ != 0) drop_front();
        std::allocator<T>{}.deallocate(ring_, capacity_);
    }

    std::size_t size() const noexcept { return size_; }
    std::size_t capacity() const noexcept { return capacity_; }
    bool closed() const noexcept { return closed_; }

    /// False if the queue is full or closed; the value is then untouched.
    bool try_push(T&& value) {
        if (closed_ || size_ == capacity_) return false;
        put(std::move(value));
        return true;
    }
    bool try_push(const T& value)
        requires std::is_copy_constructible_v<T>
    {
        if (closed_ || size_ == capacity_) return false;
        put(value);
        return true;
    }
    /// Nothing if no value is free: those promised to tasks that were woken for them are not.
    std::optional<T> try_pop() {
        if (size_ == promised_) return std::nullopt;
        return take();
    }
    /// Throws `errc::closed` if the queue is, or becomes, closed before the value had room.
    push_wait push(T value) { return push_wait(*this, std::move(value)); }
    /// Throws `errc::closed` once the queue is closed and empty.
    pop_wait pop() noexcept { return pop_wait(*this); }

    /// Nothing enters any more; what is in the queue can still be taken out. Wakes everybody who waits in vain.
    void close() noexcept {
        closed_ = true;
        while (push_wait* w = pushers_.take_first()) w->arrive();
        while (pop_wait* w = poppers_.take_first()) w->arrive();
    }

private:
    template <class U> void put(U&& value) {
        std::construct_at(ring_ + (front_ + size_) % capacity_, std::forward<U>(value));
        ++size_;
        promise_front();
    }
    // Every value that is not promised yet wakes one waiting task.
    void promise_front() noexcept {
        if (size_ == promised_) return;
        if (pop_wait* w = poppers_.take_first()) {
            ++promised_;
            w->promised_ = true;
            w->arrive();
        }
    }
    void drop_front() noexcept {
        std::destroy_at(ring_ + front_);
        front_ = front_ + 1 == capacity_ ? 0 : front_ + 1;
        --size_;
    }
    T take() {
        struct made_room {
            async_queue& q;
            ~made_room() {
                q.drop_front();
                q.admit_pusher();
            }
        } const after{*this};
        return std::move(ring_[front_]);
    }
    void admit_pusher() noexcept {
        while (!closed_ && size_ != capacity_) {
            push_wait* w = pushers_.take_first();
            if (w == nullptr) return;
            try {
                put(std::move(w->value_));
                w->entered_ = true;
            } catch (...) {
                w->failure_ = std::current_exception();
            }
            w->arrive();
        }
    }

    std::size_t capacity_;
    T* ring_;
    std::size_t front_ = 0;
    std::size_t size_ = 0;
    std::size_t promised_ =
        0;  // values at the front that belong to tasks which are ready and have not run yet
    bool closed_ = false;
    detail::wait_list<push_wait> pushers_;
    detail::wait_list<pop_wait> poppers_;
};

/// See `async_queue::push`.
template <class T> class [[nodiscard]] async_queue<T>::push_wait : private detail::leaf_wait<> {
public:
    push_wait(async_queue& queue, T&& value)
        : leaf_wait("push",
                    [](leaf_wait& w) noexcept {
                        auto& self = static_cast<push_wait&>(w);
                        self.queue_.pushers_.erase(self);
                    }),
          queue_(queue),
          value_(std::move(value)) {}
    using leaf_wait::use_stop;
    bool await_ready() {
        prepare();
        if (queue_.closed_) return true;
        if (queue_.size_ == queue_.capacity_) return false;
        queue_.put(std::move(value_));
        return entered_ = true;
    }
    void await_suspend(std::coroutine_handle<> task) noexcept {
        queue_.pushers_.append(*this);
        begin(task);
    }
    void await_resume() const {
        check();
        if (entered_) return;
        if (failure_ != nullptr) std::rethrow_exception(failure_);
        detail::throw_queue_closed("push into");
    }

private:
    friend class async_queue;
    friend class detail::wait_list<push_wait>;
    async_queue& queue_;
    T value_;
    bool entered_ = false;
    std::exception_ptr failure_;
    push_wait* before_ = nullptr;
    push_wait* after_ = nullptr;
};

/// See `async_queue::pop`.
template <class T> class [[nodiscard]] async_queue<T>::pop_wait : private detail::leaf_wait<> {
public:
    explicit pop_wait(async_queue& queue) noexcept
        : leaf_wait("pop",
                    [](leaf_wait& w) noexcept {
                        auto& self = static_cast<pop_wait&>(w);
                        self.queue_.poppers_.erase(self);
                    }),
          queue_(queue) {}
    ~pop_wait() {
        if (!promised_) return;  // destroyed after it was woken and before it ran: the value goes to the next
        --queue_.promised_;
        queue_.promise_front();
    }
    using leaf_wait::use_stop;
    bool await_ready() {
        prepare();
        return queue_.size_ != queue_.promised_ || queue_.closed_;
    }
    void await_suspend(std::coroutine_handle<> task) noexcept {
        queue_.poppers_.append(*this);
        begin(task);
    }
    T await_resume() {
        check();
        if (promised_) {
            promised_ = false;
            --queue_.promised_;
        } else if (queue_.size_ == queue_.promised_) {
            detail::throw_queue_closed("pop from");
        }
        return queue_.take();
    }

private:
    friend class async_queue;
    friend class detail::wait_list<pop_wait>;
    async_queue& queue_;
    bool promised_ = false;
    pop_wait* before_ = nullptr;
    pop_wait* after_ = nullptr;
};

}  // namespace weir
