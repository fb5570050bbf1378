#pragma once
#include <weir/outcome.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace weir {

/// How long a message that failed waits before its next delivery.
struct backoff_policy {
    nanos first{};
    nanos cap{};
    bool grows = false;
    /// The wait after `attempt` failed attempts (1 or more). Growing ones use full jitter: a time drawn evenly between
    /// nothing and min(cap, first * 2^(attempt-1)); `random` is the draw.
    nanos after(unsigned attempt, std::uint64_t random) const noexcept;
};
/// Always the same wait.
constexpr backoff_policy constant(nanos wait) noexcept { return {wait, wait, false}; }
/// Doubles from `first` up to `cap`, with full jitter.
constexpr backoff_policy exponential(nanos first, nanos cap) noexcept { return {first, cap, true}; }

/// What a policy does with a message: one of the words `ack`, `retry`, `discard`, `fail_fast`, or `retry_in(d)`,
/// `reject("why")`. `fail_fast` leaves the message unsettled and stops the application.
struct failure_action {
    enum class kind : unsigned char { acknowledge, try_again, turn_down, drop, stop_application };
    kind what;
    nanos delay{-1};  ///< of a retry; negative: the backoff decides

    constexpr failure_action(kind k) noexcept : what(k) {}
    constexpr failure_action(detail::outcome_word w) noexcept : what(from(w.what)) {}
    failure_action(const outcome& o) noexcept : what(from(o.what())), delay(o.delay()) {}

private:
    static constexpr kind from(outcome::verdict v) noexcept {
        switch (v) {
        case outcome::verdict::ack: return kind::acknowledge;
        case outcome::verdict::retry: return kind::try_again;
        case outcome::verdict::reject: return kind::turn_down;
        case outcome::verdict::discard: return kind::drop;
        }
        return kind::turn_down;
    }
};
/// For `on_failure`: log, leave the message unsettled, stop the application; `run()` then throws.
inline constexpr failure_action fail_fast{failure_action::kind::stop_application};

}  // namespace weir
