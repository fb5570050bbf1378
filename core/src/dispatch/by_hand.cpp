#include <weir/dispatch/delivery_link.hpp>
#include <weir/dispatch/slot.hpp>
#include <weir/dispatch/subscription_base.hpp>
#include <weir/error.hpp>

#include <utility>

// Deliveries that their handler settles itself.
namespace weir {

void slot::settle_by_hand(outcome&& o) {
    settled_by_hand = true;
    if (stop.stop_requested()) [[unlikely]] {  // the drain's deadline has passed: nothing is settled any more
        deferred_ = true;                      // `give_up` follows, when the handler ends
        return;
    }
    plan(std::move(o), cause::verdict);
    if (outbox_.empty()) apply_verdicts();
    else deferred_ = true;  // what was published goes first, and may have to wait
}

/// The handler has ended: a delivery that it has put away somewhere must not settle the next message.
void slot::expire_delivery() noexcept {
    if (manual != nullptr) std::exchange(manual, nullptr)->expire();
}

void slot::give_up() noexcept {
    expire_delivery();
    settled_by_hand = deferred_ = false;
    drop_outbox();
    leave_unsettled();
}

bool slot::finish_by_hand() {
    expire_delivery();
    settled_by_hand = false;
    if (std::exchange(deferred_, false)) return leave();
    end_delivery();
    return true;
}

bool slot::unsettled_by_hand() {
    expire_delivery();
    last_error_ = "the handler returned without settling its delivery";
    sub.exceptions_.add(1);
    sub.log().error("handler failed",
                    {{"subscription", sub.name()}, {"message", sub.describe(*now)}, {"error", last_error_}});
    return settle_by_policy();
}

namespace detail {

delivery_link::delivery_link(slot& s) noexcept : slot_(&s) { s.manual = this; }
delivery_link::delivery_link(delivery_link&& o) noexcept : slot_(std::exchange(o.slot_, nullptr)) {
    if (slot_ != nullptr) slot_->manual = this;
}
delivery_link::~delivery_link() {
    if (slot_ != nullptr) slot_->manual = nullptr;
}
void delivery_link::settle(outcome&& o) {
    slot* s = std::exchange(slot_, nullptr);
    if (s == nullptr)
        throw error(errc::misuse,
                    "weir: this delivery has been settled, moved from, or outlived its handler");
    s->manual = nullptr;
    s->settle_by_hand(std::move(o));
}

}  // namespace detail
}  // namespace weir
