// Concurrency slots and read-ahead.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

namespace weir::test {
namespace {

task<void> waits(const order& o, gate& g, journal& j) {
    j.add("+" + std::to_string(o.id));
    ++g.inside;
    g.most_inside = std::max(g.most_inside, g.inside);
    co_await g.open.wait();
    --g.inside;
    j.add("-" + std::to_string(o.id));
}

class slots : public testing::Test {
protected:
    slots() { s.app.provide(j).provide(g); }
    journal j;
    gate g;
    service s;
};

TEST_F(slots, one_is_what_a_subscription_has_and_it_keeps_the_order) {
    s.memory.subscribe("in", waits);
    s.start();
    s.send_orders("in", 1, 3);
    EXPECT_EQ(j.joined(), "+1");
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "+1 -1 +2 -2 +3 -3");
    EXPECT_EQ(g.most_inside, 1);
}

TEST_F(slots, several_are_all_used_and_no_more_than_that) {
    s.memory.subscribe("in", waits, workers(4));
    s.start();
    s.send_orders("in", 1, 10);
    EXPECT_EQ(g.inside, 4);
    EXPECT_EQ(j.joined(), "+1 +2 +3 +4");
    g.open.set();
    s.run();
    EXPECT_EQ(j.size(), 20u);
    EXPECT_EQ(s.counters("in").acked, 10u);
}

TEST_F(slots, that_become_free_take_the_next_message_while_others_still_wait) {
    s.memory.subscribe(
        "in",
        [](const order& o, gate& here, journal& to) -> task<void> {
            if (o.id == 1) co_await here.open.wait();
            else co_await sleep_for(1ms);
            to.add(std::to_string(o.id));
        },
        workers(2));
    s.start();
    s.send_orders("in", 1, 5);
    for (int i = 0; i != 4; ++i) s.advance(1ms);
    EXPECT_EQ(j.joined(), "2 3 4 5");
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "2 3 4 5 1");
}

TEST_F(slots, as_many_as_there_are_messages_in_several_windows) {
    s.memory.subscribe("in", waits, workers(200));
    s.start();
    s.send_orders("in", 1, 200);
    EXPECT_EQ(g.inside, 200);
    g.open.set();
    s.run();
    EXPECT_EQ(s.counters("in").acked, 200u);
}

TEST_F(slots, take_batches_of_their_own) {
    s.memory.subscribe(
        "in",
        [](std::span<const order> all, gate& here, journal& to) -> task<void> {
            std::string line;
            for (const order& o : all) line += std::to_string(o.id);
            co_await here.open.wait();
            for (const order& o : all) line += std::to_string(o.id);  // and they keep them
            to.add(line);
        },
        batch(2), workers(2));
    s.start();
    s.send_orders("in", 1, 5);
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "1212 3434 55");
}

TEST_F(slots, publish_each_into_an_outbox_of_its_own) {
    static constexpr topic<order> copies{"copies"};
    s.memory.subscribe(
        "in",
        [](const order& o, gate& here, out<copies> to) -> task<void> {
            to.publish({o.id});
            co_await here.open.wait();
            if (o.id == 2) throw std::runtime_error("two");
            to.publish({o.id * 10});
        },
        workers(3), on_failure{.exception = discard});
    s.memory.subscribe(copies, [this](const order& o) { j.add(std::to_string(o.id)); });
    s.start();
    s.send_orders("in", 1, 3);
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "1 10 3 30");
}

// ---------------------------------------------------------------- prefetch

class read_ahead : public testing::Test {
protected:
    read_ahead() : broker(s.app.use(scripted_broker<>{told})) { s.app.provide(j).provide(g); }
    void deliver(int first, int last) {
        for (int id = first; id <= last; ++id) told.deliver("in", order_json(id));
        s.run();
    }
    std::size_t left() const { return told.sources.at("in")->size(); }
    script told;
    journal j;
    gate g;
    driven s;
    attached<scripted_broker<>>& broker;
};

TEST_F(read_ahead, is_a_window_unless_said_otherwise) {
    broker.subscribe("in", waits);
    s.start();
    deliver(1, 100);
    EXPECT_EQ(left(), 36u);
}

TEST_F(read_ahead, is_what_prefetch_says) {
    broker.subscribe("in", waits, prefetch(5));
    s.start();
    deliver(1, 100);
    EXPECT_EQ(left(), 95u);
}

TEST_F(read_ahead, of_slots_that_share_a_window_counts_what_they_hold) {
    broker.subscribe("in", waits, workers(4), prefetch(6));
    s.start();
    deliver(1, 100);
    EXPECT_EQ(g.inside, 4);
    EXPECT_EQ(left(), 94u);
}

TEST_F(read_ahead, equal_to_the_slots_takes_only_what_is_handled_at_once) {
    broker.subscribe("in", waits, workers(4), prefetch(4));
    s.start();
    deliver(1, 10);
    EXPECT_EQ(g.inside, 4);
    EXPECT_EQ(left(), 6u);
    g.open.set();
    s.run();
    EXPECT_EQ(s.counters("in").acked, 10u);
}

TEST_F(read_ahead, of_one_reads_one_at_a_time) {
    broker.subscribe("in", waits, prefetch(1));
    s.start();
    deliver(1, 3);
    EXPECT_EQ(left(), 2u);
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "+1 -1 +2 -2 +3 -3");
}

TEST_F(read_ahead, above_a_window_serves_more_slots_than_a_window_holds) {
    broker.subscribe("in", waits, workers(100), prefetch(150));
    s.start();
    deliver(1, 300);
    EXPECT_EQ(g.inside, 100);
    EXPECT_GE(left(), 150u);
    g.open.set();
    s.run();
    EXPECT_EQ(s.counters("in").acked, 300u);
}

// ---------------------------------------------------------------- fairness

TEST_F(slots, of_one_subscription_do_not_starve_another_one) {
    s.memory.subscribe("a", [](const order&, journal& to) { to.add("a"); });
    s.memory.subscribe("b", [](const order&, journal& to) { to.add("b"); });
    s.start();
    for (int i = 0; i != 1000; ++i) EXPECT_FALSE(s.publish("a", order_json(i)));
    EXPECT_FALSE(s.publish("b", order_json(0)));
    s.run();
    const auto b = std::ranges::find(j.lines, "b") - j.lines.begin();
    EXPECT_LE(b, 64) << "a window each, in turn";
}

}  // namespace
}  // namespace weir::test
