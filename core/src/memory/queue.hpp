#pragma once
#include <weir/broker/feed.hpp>
#include <weir/broker/outgoing.hpp>
#include <weir/dispatch/intake.hpp>
#include <weir/memory/broker.hpp>

#include <mutex>
#include <vector>

namespace weir::memory {

class hub;
class queue;

/// One subscription's end of a queue: what it has gathered to hand in, and what it holds for later. On the
/// subscription's own thread, except where the queue's lock is said to be held.
class consumer {
public:
    consumer(hub& owner, queue& q, intake& to);
    consumer(const consumer&) = delete;
    consumer& operator=(const consumer&) = delete;
    ~consumer();
    static const feed_table table;
    intake& to() const noexcept { return to_; }
    queue& of() const noexcept { return queue_; }

private:
    friend class queue;
    struct held {
        nanos when;
        record what;
        bool operator<(const held& o) const noexcept { return when > o.when; }  // a min-heap
    };
    struct alarm : timer {
        consumer* of;
    };
    unsigned fill(record* out, unsigned max) noexcept;
    void settled(unsigned n) noexcept;
    void again(const record& r, nanos delay) noexcept;
    void due() noexcept;

    hub& owner_;
    queue& queue_;
    intake& to_;
    std::atomic<unsigned> gathered_{0};  // one writer; read by whoever counts
    std::vector<held> held_;
    alarm alarm_;
    bool armed_ = false;  // the queue's lock: fill answered 0 and nobody has woken it since
    std::atomic<bool> stopped_{false};
};

/// The waits of a whole connection, so that a cycle of full queues can be told from one that drains.
struct wait_graph {
    std::mutex mutex;
    std::uint64_t search = 0;  // the number of the last one, so that it looks at every queue once
};

/// The bounded queue of a subscription, or of a group of them that compete. A message holds its place from publish
/// until it is settled, so a redelivery always fits.
class queue {
public:
    queue(const routed_subscription& s, route_rule rule, const options& o, wait_graph& waits);
    ~queue();
    queue(const queue&) = delete;
    queue& operator=(const queue&) = delete;

    const std::string& name() const noexcept { return name_; }
    const std::string& group() const noexcept { return group_; }
    bool reached_by(std::string_view destination) const noexcept {
        return rule_(destination, {name_, group_, pattern_});
    }
    bool is_pattern() const noexcept { return pattern_; }

    // ---- with the lock held
    mutable std::mutex mutex;
    bool full() const noexcept;
    /// Makes room as when_full::drop_oldest says. False: all of it is with handlers, so it is the new one that goes. Either
    /// way one message is counted.
    bool drop_oldest() noexcept;
    void push(block* body, std::uint32_t size) noexcept;
    enum class wait_answer : unsigned char { listed, room, hopeless };
    /// Lists `who` as waiting for room here, unless some has been made meanwhile, or nobody would ever make any.
    wait_answer wait_for_room(publish_waiter& who);
    /// If there is room, the next one who waits may have it: whoever was woken for it does not use it.
    void pass_on() noexcept;
    /// Somebody who was to be woken, or has been, does not want any more.
    void forget(publish_waiter& who) noexcept;
    /// The consumer takes no more; whoever waits for room looks again whether anybody is left to make it.
    void stop(consumer& c) noexcept;

    // ---- without
    std::uint64_t used() const noexcept;
    bool closed() const noexcept { return closed_; }  // the lock is held
    std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }
    consumer& add(hub& owner, intake& to);
    /// True if it was the last one; then what is left in the queue is dropped.
    bool remove(consumer& c) noexcept;
    void close() noexcept;

private:
    friend class consumer;
    struct entry {
        block* body;
        std::uint32_t size, attempt;
        std::uint64_t id;
    };
    void put(const entry& e) noexcept;
    void put_first(const entry& e) noexcept;
    void grow();
    void wake_one() noexcept;
    void hand_in(consumer& c) noexcept;
    void let_in(unsigned n) noexcept;
    bool hopeless() noexcept;
    unsigned places() const noexcept;  // in use; also with only the lock of the wait graph held
    void use(unsigned n) noexcept;
    void give_up(unsigned n) noexcept;

    std::string name_, group_;
    bool pattern_;
    route_rule rule_;
    unsigned capacity_;
    wait_graph& waits_;
    std::vector<entry> ring_;
    std::uint64_t read_ = 0, write_ = 0;  // positions that only grow; put_first goes back
    std::atomic<unsigned> used_{0};       // written with the lock held
    std::uint64_t ids_ = 0;
    std::vector<std::unique_ptr<consumer>> consumers_;  // changed with waits_.mutex held as well
    std::size_t next_woken_ = 0;
    publish_waiter* first_waiting_ = nullptr;
    publish_waiter** last_waiting_ = &first_waiting_;
    std::atomic<bool> crowded_{false};
    std::atomic<std::uint64_t> dropped_{0};
    std::uint64_t visited_ = 0;  // waits_.mutex: the last search that came by
    bool closed_ = false;
};

}  // namespace weir::memory
