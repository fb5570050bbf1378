// Full queues that wait for each other: what can drain waits, what never can ends.
#include "support/service.hpp"
#include "support/tally.hpp"

namespace weir::test {
namespace {

inline constexpr topic<order> a{"a"};
inline constexpr topic<order> b{"b"};
inline constexpr topic<order> c{"c"};

retries few() { return {.attempts = 3, .backoff = constant(1s), .dead_letter = "dead"}; }

class cycle : public testing::Test {
protected:
    void watch_the_dead(service& s) {
        s.memory.subscribe("dead", [this](const order& o, const headers& h) {
            dead.push_back(std::to_string(o.id) + ": " + std::string{h.get("x-weir-reason")});
        });
    }
    std::vector<std::string> dead;
};
constexpr const char* stuck =
    "attempts exhausted, the last one: the destination's queue is full and cannot drain";

TEST_F(cycle, of_a_handler_that_publishes_to_its_own_full_topic_fails_and_ends) {
    int calls = 0;
    service s({.capacity = 1});
    watch_the_dead(s);
    s.memory.subscribe(
        "a",
        [&calls](const order& o, out<a> to) {
            ++calls;
            to.publish({o.id});
        },
        few());
    s.start();
    s.send("a", order_json(7));
    s.advance(1s);
    s.advance(1s);
    EXPECT_EQ(calls, 3) << s.log.dump();
    EXPECT_EQ(dead, std::vector<std::string>{"7: " + std::string{stuck}});
    EXPECT_EQ(s.log.count("publishing failed, the message will be tried again"), 3u);
    EXPECT_EQ(s.publish("a", order_json(8)), std::error_code{}) << "the queue is free again";
}

TEST_F(cycle, of_a_handler_that_publishes_two_for_each_one_ends_when_the_queue_is_full) {
    service s({.capacity = 8});
    watch_the_dead(s);
    s.memory.subscribe(
        "a",
        [](const order& o, out<a> to) {
            if (o.id > 50) return;
            to.publish({o.id + 1});
            to.publish({o.id + 1});
        },
        few());
    s.start();
    s.send("a", order_json(1));
    for (int i = 0; i != 200; ++i) s.advance(1s);
    EXPECT_FALSE(dead.empty());
    EXPECT_LE(s.memory.connection().counters().in_queues, 8u);
}

TEST_F(cycle, of_a_handler_that_publishes_to_its_own_topic_goes_on_for_ever_where_there_is_room) {
    int calls = 0;
    service s({.capacity = 2});
    s.memory.subscribe("a", [&calls](const order& o, out<a> to) {
        if (++calls < 1000) to.publish({o.id});
    });
    s.start();
    s.send("a", order_json(1));
    EXPECT_EQ(calls, 1000);
}

TEST_F(cycle, of_two_handlers_ends) {
    service s({.capacity = 1});
    watch_the_dead(s);
    s.memory.subscribe("a", [](const order& o, out<b> to) { to.publish({o.id}), to.publish({o.id}); }, few());
    s.memory.subscribe("b", [](const order& o, out<a> to) { to.publish({o.id}), to.publish({o.id}); }, few());
    s.start();
    s.send("a", order_json(1));
    for (int i = 0; i != 50; ++i) s.advance(1s);
    EXPECT_FALSE(dead.empty()) << s.log.dump();
    EXPECT_EQ(dead.front().substr(3), stuck);
    EXPECT_GE(s.log.count("publishing failed, the message will be tried again"), 3u);
}

TEST_F(cycle, through_three_tasks_with_several_slots_ends) {
    service s({.capacity = 2});
    watch_the_dead(s);
    s.memory.subscribe(
        "a",
        [](const order& o, out<b> to) -> task<void> {
            co_await sleep_for(0s);
            to.publish({o.id}), to.publish({o.id});
        },
        workers(2), few());
    s.memory.subscribe(
        "b",
        [](const order& o, out<c> to) -> task<void> {
            co_await sleep_for(0s);
            to.publish({o.id}), to.publish({o.id});
        },
        workers(2), few());
    s.memory.subscribe(
        "c",
        [](const order& o, out<a> to) -> task<void> {
            co_await sleep_for(0s);
            to.publish({o.id}), to.publish({o.id});
        },
        workers(2), few());
    s.start();
    s.send("a", order_json(1));
    for (int i = 0; i != 100; ++i) s.advance(1s);
    EXPECT_FALSE(dead.empty()) << s.log.dump();
    EXPECT_EQ(dead.front().substr(3), stuck);
}

// ---------------------------------------------------------------- no cycles

TEST_F(cycle, is_not_a_chain_that_drains) {
    std::vector<int> arrived;
    service s({.capacity = 1});
    watch_the_dead(s);
    s.memory.subscribe(
        "a", [](const order& o, out<b> to) { to.publish({o.id}), to.publish({o.id + 100}); }, few());
    s.memory.subscribe(
        "b", [](const order& o, out<c> to) { to.publish({o.id}), to.publish({o.id + 1000}); }, few());
    s.memory.subscribe("c", [&arrived](const order& o) { arrived.push_back(o.id); });
    s.start();
    s.send("a", order_json(1));
    EXPECT_EQ(arrived, (std::vector{1, 1001, 101, 1101}));
    EXPECT_TRUE(dead.empty());
    EXPECT_EQ(s.log.count("publishing failed, the message will be tried again"), 0u);
}

TEST_F(cycle, is_not_a_full_queue_whose_handler_waits_for_something_else) {
    gate g;
    service s({.capacity = 1});
    watch_the_dead(s);
    s.app.provide(g);
    s.memory.subscribe("a", [](const order& o, out<b> to) { to.publish({o.id}), to.publish({o.id}); }, few());
    s.memory.subscribe("b", [](const order&, gate& here) -> task<void> { co_await here.open.wait(); });
    s.start();
    s.send("a", order_json(1));
    EXPECT_EQ(s.counters("a").acked, 0u) << "it waits";
    EXPECT_EQ(s.counters("a").retried, 0u);
    g.open.set();
    s.run();
    EXPECT_EQ(s.counters("a").acked, 1u);
    EXPECT_EQ(s.counters("b").acked, 2u);
}

TEST_F(cycle, does_not_keep_a_plain_publisher_outside_from_waiting) {
    service s({.capacity = 1});
    watch_the_dead(s);
    s.memory.subscribe("a", [](const order& o, out<a> to) { to.publish({o.id}); }, few());
    s.start();
    s.send("a", order_json(1));
    EXPECT_EQ(s.publish("a", order_json(2)), errc::queue_full);
    for (int i = 0; i != 2; ++i) s.advance(1s);
    EXPECT_EQ(dead.size(), 1u);
}

// ---------------------------------------------------------------- across threads

TEST(cycle_across_threads, ends) {
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 1}});
    tally dead;
    const retries quick{.attempts = 3, .backoff = constant(0s), .dead_letter = "dead"};
    memory.subscribe("a", [](const order& o, out<b> to) { to.publish({o.id}), to.publish({o.id}); }, quick);
    memory.subscribe("b", [](const order& o, out<a> to) { to.publish({o.id}), to.publish({o.id}); }, quick);
    memory.subscribe("dead", [&dead](const order&) { dead.add(); });
    auto running = app.start();
    for (int i = 0; i != 20; ++i) running.publisher().publish("a", order{i}).wait_for(60s);
    dead.wait_for(20);
    EXPECT_EQ(running.health().state, health_state::running);
}

TEST(cycle_across_threads, is_not_a_chain_that_drains) {
    log_collector log;
    application app({}, {.threads = 3});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 1}});
    tally arrived;
    memory.subscribe("a", [](const order& o, out<b> to) { to.publish({o.id}), to.publish({o.id}); });
    memory.subscribe("b", [](const order& o, out<c> to) { to.publish({o.id}), to.publish({o.id}); });
    memory.subscribe("c", [&arrived](const order&) { arrived.add(); });
    auto running = app.start();
    for (int i = 0; i != 500; ++i) running.publisher().publish("a", order{i}).wait_for(60s);
    arrived.wait_for(2000);
    running.shutdown();
    EXPECT_EQ(log.count("publishing failed, the message will be tried again"), 0u);
}

}  // namespace
}  // namespace weir::test
