// Who waits for room is never forgotten, and a wait that nothing could ever end is refused.
#include "support/service.hpp"

#include <weir/runtime/task_group.hpp>

namespace weir::test {
namespace {

inline constexpr topic<order> own{"own"};

task<void> publish_to(publisher p, std::string_view where, int id, journal& j) {
    order o{id};
    co_await p.publish(where, o);
    j.add(std::to_string(id));
}

struct two_gates {
    gate first, second;
};

/// Queues of one place each: what is published to "ab" needs a place in a and in b, to "a" only one in a.
struct reaches_by_letter {
    static bool of(std::string_view destination, const routed_subscription& s) noexcept {
        return destination.find(s.name) != std::string_view::npos;
    }
};
struct lettered_broker {
    static constexpr std::string_view scheme = "lettered";
    static constexpr unsigned capabilities = memory::broker::capabilities;
    using connection = memory::connection;
    task<std::unique_ptr<connection>> connect(connect_context c) && {
        auto made = std::make_unique<memory::connection>(memory::options{.capacity = 1}, c.log,
                                                         &reaches_by_letter::of);
        co_return made;
    }
};

TEST(standstill, of_one_who_waits_for_two_queues_leaves_the_place_in_the_first_to_the_next) {
    journal j;
    two_gates gates;
    driven s;
    auto& lettered = s.app.use(lettered_broker{});
    s.app.provide(gates).provide(j);
    lettered.subscribe("a", [](const order&, two_gates& g) -> task<void> { co_await g.first.open.wait(); });
    lettered.subscribe("b", [](const order&, two_gates& g) -> task<void> { co_await g.second.open.wait(); });
    s.start();
    const publisher p = lettered.publisher();
    const auto fill = [&](std::string_view where) {
        EXPECT_EQ(p.publish(where, order{0}).try_now(), std::error_code{});
        s.run();
    };
    // Both queues in the order in which they are locked may come first, so both ways round.
    for (const std::string_view other : {"a", "b"}) {
        gates.first.open.reset(), gates.second.open.reset();
        fill("a"), fill("b");
        gate& quick = other == "a" ? gates.first : gates.second;
        gate& slow = other == "a" ? gates.second : gates.first;
        auto both = std::make_unique<task_group>(s.running->first_loop());
        both->spawn(publish_to(p, "ab", 1, j));
        s.run();
        task_group one(s.running->first_loop());
        one.spawn(publish_to(p, other, 2, j));
        s.run();
        quick.open.set();
        s.run();
        EXPECT_EQ(j.joined(), "2") << "there is room in " << other;
        both.reset();
        slow.open.set();
        s.run();
        j.lines.clear();
    }
}

TEST(standstill,
     of_a_slot_whose_queue_holds_nothing_but_its_message_is_refused_although_other_slots_are_idle) {
    service s({.capacity = 1});
    s.memory.subscribe(
        "own",
        [](const order& o, out<own> to) -> task<void> {
            co_await sleep_for(0s);
            to.publish({o.id});
        },
        workers(4), retries{.attempts = 2, .backoff = constant(1s), .dead_letter = "dead"});
    std::vector<int> dead;
    s.memory.subscribe("dead", [&dead](const order& o) { dead.push_back(o.id); });
    s.start();
    s.send("own", order_json(7));
    s.advance(1s);
    EXPECT_EQ(dead, std::vector<int>{7}) << s.log.dump();
}

TEST(standstill, of_two_slots_whose_queue_holds_nothing_but_their_messages_is_refused_to_one_of_them) {
    service s({.capacity = 2});
    s.memory.subscribe(
        "own",
        [](const order& o, out<own> to) -> task<void> {
            co_await sleep_for(0s);
            if (o.id > 1) to.publish({o.id - 1});
        },
        workers(4), retries{.attempts = 2, .backoff = constant(1s), .dead_letter = "dead"});
    int dead = 0;
    s.memory.subscribe("dead", [&dead](const order&) { ++dead; });
    s.start();
    s.send_orders("own", 5, 6);
    for (int i = 0; i != 20; ++i) s.advance(1s);
    EXPECT_EQ(s.memory.connection().counters().in_queues, 0u) << s.log.dump();
    EXPECT_GE(dead, 1);
}

TEST(standstill, of_a_group_whose_other_member_is_idle_is_refused) {
    service s({.capacity = 1});
    std::vector<int> dead;
    for (int member = 0; member != 2; ++member)
        s.memory.subscribe(
            memory::subscription("own").group("g"), [](const order& o, out<own> to) { to.publish({o.id}); },
            retries{.attempts = 2, .backoff = constant(1s), .dead_letter = "dead"});
    s.memory.subscribe("dead", [&dead](const order& o) { dead.push_back(o.id); });
    s.start();
    s.send("own", order_json(7));
    for (int i = 0; i != 5; ++i) s.advance(1s);
    EXPECT_EQ(dead, std::vector<int>{7}) << s.log.dump();
}

TEST(standstill, is_not_what_an_idle_slot_sees_that_can_still_take_something) {
    gate g;
    service s({.capacity = 2});
    s.app.provide(g);
    s.memory.subscribe(
        "own",
        [](const order& o, gate& here, out<own> to) -> task<void> {
            if (o.id == 2) co_await here.open.wait();
            else if (o.id == 1) to.publish({3});
        },
        workers(4));
    s.start();
    s.send("own", order_json(2));
    s.send("own", order_json(1));
    EXPECT_EQ(s.log.count("publishing failed, the message will be tried again"), 0u)
        << "the other one will end";
    g.open.set();
    s.run();
    EXPECT_EQ(s.counters("own").acked, 3u);
}

TEST(full_queues_that_drop, lose_a_message_only_where_there_is_no_room) {
    gate g;
    int quick = 0;
    service s({.capacity = 1, .full = memory::when_full::drop_oldest});
    s.app.provide(g);
    s.memory.subscribe("in", [](const order&, gate& here) -> task<void> { co_await here.open.wait(); });
    s.memory.subscribe("in", [&quick](const order&) { ++quick; });
    s.start();
    s.send("in", order_json(1));
    s.send("in", order_json(2));
    EXPECT_EQ(quick, 2) << "its queue was empty";
    EXPECT_EQ(s.memory.connection().counters().dropped, 1u);
}

TEST(delayed_redelivery, by_the_longest_time_there_is_waits_for_ever) {
    service s;
    int calls = 0;
    s.memory.subscribe("in", [&calls](const order&) -> outcome {
        ++calls;
        return retry_in(nanos::max());
    });
    s.start();
    s.advance(1h);
    s.send("in", order_json(1));
    s.advance(1h);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(s.memory.connection().counters().in_queues, 1u);
}

}  // namespace
}  // namespace weir::test
