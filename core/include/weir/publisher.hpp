#pragma once
#include <weir/broker/outgoing.hpp>
#include <weir/error.hpp>
#include <weir/out.hpp>
#include <weir/runtime/task.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <shared_mutex>
#include <string>
#include <type_traits>

namespace weir {

namespace detail {

/// What publishers share with the application: the port while the connection is there. Publishing holds the lock shared,
/// closing takes it alone, so that no call is on its way through a connection that ends.
struct publishing_state {
    std::shared_mutex mutex;
    enum class phase : unsigned char { not_started, open, closed } now = phase::not_started;
    /// Stays after `closed` until the connection has been shut down: who waits can still be taken out of its lists.
    /// Null afterwards; then everybody has been woken.
    publish_port port;
    std::string broker;  ///< for error texts
};

}  // namespace detail

/// One publish, not done yet: `co_await` it in a task, or `wait_for` it on a plain thread. Move-only; dropped, it
/// publishes nothing. The message has been encoded already.
class [[nodiscard]] publish_operation {
public:
    publish_operation(std::shared_ptr<detail::publishing_state> state, std::string topic, output& encoded);
    publish_operation(publish_operation&& o) noexcept
        : state_(std::move(o.state_)),
          topic_(std::move(o.topic_)),
          body_(std::exchange(o.body_, nullptr)),
          size_(o.size_),
          stop_(o.stop_) {}
    publish_operation& operator=(publish_operation&&) = delete;
    ~publish_operation() {
        if (body_ != nullptr) release(body_);
    }

    /// In a task on a loop: waits for room and for the broker's confirmation. Throws weir::error with the cause.
    auto operator co_await() && {
        stop_state* const stop = stop_;
        task<void> work = publish(std::move(*this));
        work.use_stop(stop);
        return starter{std::move(work)};
    }
    void use_stop(stop_state* s) noexcept { stop_ = s; }

    /// On a plain thread: blocks until the broker has it, at most for `deadline`. What was not taken by then is not
    /// published; what was taken and is not confirmed may have been. Throws weir::error (timed_out, queue_full, closed,
    /// ...); on a thread that drives a run loop it refuses with `misuse` instead of standing still for ever.
    void wait_for(nanos deadline) &&;
    /// The same without an exception; no error: published.
    [[nodiscard]] std::error_code try_wait_for(nanos deadline) && noexcept;
    /// Now or never: a full queue is `queue_full` at once. Any thread.
    [[nodiscard]] std::error_code try_now() && noexcept;

private:
    struct starter {
        task<void> work;
        bool await_ready() { return work.start(); }
        void await_suspend(std::coroutine_handle<> h) noexcept { work.then(h); }
        void await_resume() { work.take(); }
    };
    static task<void> publish(publish_operation op);
    publish_status attempt(publish_waiter* who, bool wait_for_room) noexcept;
    void abandon(publish_waiter& who) noexcept;
    std::error_code open() noexcept;
    std::error_code code_of(publish_status s) const noexcept;
    [[noreturn]] void fail(std::error_code why) const;

    std::shared_ptr<detail::publishing_state> state_;
    std::string topic_;
    block* body_;
    std::uint32_t size_;
    void* destination_ = nullptr;
    stop_state* stop_ = nullptr;
    class room_wait;
    class blocked_thread;
};

/// Publishes through one broker of the application; copyable, for any thread, good before the start (then it answers
/// not_started) and after the end (then it answers closed). Never a false success. A handler that awaits it for a topic
/// whose full queue only it could empty waits until the shutdown: `out<topic>` fails there instead.
class publisher {
public:
    explicit publisher(std::shared_ptr<detail::publishing_state> state) noexcept : state_(std::move(state)) {}

    template <class T>
    publish_operation publish(const topic<T>& to, const std::type_identity_t<T>& message) const {
        return publish(to.name, message);
    }
    template <class T>
    publish_operation publish(const topic<T>& to, const std::type_identity_t<T>& message,
                              const headers& h) const {
        return publish(to.name, message, h);
    }
    /// The topic's type is not checked here; `bytes` are published as they are.
    template <class T> publish_operation publish(std::string_view to, const T& message) const {
        output encoded;
        detail::encode_message(encoded, message);
        return {state_, std::string{to}, encoded};
    }
    template <class T>
    publish_operation publish(std::string_view to, const T& message, const headers& h) const {
        output encoded;
        encoded.head() = h;
        detail::encode_message(encoded, message);
        return {state_, std::string{to}, encoded};
    }

private:
    std::shared_ptr<detail::publishing_state> state_;
};

}  // namespace weir
