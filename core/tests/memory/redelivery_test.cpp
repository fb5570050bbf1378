// What comes again, when, and with which count.
#include "support/service.hpp"

#include <weir/runtime/task_group.hpp>

namespace weir::test {
namespace {

class redelivery : public testing::Test {
protected:
    memory::counters counters() { return s.memory.connection().counters(); }
    journal j;
    service s;
};

TEST_F(redelivery, counts_from_one) {
    s.memory.subscribe("in", [this](const order&, const context& c) -> outcome {
        j.add(std::to_string(c.attempt()));
        return c.attempt() < 4 ? retry_in(0s) : outcome{ack};
    });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(j.joined(), "1 2 3 4");
}

TEST_F(redelivery, counts_for_each_subscription_by_itself) {
    s.memory.subscribe("in", [this](const order&, const context& c) -> outcome {
        j.add("a" + std::to_string(c.attempt()));
        return c.attempt() < 2 ? retry_in(0s) : outcome{ack};
    });
    s.memory.subscribe("in",
                       [this](const order&, const context& c) { j.add("b" + std::to_string(c.attempt())); });
    s.start();
    s.send("in", order_json(1));
    std::ranges::sort(j.lines);
    EXPECT_EQ(j.joined(), "a1 a2 b1");
}

TEST_F(redelivery, at_once_goes_behind_what_is_in_the_queue) {
    s.memory.subscribe(
        "in",
        [this](const order& o, const context& c) -> outcome {
            j.add(std::to_string(o.id));
            return o.id == 1 && c.attempt() == 1 ? retry_in(0s) : outcome{ack};
        },
        prefetch(1));
    s.start();
    s.send_orders("in", 1, 3);
    EXPECT_EQ(j.joined(), "1 2 3 1");
}

TEST_F(redelivery, after_delays_comes_in_the_order_in_which_they_end) {
    s.memory.subscribe("in", [this](const order& o, const context& c) -> outcome {
        if (c.attempt() == 1) return retry_in(std::chrono::seconds{10 - o.id});
        j.add(std::to_string(o.id));
        return ack;
    });
    s.start();
    s.send_orders("in", 1, 5);
    EXPECT_EQ(counters().in_queues, 5u) << "what is held for later keeps its place";
    s.advance(5s);
    EXPECT_EQ(j.joined(), "5");
    s.advance(2s);
    EXPECT_EQ(j.joined(), "5 4 3");
    s.advance(1h);
    EXPECT_EQ(j.joined(), "5 4 3 2 1");
    EXPECT_EQ(counters().in_queues, 0u);
}

TEST_F(redelivery, after_a_shorter_delay_than_the_ones_that_run_is_not_late) {
    s.memory.subscribe("in", [this](const order& o, const context& c) -> outcome {
        if (c.attempt() == 1) return retry_in(std::chrono::seconds{o.id});
        j.add(std::to_string(o.id));
        return ack;
    });
    s.start();
    s.send("in", order_json(100));
    s.send("in", order_json(1));
    s.send("in", order_json(50));
    s.advance(1s);
    EXPECT_EQ(j.joined(), "1");
    s.advance(49s);
    EXPECT_EQ(j.joined(), "1 50");
}

TEST_F(redelivery, of_a_group_may_reach_another_member_and_keeps_its_count) {
    for (const char* name : {"a", "b"})
        s.memory.subscribe(memory::subscription("in").group("g"),
                           [this, name](const order&, const context& c) -> outcome {
                               j.add(name + std::to_string(c.attempt()));
                               return c.attempt() < 3 ? retry_in(1s) : outcome{ack};
                           });
    s.start();
    s.send("in", order_json(1));
    s.advance(1s);
    s.advance(1s);
    ASSERT_EQ(j.size(), 3u);
    for (std::size_t i = 0; i != 3; ++i) EXPECT_EQ(j.lines[i].substr(1), std::to_string(i + 1));
}

TEST_F(redelivery, of_a_message_that_several_subscriptions_share_does_not_disturb_the_others) {
    std::string seen;
    s.memory.subscribe("in", [](bytes, const context& c) -> outcome {
        return c.attempt() == 1 ? retry_in(1s) : outcome{ack};
    });
    s.memory.subscribe("in", [&seen](bytes b) { seen += b.text(); });
    s.start();
    s.send("in", "once");
    s.advance(1s);
    EXPECT_EQ(seen, "once");
}

TEST_F(redelivery, that_is_still_due_when_the_application_stops_does_not_come_any_more) {
    s.memory.subscribe("in", [this](const order&) -> outcome {
        j.add("handled");
        return retry_in(10s);
    });
    s.start();
    s.send("in", order_json(1));
    s.shutdown();
    EXPECT_EQ(j.joined(), "handled");
    EXPECT_EQ(s.log.last("messages were left in a queue whose last subscription has ended").field("messages"),
              "1");
}

TEST(redelivery_while_stopping, is_asked_for_by_a_handler_and_does_not_outlive_the_subscription) {
    gate g;
    service s({}, {.drain = 1h});
    s.app.provide(g);
    s.memory.subscribe("in", [](const order&, gate& here) -> task<outcome> {
        co_await here.open.wait();
        co_return retry_in(1ms);
    });
    s.start();
    s.send("in", order_json(1));
    // The handler goes on while the drain waits for it. Afterwards the clock stands beyond its delay and the loop
    // still runs: a timer that was left behind would fire.
    const auto finish = [](gate& here, service& of) -> task<void> {
        co_await sleep_for(0s);
        here.open.set();
        co_await sleep_for(0s);
        of.time.advance(1s);
    };
    spawn(s.running->first_loop(), finish(g, s));
    EXPECT_TRUE(s.shutdown().complete);
    s.time.advance(1s);
    s.run();
    EXPECT_EQ(s.counters("in").retried, 1u);
    EXPECT_EQ(s.log.last("messages were left in a queue whose last subscription has ended").field("messages"),
              "1");
}

}  // namespace
}  // namespace weir::test
