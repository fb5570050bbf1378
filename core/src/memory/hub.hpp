#pragma once
#include "queue.hpp"

#include <weir/log.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::memory {

/// Topics by name, and the queues that each of them reaches. Publishing looks at an immutable snapshot, so it takes no
/// lock but those of the queues.
class hub {
public:
    hub(const options& o, logger log, route_rule rule) : options_(o), log_(log), rule_(rule) {}
    ~hub();
    hub(const hub&) = delete;
    hub& operator=(const hub&) = delete;

    /// Throws weir::error for what is no name, or no pattern, of the memory broker.
    static void check_name(std::string_view name, bool is_pattern);
    feed subscribe(const routed_subscription& s, intake& to);
    void closed(consumer& c) noexcept;
    publish_port publishes() noexcept { return {this, &table}; }
    void shutdown() noexcept;
    memory::counters counters() const;

private:
    using routes = std::vector<queue*>;  // in the order of their addresses: the order of locking
    struct topic_entry {
        std::string name;
        std::atomic<const routes*> to{nullptr};
        std::atomic<bool> unread_said{false};
    };
    static const publish_table table;
    void* open(std::string_view name);
    publish_status publish(topic_entry& t, const outgoing& o, publish_waiter* who,
                           bool wait_for_room) noexcept;
    void abandon(publish_waiter& who) noexcept;
    void reroute(topic_entry& t);
    void unread(topic_entry& t) noexcept;

    const options options_;
    const logger log_;
    const route_rule rule_;
    mutable std::mutex mutex_;
    wait_graph waits_;
    std::unordered_map<std::string_view, std::unique_ptr<topic_entry>> topics_;
    std::vector<std::unique_ptr<queue>> queues_;
    std::vector<std::unique_ptr<const routes>>
        snapshots_;                                // also the old ones: a publisher may still look at them
    std::vector<std::unique_ptr<queue>> retired_;  // likewise
    std::atomic<bool> closed_{false};
    std::atomic<std::uint64_t> published_{0}, unrouted_{0};
};

}  // namespace weir::memory
