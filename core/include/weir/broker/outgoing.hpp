#pragma once
#include <weir/payload/block.hpp>

#include <string_view>

namespace weir {

/// One message on its way out. `destination` came from `publish_table::open` of the same broker; headers travel in
/// `body->head`. Whoever takes it takes the reference to `body`.
struct outgoing {
    void* destination;
    block* body;
    std::uint32_t size;
};

enum class publish_status : unsigned char {
    done,        ///< all taken, and confirmed as far as the broker confirms at all
    sent,        ///< all taken, not confirmed yet: `wake` follows with the result
    wait,        ///< no room for the rest: `wake` follows, then publish it again
    queue_full,  ///< no room for the rest, and nobody waits: the caller did not want to, or it would never end
    closed,      ///< the connection is gone; the rest was not taken
    too_large,   ///< the first of the rest can never be carried; it was not taken
    failed,      ///< the server refused
};

class intake;

/// Somebody who waits for room or for a confirmation. The broker keeps it in its own lists, calls `wake` once, from any
/// thread, and forgets it; `abandon` (below) takes it out before that.
struct publish_waiter {
    void (*wake)(publish_waiter*) noexcept = nullptr;
    publish_waiter* next = nullptr;
    /// The subscription whose slot waits, so that a broker can tell a cycle from a queue that will drain; null for a
    /// publisher outside any handler.
    intake* from = nullptr;
    /// How many unsettled deliveries of that subscription the slot holds meanwhile.
    unsigned holds = 0;
    /// The broker's own: the queue that is full. Null while it does not wait for room.
    void* queue = nullptr;
    /// The broker's own: what it was woken for, so that `abandon` can pass the place on.
    void* granted = nullptr;
    /// Why it was woken: `done` means "publish the rest again" after `wait`, and "confirmed" after `sent`.
    publish_status result = publish_status::done;
};

/// The publisher of one connection, as the core sees it. Every function may be called from any thread; nothing throws but
/// `open`.
struct publish_table {
    /// Looks a name up once; the pointer is good as long as the connection. Throws weir::error for a name that the broker
    /// cannot publish to.
    void* (*open)(void* self, std::string_view topic);
    /// Takes messages from the first on and says how many in `taken`. `who` is woken when what was `sent` is confirmed, and,
    /// where it may `wait_for_room`, when there is room for the rest; without, a full queue answers `queue_full` at once. With
    /// `who` null nobody is told anything: `done` stands for `sent`.
    publish_status (*publish)(void* self, outgoing* first, unsigned n, unsigned& taken, publish_waiter* who,
                              bool wait_for_room);
    /// `who` will not be woken any more when this returns.
    void (*abandon)(void* self, publish_waiter& who);
};

struct publish_port {
    void* self = nullptr;
    const publish_table* table = nullptr;
};

}  // namespace weir
