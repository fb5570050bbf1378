#pragma once
#include <weir/broker/concepts.hpp>
#include <weir/broker/in_process.hpp>
#include <weir/memory/subject.hpp>

#include <string>

namespace weir::memory {

class hub;
class connection;

/// What a publisher meets when a subscription's queue is full.
enum class when_full : unsigned char {
    wait,         ///< until there is room; what nobody could ever drain answers queue_full
    fail,         ///< queue_full at once
    drop_oldest,  ///< the oldest message that is still in the queue goes, and is counted
};

struct options {
    unsigned capacity = 16'384;  ///< messages of one queue: waiting, unsettled, or held for later
    when_full full = when_full::wait;
    std::size_t max_payload = 256 << 20;  ///< bytes
    unsigned max_topics =
        65'536;  ///< names that have been published to, so that made-up names cannot fill the memory
};

/// The in-process broker: fan-out to every subscription of a name or a matching pattern, bounded queues, redelivery
/// with counts and delays. A real broker for services of one process, and what tests use in place of a server. A message
/// goes to the subscriptions that are open when it is published; nothing is kept for later ones.
class broker {
public:
    static constexpr std::string_view scheme = "memory";
    static constexpr unsigned capabilities = can_delay | can_key | counts_attempts;
    using connection = memory::connection;

    broker() = default;
    explicit broker(options o) : options_(o) {}
    /// Throws weir::error (misuse) for options that make no sense.
    task<std::unique_ptr<memory::connection>> connect(connect_context c) &&;

private:
    options options_;
};

/// A subscription with more to say than its name.
class subscription {
public:
    using broker = memory::broker;
    explicit subscription(std::string name) : name_(std::move(name)) {}
    /// Subscriptions of one group compete: every message goes to one of them. Without a group each gets all.
    subscription group(std::string g) && {
        group_ = std::move(g);
        return std::move(*this);
    }
    const std::string& name() const noexcept { return name_; }
    const std::string& group() const noexcept { return group_; }

private:
    std::string name_, group_;
};

/// A subscription to all names that match: "orders.*", "orders.>". `*` stands for one token between dots, `>` for all that
/// follow.
class pattern {
public:
    using broker = memory::broker;
    explicit pattern(std::string text) : text_(std::move(text)) {}
    pattern group(std::string g) && {
        group_ = std::move(g);
        return std::move(*this);
    }
    const std::string& name() const noexcept { return text_; }
    const std::string& group() const noexcept { return group_; }

private:
    std::string text_, group_;
};

}  // namespace weir::memory

template <> struct weir::in_process_routes<weir::memory::broker> {
    template <class Descriptor> static routed_subscription of(const Descriptor& d) noexcept {
        return {d.name(), d.group(), std::is_same_v<Descriptor, weir::memory::pattern>};
    }
    static bool reaches(std::string_view destination, const routed_subscription& s) noexcept {
        return s.pattern ? memory::matches(s.name, destination) : s.name == destination;
    }
};

namespace weir::memory {

/// What has happened in a connection so far. Any thread.
struct counters {
    std::uint64_t published = 0;  ///< messages taken, each counted once
    std::uint64_t unrouted = 0;   ///< of these, nobody was subscribed to
    std::uint64_t dropped = 0;    ///< by when_full::drop_oldest
    std::uint64_t in_queues = 0;  ///< waiting, unsettled or held for later, now
};

class connection {
public:
    /// `rule` decides which subscriptions a message reaches; another broker's rule makes this its in-process form.
    explicit connection(const options& o, logger log,
                        route_rule rule = &in_process_routes<memory::broker>::reaches);
    ~connection();
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    task<feed> subscribe(const subscribe_request& r);
    task<feed> subscribe(const memory::subscription& s, const subscribe_request& r);
    task<feed> subscribe(const pattern& p, const subscribe_request& r);
    /// As the rule of the connection understands it; the names are not looked at.
    task<feed> subscribe(routed_subscription s, const subscribe_request& r);
    publish_port publishes() noexcept;
    task<void> shutdown() &&;
    memory::counters counters() const;

private:
    std::unique_ptr<hub> hub_;
};

}  // namespace weir::memory
