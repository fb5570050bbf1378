#include <weir/runtime/completion.hpp>

namespace weir::detail {

completion_state::completion_state() noexcept {
    delivery_.of = this;
    delivery_.run = [](run_node* n) noexcept { static_cast<delivery*>(n)->of->owner_->delivered(); };
}

void completion_state::add_handle() noexcept {
    references_.fetch_add(1, std::memory_order_relaxed);
    handles_.fetch_add(1, std::memory_order_relaxed);
}

void completion_state::drop_handle() noexcept {
    if (handles_.fetch_sub(1, std::memory_order_acq_rel) == 1 && claim()) {
        store(std::make_exception_ptr(
            error(errc::closed, "weir: the callback of a completion was dropped without an answer")));
    }
    release();
}

void completion_state::release() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void completion_state::publish() noexcept {
    // Posted under the lock: the completion's destructor then either comes first, and nobody touches the loop, or finds
    // the node posted and takes it back.
    const std::lock_guard hold(lock_);
    if (owner_ != nullptr) owner_->home_.post(delivery_);
}

bool completion_state::abandoned() noexcept {
    const std::lock_guard hold(lock_);
    return owner_ == nullptr;
}

completion_base::completion_base(run_loop& loop, completion_state& state) noexcept
    : leaf_wait("completion", [](leaf_wait&) noexcept {}), home_(loop), state_(state) {
    state_.owner_ = this;
}

completion_base::~completion_base() {
    {
        const std::lock_guard hold(state_.lock_);
        state_.owner_ = nullptr;
    }
    home_.withdraw(state_.delivery_);
    settle_account();
    state_.release();
}

void completion_base::handle_given() noexcept {
    if (counted_ || has_come_) return;
    counted_ = true;
    home_.external_begin();
}

void completion_base::settle_account() noexcept {
    if (!counted_) return;
    counted_ = false;
    home_.external_end();
}

void completion_base::delivered() noexcept {
    settle_account();
    has_come_ = true;
    if (!waiting()) return;
    run_node& self = *this;
    self.run(&self);  // already in a turn of its own: no need to queue again
}

bool completion_base::await_ready() {
    if (taken_ || waiting()) throw error(errc::already_waited, "weir: a completion can be awaited only once");
    prepare();
    if (&loop() != &home_)
        throw error(errc::misuse, "weir: a completion was awaited on another loop than its own");
    return has_come_;
}

void completion_base::check_outcome() {
    check();
    taken_ = true;
}

}  // namespace weir::detail
