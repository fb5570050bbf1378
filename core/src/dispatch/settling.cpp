#include <weir/dispatch/slot.hpp>
#include <weir/dispatch/subscription_base.hpp>
#include <weir/error.hpp>

#include <algorithm>

// What becomes of a delivery: the outcome of its handler, turned into steps, and the steps carried out.
namespace weir {

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

}  // namespace weir
