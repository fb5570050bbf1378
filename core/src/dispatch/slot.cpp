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

// ---------------------------------------------------------------- verdicts

bool slot::settle(outcome&& o, cause why) {
    if (taken == 1 && outbox_.empty() && !o.has_continuation()) return settle_alone(std::move(o), why);
    plan(std::move(o), why);
    return leave();
}

/// One message, nothing to publish, nothing to run afterwards: what a retry nearly always is.
bool slot::settle_alone(outcome&& o, cause why) {
    if (why == cause::verdict) last_error_.clear();
    steps_.clear();  // of an acknowledgement whose outbox could not leave
    outcomes_.clear();
    reasons_.clear();
    const step s = resolve(*now, o, why);
    if (!outbox_.empty()) {  // a dead letter goes first
        steps_.assign(1, s);
        outcomes_.push_back(std::move(o));
        return leave();
    }
    if (!shared && in.acked != index()) in.settle_run(index());
    settle_one(s, *now);
    release(now->owner);
    if (shared) --in.copied;
    else in.acked = index() + 1;
    return true;
}

void slot::plan(outcome&& o, cause why) {
    if (o.what() != outcome::verdict::ack) drop_outbox();
    if (why == cause::verdict) last_error_.clear();  // it was another message's
    steps_.clear();
    outcomes_.clear();
    reasons_.clear();
    for (unsigned i = 0; i != taken; ++i) steps_.push_back(resolve(now[i], o, why));
    outcomes_.push_back(std::move(o));
}

bool slot::settle(std::vector<outcome>&& each) {
    if (each.size() != taken) {
        last_error_ = "the handler returned " + std::to_string(each.size()) + " outcomes for " +
                      std::to_string(taken) + " messages";
        sub.exceptions_.add(1);
        sub.log().error("batch handler failed", {{"subscription", sub.name()}, {"error", last_error_}});
        return settle_by_policy();
    }
    if (std::ranges::none_of(each, [](const outcome& o) { return o.what() == outcome::verdict::ack; }))
        drop_outbox();
    last_error_.clear();
    steps_.clear();
    reasons_.clear();
    for (unsigned i = 0; i != taken; ++i) steps_.push_back(resolve(now[i], each[i], cause::verdict));
    outcomes_ = std::move(each);
    return leave();
}

slot::step slot::resolve(record& r, const outcome& o, cause why) {
    switch (o.what()) {
    case outcome::verdict::ack:
    case outcome::verdict::discard: return {step::kind::acknowledge, {}};
    case outcome::verdict::reject: return turn_down(r, o.why());
    case outcome::verdict::retry: break;
    }
    const settings& set = sub.options();
    const unsigned attempt = std::max(r.attempt, 1u);
    if ((set.retries_declared || why != cause::verdict) && attempt >= set.attempts)
        return resolve_exhausted(r);
    sub.retried_.add(1);
    if (!set.dead_letter.empty()) sub.note_failure(r.id);
    return {step::kind::again, o.delay() >= nanos{} ? o.delay() : set.backoff.after(attempt, sub.random())};
}

slot::step slot::resolve_exhausted(record& r) {
    const std::string reason =
        "attempts exhausted" + (last_error_.empty() ? "" : ", the last one: " + last_error_);
    const failure_action& action = sub.options().on_exhausted;
    switch (action.what) {
    case failure_action::kind::turn_down: return turn_down(r, reason);
    case failure_action::kind::try_again:
        sub.retried_.add(1);
        return {step::kind::again, action.delay >= nanos{} ? action.delay : sub.options().backoff.cap};
    case failure_action::kind::stop_application: return stop_application(r, reason);
    case failure_action::kind::acknowledge:
    case failure_action::kind::drop: break;
    }
    sub.log().warning("message dropped",
                      {{"subscription", sub.name()}, {"message", sub.describe(r)}, {"reason", reason}});
    return {step::kind::acknowledge, {}};
}

slot::step slot::stop_application(const record& r, std::string_view reason) {
    in.stop();
    sub.host().fail_fast("subscription '" + sub.name() + "', " + sub.describe(r) + ": " +
                         std::string{reason});
    return {step::kind::leave, {}};
}

slot::step slot::turn_down(record& r, std::string_view reason) {
    sub.rejected_.add(1);
    const std::string& address = sub.options().dead_letter;
    if (sub.log().enabled(log_level::warning))
        sub.log().warning(address.empty() ? "message rejected" : "message goes to the dead letters",
                          {{"subscription", sub.name()},
                           {"message", sub.describe(r)},
                           {"attempts", std::max(r.attempt, 1u)},
                           {"reason", reason}});
    if (address.empty()) {
        reasons_.emplace_back(reason);
        return {step::kind::refuse, {}, reasons_.size() - 1};
    }
    output copy(r.size);
    copy.append({r.data, r.size});
    if (r.head != nullptr) copy.head() = *r.head;
    sub.stamp_dead_letter(copy.head(), r, reason);
    outbox_.push_back({sub.dead_letters_, nullptr, r.size});
    outbox_.back().body = copy.take();
    sub.dead_lettered_.add(1);
    giving_up_ = true;
    return {step::kind::acknowledge, {}};
}

/// What the exception policy says about the failure described in last_error_.
void slot::decide_by_policy() {
    const failure_action& action = sub.options().on_exception;
    leaves_unsettled_ = false;
    switch (action.what) {
    case failure_action::kind::try_again: failure_ = outcome{outcome::verdict::retry, action.delay}; return;
    case failure_action::kind::turn_down: failure_ = reject(last_error_); return;
    case failure_action::kind::stop_application:
        leaves_unsettled_ = true;
        failure_ = outcome{outcome::verdict::retry};
        stop_application(*now, last_error_);
        return;
    case failure_action::kind::acknowledge:
    case failure_action::kind::drop: break;
    }
    failure_ = outcome{outcome::verdict::discard};
}

bool slot::settle_by_policy() {
    decide_by_policy();
    return settle_failure(take_failure());
}

void slot::note_exception() noexcept {
    try {
        bool cancelled = false;
        try {
            throw;
        } catch (const error& e) {
            last_error_ = e.what();
            cancelled = e.code() == errc::cancelled && stop.stop_requested();
        } catch (const std::exception& e) {
            last_error_ = e.what();
        } catch (...) {
            last_error_ = "an exception that is no std::exception";
        }
        if (cancelled && !settled_by_hand) {  // the drain's deadline has passed: it settles nothing more
            leaves_unsettled_ = true;
            return;
        }
        sub.exceptions_.add(1);
        sub.log().error(
            settled_by_hand ? "handler failed after it had settled its message" : "handler failed",
            {{"subscription", sub.name()},
             {"message", sub.describe(*now)},
             {"attempt", std::max(now->attempt, 1u)},
             {"error", last_error_}});
        if (!settled_by_hand) decide_by_policy();
    } catch (...) {
        leaves_unsettled_ = true;
    }  // no memory even to complain: the message stays with the broker
}

bool slot::settle_failure(outcome&& o) noexcept {
    if (settled_by_hand) return finish_by_hand();
    expire_delivery();
    if (std::exchange(leaves_unsettled_, false)) {
        drop_outbox();
        leave_unsettled();
        return true;
    }
    return settle(std::move(o), cause::exception);
}

bool slot::undecodable(std::string_view why) {
    sub.undecodable_.add(1);
    const failure_action& action = sub.options().on_undecodable;
    last_error_ = "undecodable: " + std::string{why};
    switch (action.what) {
    case failure_action::kind::turn_down: return settle(reject(last_error_), cause::undecodable);
    case failure_action::kind::try_again:
        return settle(outcome{outcome::verdict::retry, action.delay}, cause::undecodable);
    case failure_action::kind::stop_application:
        stop_application(*now, last_error_);
        leave_unsettled();
        return true;
    case failure_action::kind::acknowledge:
    case failure_action::kind::drop: break;
    }
    sub.log().warning("undecodable message dropped",
                      {{"subscription", sub.name()}, {"message", sub.describe(*now)}, {"reason", why}});
    return settle(outcome{outcome::verdict::discard}, cause::undecodable);
}

void slot::apply() {
    apply_verdicts();
    end_delivery();
}

void slot::apply_verdicts() {
    if (!shared && in.acked != index()) in.settle_run(index());
    for (unsigned i = 0; i != taken;) {
        unsigned following = i + 1;
        if (steps_[i].what != step::kind::acknowledge) {
            settle_one(steps_[i], now[i]);
        } else {
            while (following != taken && steps_[following].what == step::kind::acknowledge) ++following;
            const settle_status answer = in.from.table->ack(in.from.self, &now[i], following - i);
            sub.acked_.add(following - i);
            if (answer != settle_status::done) sub.report(answer, "acknowledge", now[i]);
        }
        i = following;
    }
}

void slot::settle_one(const step& s, const record& r) {
    const feed& f = in.from;
    settle_status answer = settle_status::done;
    std::string_view verb = "acknowledge";
    switch (s.what) {
    case step::kind::acknowledge:
        answer = f.table->ack(f.self, &r, 1);
        sub.acked_.add(1);
        break;
    case step::kind::again:
        verb = "retry";
        if (s.delay > nanos{} && f.table->nack_after != nullptr)
            answer = f.table->nack_after(f.self, r, s.delay);
        else answer = f.table->nack(f.self, r);
        break;
    case step::kind::refuse:
        verb = "reject";
        answer = f.table->reject(f.self, r, reasons_[s.reason]);
        break;
    case step::kind::leave: f.table->give_back(f.self, r, true); break;
    }
    if (answer != settle_status::done) [[unlikely]]
        sub.report(answer, verb, r);
}

void slot::end_delivery() {
    const bool goes_on = std::ranges::any_of(outcomes_, &outcome::has_continuation);
    if (goes_on) start_continuations();
    else
        for (unsigned i = 0; i != taken; ++i) release(now[i].owner);
    if (shared) in.copied -= taken;
    else in.acked = index() + taken;
    steps_.clear();
    outcomes_.clear();
    reasons_.clear();
}

void slot::leave_unsettled() {
    steps_.assign(taken, {step::kind::leave, {}});
    outcomes_.clear();
    apply();
}

void slot::start_continuations() {
    std::vector<task<void>> all;
    for (outcome& o : outcomes_)
        if (o.has_continuation()) all.push_back(o.take_continuation());
    std::vector<block*> owners;
    for (unsigned i = 0; i != taken; ++i) owners.push_back(now[i].owner);
    sub.continue_with(std::move(all), hand_over_message(), std::move(owners));
}

// ---------------------------------------------------------------- by hand

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

// ---------------------------------------------------------------- delivery<T>

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
