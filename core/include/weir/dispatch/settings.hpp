#pragma once
#include <weir/retries.hpp>

#include <cstddef>
#include <string>

namespace weir {

/// What the options of one subscription say, once they have been looked at. Read by the core and, in `subscribe`, by
/// the broker.
struct settings {
    unsigned batch = 0;  ///< messages in one call; counts only where `batch_given`
    bool batch_given = false;
    unsigned workers = 1;  ///< slots
    /// Deliveries taken and not settled, at most; set when the subscription opens, if it is not named.
    unsigned prefetch = 0;
    bool prefetch_given = false;
    std::size_t outbox = 16 << 20;  ///< bytes that one delivery may publish
    bool retries_declared = false;
    backoff_policy backoff = exponential(std::chrono::milliseconds{100}, std::chrono::seconds{30});
    unsigned attempts = 5;
    std::string dead_letter;  ///< empty: none
    std::string reply_to;     ///< empty: the handler does not reply
    failure_action on_undecodable{failure_action::kind::turn_down};
    failure_action on_exception{failure_action::kind::try_again};
    failure_action on_exhausted{failure_action::kind::turn_down};
    unsigned needs = 0;  ///< capabilities without which the options make no sense
};

}  // namespace weir
