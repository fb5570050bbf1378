#include <weir/dispatch/delivery_link.hpp>
#include <weir/dispatch/slot.hpp>
#include <weir/dispatch/subscription_base.hpp>
#include <weir/error.hpp>

#include <algorithm>

namespace weir {

slot::slot(subscription_base& of, intake& from, publish_port port) noexcept : sub(of), in(from), to(port) {
    waiter_.of = this;
    waiter_.from = &from;
    waiter_.wake = [](publish_waiter* w) noexcept {
        slot& s = *static_cast<waiter*>(w)->of;
        if (s.in.home().is_current()) s.in.home().push(s);
        else s.in.home().post(s);
    };
}

slot::~slot() {
    if (waits) to.table->abandon(to.self, waiter_);
    in.home().withdraw(*this);
    if (manual != nullptr) manual->expire();
    drop_outbox();
}

// ---------------------------------------------------------------- publishing

void slot::publish(void* destination, output& encoded) {
    if (settled_by_hand)
        throw error(errc::misuse,
                    "weir: subscription '" + sub.name() +
                        "' publishes after its handler has settled the delivery - publish first");
    const std::size_t size = encoded.size();
    if (size > UINT32_MAX)
        throw error(errc::too_large,
                    "weir: subscription '" + sub.name() + "' publishes a message of more than 4 GiB");
    if (outbox_bytes_ + size > sub.options().outbox)
        throw error(errc::queue_full,
                    "weir: subscription '" + sub.name() + "' publishes more than " +
                        std::to_string(sub.options().outbox) +
                        " bytes for one delivery - publish less, or subscribe with outbox(bytes)");
    outbox_bytes_ += size;
    outbox_.push_back({destination, nullptr, static_cast<std::uint32_t>(size)});
    outbox_.back().body = encoded.take();
}

void slot::drop_outbox() noexcept {
    for (const outgoing& o : outbox_) release(o.body);
    outbox_.clear();
    outbox_bytes_ = 0;
}

bool slot::leave() {
    const auto flush = [this](bool wait_for_room) {
        unsigned taken_now = 0;
        const publish_status s =
            to.table->publish(to.self, outbox_.data(), static_cast<unsigned>(outbox_.size()), taken_now,
                              &waiter_, wait_for_room);
        sub.published_.add(taken_now);
        outbox_.erase(outbox_.begin(), outbox_.begin() + taken_now);
        return s;
    };
    waits = false;
    publish_status s = outbox_.empty() ? publish_status::done : flush(false);
    if (s == publish_status::queue_full) [[unlikely]] {
        suspended();  // the acks held back may be what holds the room, and nothing may be held back while this waits
        waiter_.holds = taken;
        s = flush(true);
    }
    if (s == publish_status::wait || s == publish_status::sent) {
        waits = true;
        confirming_ = s == publish_status::sent;
        if (confirming_) suspended();
        return false;
    }
    return after_flush(s);
}

bool slot::resume_leaving() {
    if (stop.stop_requested()) [[unlikely]] {  // the drain's deadline has passed: nothing is settled any more
        waits = confirming_ = giving_up_ = false;
        give_up();
        return true;
    }
    if (!std::exchange(confirming_, false)) return leave();
    waits = false;
    return after_flush(waiter_.result);
}

bool slot::after_flush(publish_status s) {
    if (s == publish_status::done) [[likely]] {
        outbox_bytes_ = 0;
        giving_up_ = false;
        if (steps_.empty()) keep_run();
        else apply();
        return true;
    }
    drop_outbox();
    const std::string_view why = s == publish_status::queue_full
                                     ? "the destination's queue is full and cannot drain"
                                 : s == publish_status::closed    ? "the connection is closed"
                                 : s == publish_status::too_large ? "a message is too large for the broker"
                                                                  : "the broker refused a message";
    sub.log().warning(giving_up_ ? "dead letter could not be published, the message stays with the broker"
                                 : "publishing failed, the message will be tried again",
                      {{"subscription", sub.name()}, {"message", sub.describe(*now)}, {"cause", why}});
    if (std::exchange(giving_up_, false)) {
        for (step& each : steps_)
            if (each.what == step::kind::acknowledge) each = {step::kind::again, std::chrono::seconds{1}};
        apply();
        return true;
    }
    last_error_ = why;
    return settle(outcome{outcome::verdict::retry}, cause::publishing);
}

// ---------------------------------------------------------------- windows

void slot::suspended() noexcept {
    if (shared) in.open();
    else if (in.acked != index()) in.settle_run(index());
}

bool slot::next_window() noexcept {
    if (std::exchange(fresh, false)) {  // one window, then the others
        if (!shared && in.acked != in.position) in.settle_run(in.position);
        in.home().push(*this);
        return false;
    }
    if (in.stopped()) {
        if (!shared && in.acked != in.position) in.settle_run(in.position);
        sub.host().progress();
        return false;
    }
    if (sub.crowded(*this)) return false;
    if (!in.refill()) {
        in.park(*this);
        return false;
    }
    fresh = true;
    return true;
}

void slot::copy_records() noexcept {
    std::copy(now, now + taken, own_.get());
    now = own_.get();
    in.copied += taken;
    in.acked = in.position;
}

void slot::settle_copies() noexcept {
    const settle_status s = in.from.table->ack(in.from.self, now, taken);
    for (unsigned i = 0; i != taken; ++i) release(now[i].owner);
    sub.acked_.add(taken);
    in.copied -= taken;
    if (s != settle_status::done) [[unlikely]]
        sub.report(s, "acknowledge", *now);
}

}  // namespace weir
