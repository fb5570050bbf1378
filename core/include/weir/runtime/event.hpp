#pragma once
#include <weir/runtime/leaf_wait.hpp>

#include <utility>

namespace weir {

/// A flag that tasks of one loop wait for: stays set until `reset`. Own thread. Must outlive those who wait.
class event {
public:
    class wait_for;
    explicit event(bool set = false) noexcept : set_(set) {}
    event(const event&) = delete;
    event& operator=(const event&) = delete;

    bool is_set() const noexcept { return set_; }
    /// Everybody who waits becomes ready, in the order they came.
    void set() noexcept;
    void reset() noexcept { set_ = false; }
    /// `co_await e.wait();` goes on at once if the event is set.
    wait_for wait() noexcept;

private:
    bool set_;
    wait_for* first_ = nullptr;
    wait_for* last_ = nullptr;
};

/// See `event::wait`.
class [[nodiscard]] event::wait_for : private detail::leaf_wait<> {
public:
    explicit wait_for(event& e) noexcept : leaf_wait("event", leave), of_(e) {}
    using leaf_wait::use_stop;
    bool await_ready() {
        prepare();
        return of_.set_;
    }
    void await_suspend(std::coroutine_handle<> task) noexcept {
        before_ = std::exchange(of_.last_, this);
        (before_ != nullptr ? before_->after_ : of_.first_) = this;
        begin(task);
    }
    void await_resume() const { check(); }

private:
    friend class event;
    static void leave(leaf_wait& w) noexcept {
        auto& self = static_cast<wait_for&>(w);
        (self.before_ != nullptr ? self.before_->after_ : self.of_.first_) = self.after_;
        (self.after_ != nullptr ? self.after_->before_ : self.of_.last_) = self.before_;
    }
    event& of_;
    wait_for* before_ = nullptr;
    wait_for* after_ = nullptr;
};

inline event::wait_for event::wait() noexcept { return wait_for(*this); }

inline void event::set() noexcept {
    set_ = true;
    while (wait_for* w = first_) {
        wait_for::leave(*w);
        w->arrive();
    }
}

}  // namespace weir
