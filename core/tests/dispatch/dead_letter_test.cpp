// Dead letters: what they tell, and what happens when they cannot leave.
#include "retrying.hpp"
#include "support/scripted_broker.hpp"

namespace weir::test {
namespace {

TEST_F(retrying, ends_in_a_dead_letter_that_tells_the_whole_story) {
    s.memory.subscribe("in", always_throws,
                       retries{.attempts = 3, .backoff = constant(10s), .dead_letter = "dead"});
    start_with_dead_letters();
    s.advance(1500ms);
    s.send("in", order_json(7), {{"Trace", "abc"}, {"partition-key", "north"}});
    s.advance(10s);
    s.advance(10s);
    ASSERT_EQ(dead.size(), 1u);
    EXPECT_EQ(dead[0].body, order_json(7));
    const headers& h = dead[0].head;
    EXPECT_EQ(h.get("x-weir-reason"), "attempts exhausted, the last one: database is away");
    EXPECT_EQ(h.get("x-weir-source"), "in");
    EXPECT_EQ(h.get("x-weir-attempts"), "3");
    EXPECT_EQ(h.get("x-weir-first-failure"), "2026-01-01T00:00:01.500Z");
    EXPECT_EQ(h.get("x-weir-last-failure"), "2026-01-01T00:00:21.500Z");
    EXPECT_EQ(h.get("trace"), "abc");
    EXPECT_EQ(h.get("partition-key"), "north");
    EXPECT_EQ(h.size(), 7u);
    EXPECT_EQ(s.counters("in").dead_lettered, 1u);
    EXPECT_EQ(s.counters("in").rejected, 1u);
    EXPECT_EQ(s.log.count("message goes to the dead letters"), 1u);
}

TEST_F(retrying, ends_in_a_dead_letter_at_once_for_a_handler_that_rejects) {
    s.memory.subscribe(
        "in", [](const order&) -> outcome { return reject("an order needs a price"); },
        retries{.dead_letter = "dead"});
    start_with_dead_letters();
    s.send("in", order_json(1));
    ASSERT_EQ(dead.size(), 1u);
    EXPECT_EQ(dead[0].head.get("x-weir-reason"), "an order needs a price");
    EXPECT_EQ(dead[0].head.get("x-weir-attempts"), "1");
    EXPECT_EQ(dead[0].head.get("x-weir-first-failure"), dead[0].head.get("x-weir-last-failure"));
}

TEST_F(retrying, never_makes_a_dead_letter_of_what_is_discarded) {
    s.memory.subscribe("in", [](const order&) -> outcome { return discard; }, retries{.dead_letter = "dead"});
    start_with_dead_letters();
    s.send("in", order_json(1));
    EXPECT_TRUE(dead.empty());
    EXPECT_EQ(s.counters("in").acked, 1u);
}

TEST_F(retrying, replaces_the_story_of_an_earlier_dead_letter) {
    s.memory.subscribe(
        "in", [](const order&) -> outcome { return reject("again"); }, retries{.dead_letter = "dead"});
    start_with_dead_letters();
    s.send("in", order_json(1), {{"X-Weir-Reason", "older"}, {"x-weir-attempts", "9"}});
    ASSERT_EQ(dead.size(), 1u);
    EXPECT_EQ(dead[0].head.get("x-weir-reason"), "again");
    EXPECT_EQ(dead[0].head.get("x-weir-attempts"), "1");
}

TEST_F(retrying, leaves_headers_of_the_other_receivers_of_a_message_alone) {
    headers seen;
    s.memory.subscribe(
        "in", [](const order&) -> outcome { return reject("no"); }, retries{.dead_letter = "dead"});
    s.memory.subscribe("in", [&seen](const order&, const headers& h, const context& c) -> outcome {
        seen = h;
        return c.attempt() == 1 ? retry_in(1s) : outcome{ack};
    });
    start_with_dead_letters();
    s.send("in", order_json(1), {{"a", "b"}});
    s.advance(1s);
    EXPECT_EQ(seen, (headers{{"a", "b"}}));
    EXPECT_EQ(dead.size(), 1u);
}

TEST_F(retrying, makes_dead_letters_of_single_messages_of_a_batch) {
    s.memory.subscribe(
        "in",
        [](std::span<const order> all) {
            std::vector<outcome> each;
            for (const order& o : all) each.push_back(o.id == 2 ? reject("two") : outcome{ack});
            return each;
        },
        batch(8), retries{.dead_letter = "dead"});
    start_with_dead_letters();
    s.send_orders("in", 1, 3);
    ASSERT_EQ(dead.size(), 1u);
    EXPECT_EQ(dead[0].body, order_json(2));
    EXPECT_EQ(s.counters("in").acked, 3u) << "dead letters count as done with";
}

TEST(retrying_with_a_dead_letter_that_cannot_be_published, leaves_the_message_with_the_broker) {
    script told;
    driven s;
    auto& broker = s.app.use(scripted_broker<can_delay>{told});
    broker.subscribe(
        "in", [](const order&) -> outcome { return reject("no"); }, retries{.dead_letter = "dead"});
    s.start();
    told.publishes = publish_status::queue_full;
    told.deliver("in", order_json(1));
    s.run();
    EXPECT_EQ(told.seen({"publish", "ack", "nack", "reject"}), "nack 1 after 1000ms");
    EXPECT_EQ(
        s.log.last("dead letter could not be published, the message stays with the broker").field("cause"),
        "the destination's queue is full and cannot drain");
    told.publishes = publish_status::done;
    told.deliver("in", order_json(2));
    s.run();
    EXPECT_EQ(told.seen({"publish", "ack"}), R"(publish dead {"id":2}, ack 2)");
}

TEST(retrying_with_a_dead_letter_queue_that_is_full, goes_on_when_there_is_room_again) {
    gate g;
    journal j;
    service s({.capacity = 2});
    s.app.provide(g).provide(j);
    s.memory.subscribe(
        "in", [](const order&) -> outcome { return reject("no"); }, retries{.dead_letter = "dead"});
    s.memory.subscribe("dead", [](const order& o, gate& here, journal& to) -> task<void> {
        co_await here.open.wait();
        to.add(std::to_string(o.id));
    });
    s.start();
    for (int id = 1; id <= 2; ++id) s.send("in", order_json(id));
    for (int id = 3; id <= 4; ++id) s.send("in", order_json(id));
    EXPECT_EQ(s.counters("in").acked, 2u) << "the third waits for room among the dead";
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "1 2 3 4");
    EXPECT_EQ(s.counters("in").acked, 4u);
}

}  // namespace
}  // namespace weir::test
