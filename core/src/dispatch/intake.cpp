#include <weir/dispatch/intake.hpp>
#include <weir/dispatch/subscription_base.hpp>

namespace weir {

intake::intake(subscription_base& of, run_loop& home) noexcept : of_(of), home_(home) {
    knock_.of = this;
    knock_.run = [](run_node* n) noexcept {
        intake& in = *static_cast<knock_node*>(n)->of;
        in.knocked_.store(false, std::memory_order_release);
        in.open();
    };
}

intake::~intake() {
    if (knocked_.load(std::memory_order_acquire)) home_.withdraw(knock_);
}

std::string_view intake::subscription() const noexcept { return of_.name(); }

void intake::knock_from_outside() noexcept {
    if (!knocked_.exchange(true, std::memory_order_acq_rel)) home_.post(knock_);
}

void intake::park(slot& s) noexcept {
    s.next_parked = parked_;
    parked_ = &s;
}

void intake::open() noexcept {
    if (slot* s = parked_) {
        parked_ = s->next_parked;
        home_.push(*s);
    }
}

void intake::settle_run(unsigned end) noexcept {
    const record* first = records.get() + acked;
    const unsigned n = end - acked;
    const settle_status s = from.table->ack(from.self, first, n);
    for (unsigned i = 0; i != n; ++i) release(first[i].owner);
    of_.acked_.add(n);
    acked = end;
    if (s != settle_status::done) [[unlikely]]
        of_.report(s, "acknowledge", *first);
}

void intake::settle_held(unsigned end) noexcept {
    settle_run(end);
    hold_until = coarse_ticks() + hold;
}

void intake::stop() noexcept {
    if (std::exchange(stopped_, true)) return;
    if (from.table == nullptr) return;
    while (count != position)
        from.table->give_back(from.self, records[--count], false), release(records[count].owner);
    from.table->stop(from.self);
}

}  // namespace weir
