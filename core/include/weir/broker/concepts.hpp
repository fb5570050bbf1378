#pragma once
#include <weir/broker/feed.hpp>
#include <weir/broker/outgoing.hpp>
#include <weir/broker/subscribe_request.hpp>
#include <weir/log.hpp>
#include <weir/runtime/task.hpp>

#include <concepts>

namespace weir {

/// What a broker is given to connect with.
struct connect_context {
    run_loop& home;  ///< the loop that the connection lives on; its own background tasks run here
    logger log;
};

/// A live connection. `subscribe` opens one subscription by name; a broker with descriptors has an overload for each:
/// `task<feed> subscribe(const descriptor&, const subscribe_request&)`. `publishes` is the publisher of this connection.
/// `shutdown` flushes what was published and settled, wakes whoever waits to publish, and ends everything; handles that
/// outlive it answer `publish_status::closed`.
template <class C>
concept broker_connection = requires(C& c, const subscribe_request& r) {
    { c.subscribe(r) } -> std::same_as<task<feed>>;
    { c.publishes() } -> std::same_as<publish_port>;
    { std::move(c).shutdown() } -> std::same_as<task<void>>;
};

/// Settings of a broker: no I/O until `connect`, which consumes them. A broker that is not connected has no `publish`, so
/// there is nothing to misuse.
template <class B>
concept broker = std::movable<B> && requires(B b, connect_context c) {
    { B::scheme } -> std::convertible_to<std::string_view>;  // "memory", "pulsar"; for logs and documents
    { B::capabilities } -> std::convertible_to<unsigned>;    // of capability
    typename B::connection;
    requires broker_connection<typename B::connection>;
    { std::move(b).connect(c) } -> std::same_as<task<std::unique_ptr<typename B::connection>>>;
};

}  // namespace weir
