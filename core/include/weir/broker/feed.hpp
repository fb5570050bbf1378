#pragma once
#include <weir/broker/record.hpp>
#include <weir/runtime/clock.hpp>

#include <string>

namespace weir {

/// What a broker's subscriptions can do; a broker states them as `static constexpr unsigned capabilities`.
enum capability : unsigned {
    can_delay = 1,        ///< `nack_after` exists: the broker holds a message back by itself
    can_replay = 2,       ///< a subscription may start in the past
    can_key = 4,          ///< messages carry a partition key
    counts_attempts = 8,  ///< `record::attempt` is the broker's own count
};

/// How a broker took a verdict. None of them is an exception: the message stays the broker's, and the core logs what is
/// not `done`.
enum class settle_status : unsigned char {
    done,
    unsupported,  ///< the transport has no such verdict (a plain file has no nack)
    closed,       ///< the connection is gone; the broker will deliver the message again if it ever does
    failed,       ///< refused by the server
};

/// The subscriber of one subscription, as the core sees it: one table, shared by all subscriptions of the broker, and
/// the `self` that stands beside it in `feed`. Everything is called on the subscription's own thread only, except where a
/// broker is closed. Nothing throws.
struct feed_table {
    /// Writes up to `max` deliveries, in order, and says how many. 0: nothing now, and `intake::wake` is called once there
    /// is something. A short answer is no promise that there is nothing more.
    unsigned (*fill)(void* self, record* out, unsigned max);
    /// A run of deliveries, in the order in which they were filled. Later verdicts may overtake earlier deliveries.
    settle_status (*ack)(void* self, const record* first, unsigned n);
    /// Deliver it again; it counts as one more attempt.
    settle_status (*nack)(void* self, const record&);
    /// Deliver it again, not sooner than `delay` from now. Null without `can_delay`.
    settle_status (*nack_after)(void* self, const record&, nanos delay);
    /// The broker's own rule for hopeless messages: its dead letters, or drop.
    settle_status (*reject)(void* self, const record&, std::string_view why);
    /// Will not be settled, because the subscription ends. One that never reached a handler is handed out again as if it had
    /// not been filled; one that was `started` is treated as any unsettled delivery. The core gives records back from the
    /// last to the first.
    void (*give_back)(void* self, const record&, bool started);
    /// The broker's name of this message, for logs: "memory message 17", "12:3:-1".
    std::string (*describe)(void* self, const record&);
    /// The partition key; lives as long as the record. Null without `can_key`.
    std::string_view (*partition_key)(void* self, const record&);
    /// No more `fill`; what is settled until `close` still counts. Then everything unsettled is the broker's again.
    void (*stop)(void* self);
    void (*close)(void* self);
};

struct feed {
    void* self = nullptr;
    const feed_table* table = nullptr;
};

}  // namespace weir
