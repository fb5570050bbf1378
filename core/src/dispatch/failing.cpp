#include <weir/dispatch/slot.hpp>
#include <weir/dispatch/subscription_base.hpp>
#include <weir/error.hpp>

#include <algorithm>

// What a failure becomes: exceptions and undecodable payloads, under the policies of the subscription.
namespace weir {

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

}  // namespace weir
