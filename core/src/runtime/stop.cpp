#include <weir/runtime/stop.hpp>

#include <cassert>
#include <utility>

namespace weir {

void stop_callback::link(stop_state& to) noexcept {
    if (to_ != nullptr) return;
    assert(!to.requested_ && "ask stop_requested() first: this callback would never be called");
    to_ = &to;
    next_ = nullptr;
    before_ = std::exchange(to.last_, this);
    (before_ != nullptr ? before_->next_ : to.first_) = this;
}

void stop_callback::unlink() noexcept {
    if (to_ == nullptr) return;
    (before_ != nullptr ? before_->next_ : to_->first_) = next_;
    (next_ != nullptr ? next_->before_ : to_->last_) = before_;
    to_ = nullptr;
}

stop_state::~stop_state() {
    assert(first_ == nullptr && "a task still waits on a stop_state that goes away");
}

void stop_state::request_stop() noexcept {
    requested_ = true;
    // Unlinked before it is called: a callback may unlink others, and may itself be destroyed by what it does.
    while (stop_callback* c = first_) {
        c->unlink();
        c->stopped_(*c);
    }
}

nested_stop::follow::follow(nested_stop& n) noexcept
    : stop_callback([](stop_callback& c) noexcept { static_cast<follow&>(c).to.request_stop(); }), to(n) {}

nested_stop::nested_stop(stop_token outer) noexcept {
    if (outer.stop_requested()) state_.request_stop();
    else if (outer.stop_possible()) follow_.link(*outer.state());
}

stop_source::stop_source(run_loop& loop) noexcept : loop_(loop) {
    request_.from = this;
    request_.run = [](run_node* n) noexcept { static_cast<request*>(n)->from->state_.request_stop(); };
}

stop_source::~stop_source() {
    if (asked_.load(std::memory_order_acquire)) loop_.withdraw(request_);
}

void stop_source::request_stop() noexcept {
    if (!asked_.exchange(true, std::memory_order_acq_rel)) loop_.post(request_);
}

}  // namespace weir
