#include <weir/publisher.hpp>
#include <weir/runtime/leaf_wait.hpp>

#include <condition_variable>
#include <mutex>

namespace weir {

publish_operation::publish_operation(std::shared_ptr<detail::publishing_state> state, std::string topic,
                                     output& encoded)
    : state_(std::move(state)), topic_(std::move(topic)), body_(nullptr), size_(0) {
    if (encoded.size() > UINT32_MAX)
        throw error(errc::too_large, "weir: a message of more than 4 GiB for '" + topic_ + "'");
    size_ = static_cast<std::uint32_t>(encoded.size());
    body_ = encoded.take();
}

publish_status publish_operation::attempt(publish_waiter* who, bool wait_for_room) noexcept {
    const std::shared_lock lock(state_->mutex);
    if (state_->now != detail::publishing_state::phase::open) return publish_status::closed;
    outgoing o{destination_, body_, size_};
    unsigned taken = 0;
    const publish_status s = state_->port.table->publish(state_->port.self, &o, 1, taken, who, wait_for_room);
    if (taken == 1) body_ = nullptr;
    return s;
}

/// Afterwards nobody wakes `who` any more, whether or not it has been woken.
void publish_operation::abandon(publish_waiter& who) noexcept {
    const std::shared_lock lock(state_->mutex);
    if (state_->port.table != nullptr) state_->port.table->abandon(state_->port.self, who);
}

/// Looks the destination up. An error: not started, closed, or a name that the broker refuses.
std::error_code publish_operation::open() noexcept {
    try {
        const std::shared_lock lock(state_->mutex);
        switch (state_->now) {
        case detail::publishing_state::phase::not_started: return errc::not_started;
        case detail::publishing_state::phase::closed: return errc::closed;
        case detail::publishing_state::phase::open: break;
        }
        destination_ = state_->port.table->open(state_->port.self, topic_);
        return {};
    } catch (const error& e) {
        return e.code();
    } catch (const std::bad_alloc&) {
        return std::make_error_code(std::errc::not_enough_memory);
    } catch (const std::exception&) {
        return errc::invalid_name;
    }
}

std::error_code publish_operation::code_of(publish_status s) const noexcept {
    switch (s) {
    case publish_status::done:
    case publish_status::sent: return {};
    case publish_status::queue_full:
    case publish_status::wait: return errc::queue_full;
    case publish_status::closed: return errc::closed;
    case publish_status::too_large: return errc::too_large;
    case publish_status::failed: break;
    }
    return std::make_error_code(std::errc::io_error);
}

void publish_operation::fail(std::error_code why) const {
    throw error(why, "weir: publishing to '" + topic_ + "' on broker '" + state_->broker +
                         "' failed: " + why.message());
}

// ---------------------------------------------------------------- in a task

/// Waits for room or for a confirmation, on a loop.
class publish_operation::room_wait : private detail::leaf_wait<> {
public:
    explicit room_wait(publish_operation& op) noexcept : leaf_wait("publish", abandon), op_(op) {
        waiter_.of = this;
        waiter_.wake = [](publish_waiter* w) noexcept {
            room_wait& self = *static_cast<waiter*>(w)->of;
            self.home_->post(self);
        };
    }
    using leaf_wait::use_stop;
    /// Tries, and does not suspend if that settles it.
    bool await_ready() {
        prepare();
        home_ = &loop();
        // The wake-up may come from another thread before await_suspend: the loop runs it only after this node returns.
        status_ = op_.attempt(&waiter_, true);
        return status_ != publish_status::wait && status_ != publish_status::sent;
    }
    void await_suspend(std::coroutine_handle<> task) noexcept { begin(task); }
    publish_status await_resume() const {
        check();
        if (status_ == publish_status::sent) return waiter_.result;
        if (status_ == publish_status::wait && waiter_.result != publish_status::done) return waiter_.result;
        return status_;
    }

private:
    struct waiter : publish_waiter {
        room_wait* of;
    };
    static void abandon(leaf_wait& w) noexcept {
        auto& self = static_cast<room_wait&>(w);
        self.op_.abandon(self.waiter_);
        self.home_->withdraw(self);
    }
    publish_operation& op_;
    waiter waiter_{};
    run_loop* home_ = nullptr;
    publish_status status_ = publish_status::done;
};

task<void> publish_operation::publish(publish_operation op) {
    const std::error_code refused = op.open();
    if (refused) op.fail(refused);
    for (;;) {
        room_wait room(op);
        const publish_status s = co_await room;
        if (s == publish_status::wait) continue;
        const std::error_code why = op.code_of(s);
        if (why) op.fail(why);
        co_return;
    }
}

// ---------------------------------------------------------------- on a plain thread

/// A plain thread that waits for room or for a confirmation.
class publish_operation::blocked_thread {
public:
    blocked_thread() noexcept {
        waiter_.of = this;
        waiter_.wake = [](publish_waiter* w) noexcept {
            blocked_thread& self = *static_cast<waiter*>(w)->of;
            const std::lock_guard lock(self.mutex_);
            self.woken_ = true;
            self.changed_.notify_one();
        };
    }
    publish_waiter& who() noexcept { return waiter_; }
    /// False: the time was up first.
    bool wait_until(std::chrono::steady_clock::time_point until) {
        std::unique_lock lock(mutex_);
        const bool in_time = changed_.wait_until(lock, until, [this] { return woken_; });
        woken_ = false;
        return in_time;
    }

private:
    struct waiter : publish_waiter {
        blocked_thread* of;
    } waiter_{};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;
};

std::error_code publish_operation::try_wait_for(nanos deadline) && noexcept {
    if (run_loop::current() != nullptr) return errc::misuse;
    if (const std::error_code refused = open()) return refused;
    const auto now = std::chrono::steady_clock::now();
    const auto most = std::chrono::steady_clock::time_point::max() - now;
    const auto until = now + std::min<std::chrono::steady_clock::duration>(deadline, most);
    for (;;) {
        blocked_thread here;
        const publish_status s = attempt(&here.who(), true);
        if (s != publish_status::wait && s != publish_status::sent) return code_of(s);
        if (!here.wait_until(until)) {
            abandon(here.who());
            return errc::timed_out;
        }
        if (s == publish_status::sent || here.who().result != publish_status::done)
            return code_of(here.who().result);
    }
}

void publish_operation::wait_for(nanos deadline) && {
    if (run_loop::current() != nullptr)
        throw error(errc::misuse,
                    "weir: wait_for on '" + topic_ +
                        "' would stop the run loop of this thread - co_await the operation instead");
    const std::error_code why = std::move(*this).try_wait_for(deadline);
    if (why) fail(why);
}

std::error_code publish_operation::try_now() && noexcept {
    if (const std::error_code refused = open()) return refused;
    return code_of(attempt(nullptr, false));
}

}  // namespace weir
