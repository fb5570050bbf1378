// When acknowledgements cross to the broker. The broker is a scripted one, so every call is seen.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

#include <thread>

namespace weir::test {
namespace {

class acknowledgements : public testing::Test {
protected:
    acknowledgements() : broker(s.app.use(scripted_broker<can_delay>{told})) {
        s.app.provide(j);
        s.app.provide(g);
    }
    /// Orders first to last, so that they meet in one window.
    void deliver(int first, int last) {
        for (int id = first; id <= last; ++id) told.deliver("in", order_json(id));
        s.run();
    }
    /// The fewest calls that acknowledged `n` messages delivered together. A run is also cut when it has been held for some
    /// milliseconds, which a busy machine can make of any test, so this takes the least of many tries.
    std::size_t fewest_calls_for(int n) {
        std::size_t least = static_cast<std::size_t>(n) + 1;
        for (int tries = 0; tries != 20; ++tries) {
            told.calls.clear();
            told.sources.at("in")->count_from_one();
            deliver(1, n);
            least = std::min(least, told.acknowledgements());
        }
        return least;
    }
    std::string settlements() const { return told.seen({"ack", "nack", "reject", "give"}); }

    script told;
    journal j;
    gate g;
    driven s;
    attached<scripted_broker<can_delay>>& broker;
};

TEST_F(acknowledgements, of_a_window_are_one_call) {
    broker.subscribe("in", [](const order&) {});
    s.start();
    EXPECT_EQ(fewest_calls_for(5), 1u);
    EXPECT_EQ(settlements(), "ack 1 2 3 4 5");
}

TEST_F(acknowledgements, of_more_than_a_window_are_one_call_a_window) {
    broker.subscribe("in", [](const order&) {});
    s.start();
    EXPECT_EQ(fewest_calls_for(150), 3u);
}

TEST_F(acknowledgements, of_tasks_that_do_not_wait_are_one_call_as_well) {
    broker.subscribe("in", [](const order&) -> task<void> { co_return; });
    s.start();
    EXPECT_EQ(fewest_calls_for(5), 1u);
}

TEST_F(acknowledgements, of_batches_are_one_call_a_batch) {
    broker.subscribe("in", [](std::span<const order>) {}, batch(3));
    s.start();
    EXPECT_EQ(fewest_calls_for(5), 2u);
}

TEST_F(acknowledgements, count_each_message) {
    broker.subscribe("in", [](const order&) {});
    s.start();
    deliver(1, 150);
    EXPECT_EQ(s.counters("in").acked, 150u);
}

TEST_F(acknowledgements, go_out_before_any_other_verdict) {
    broker.subscribe("in", [](const order& o) -> outcome {
        if (o.id == 3) return reject("three");
        if (o.id == 5) return retry_in(10ms);
        if (o.id == 6) return discard;
        return ack;
    });
    s.start();
    deliver(1, 7);
    EXPECT_EQ(settlements(), "ack 1 2, reject 3: three, ack 4, nack 5 after 10ms, ack 6 7");
}

TEST_F(acknowledgements, go_out_before_a_handler_suspends) {
    broker.subscribe("in", [](const order& o, gate& here) -> task<void> {
        if (o.id == 3) co_await here.open.wait();
    });
    s.start();
    deliver(1, 4);
    EXPECT_EQ(settlements(), "ack 1 2");
    g.open.set();
    s.run();
    EXPECT_EQ(settlements(), "ack 1 2 3 4");
}

TEST_F(acknowledgements, go_out_one_by_one_where_several_slots_share_a_window) {
    broker.subscribe(
        "in",
        [](const order& o, gate& here) -> task<void> {
            if (o.id == 1) co_await here.open.wait();
        },
        workers(2));
    s.start();
    deliver(1, 3);
    EXPECT_EQ(settlements(), "ack 2 3");
    g.open.set();
    s.run();
    EXPECT_EQ(settlements(), "ack 2 3 1");
}

TEST_F(acknowledgements, go_out_before_an_outbox_waits_for_room) {
    broker.subscribe(
        "in",
        [](const order& o) -> result<order, outcome> {
            if (o.id == 3) return order{33};
            return outcome{ack};
        },
        reply_to("out"));
    s.start();
    told.publishes = publish_status::wait;
    deliver(1, 4);
    EXPECT_EQ(settlements(), "ack 1 2");
    told.publishes = publish_status::done;
    told.answer(publish_status::done);
    s.run();
    EXPECT_EQ(told.seen({"ack", "publish"}), "ack 1 2, publish out {\"id\":33}, ack 3 4");
}

TEST_F(acknowledgements, go_out_before_an_outbox_waits_for_its_confirmation) {
    broker.subscribe(
        "in",
        [](const order& o) -> result<order, outcome> {
            if (o.id == 3) return order{33};
            return outcome{ack};
        },
        reply_to("out"));
    s.start();
    told.publishes = publish_status::sent;
    deliver(1, 4);
    EXPECT_EQ(told.seen({"ack", "publish"}), "publish out {\"id\":33}, ack 1 2");
    told.answer(publish_status::done);
    s.run();
    EXPECT_EQ(told.seen({"ack"}), "ack 1 2 3 4");
}

TEST_F(acknowledgements, go_out_before_a_flush_fails) {
    broker.subscribe(
        "in",
        [](const order& o) -> result<order, outcome> {
            if (o.id == 3) return order{33};
            return outcome{ack};
        },
        reply_to("out"), retries{.backoff = constant(10ms)});
    s.start();
    told.publishes = publish_status::queue_full;
    deliver(1, 4);
    EXPECT_EQ(settlements(), "ack 1 2, nack 3 after 10ms, ack 4");
}

/// Longer than a run is ever held back. This waits for the time itself, which is what the rule is about.
void work_slowly() {
    const auto until = std::chrono::steady_clock::now() + 40ms;
    while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

TEST_F(acknowledgements, are_not_held_back_by_a_slow_plain_handler_for_a_whole_window) {
    std::string while_handling_four;
    broker.subscribe("in", [&](const order& o) {
        if (o.id == 4) while_handling_four = settlements();
        if (o.id == 2) work_slowly();
    });
    s.start();
    deliver(1, 4);
    EXPECT_EQ(while_handling_four, "ack 1 2");
    EXPECT_EQ(settlements(), "ack 1 2 3 4");
}

TEST_F(acknowledgements, go_out_when_the_application_stops) {
    broker.subscribe("in", [](const order& o, gate& here) -> task<void> {
        if (o.id == 2) co_await here.open.wait();
    });
    s.start();
    deliver(1, 3);
    g.open.set();  // ready to go on: the loop comes to it before it comes to the shutdown
    s.shutdown();
    EXPECT_EQ(told.seen({"ack", "give", "stop", "close", "shutdown", "disconnect"}),
              "ack 1 2 3, stop in, close in, shutdown, disconnect");
}

// ---------------------------------------------------------------- brokers that cannot or do not want

TEST_F(acknowledgements, that_the_broker_refuses_are_logged_and_the_service_goes_on) {
    broker.subscribe("in", [](const order&) {});
    s.start();
    told.settles = settle_status::failed;
    deliver(1, 2);
    told.settles = settle_status::closed;
    deliver(3, 3);
    told.settles = settle_status::done;
    deliver(4, 4);
    const auto refused = s.log.all("the broker refused a verdict").at(0);
    EXPECT_EQ(refused.field("verb"), "acknowledge");
    EXPECT_EQ(refused.field("subscription"), "in");
    EXPECT_EQ(refused.field("message"), "scripted message 1");
    EXPECT_EQ(s.log.count("a verdict came after the connection was closed"), 1u);
    EXPECT_EQ(settlements(), "ack 1 2 3 4");
}

TEST_F(acknowledgements, of_a_transport_that_has_no_such_verdict_are_said_once) {
    broker.subscribe("in", [](const order&) -> outcome { return reject("no"); });
    s.start();
    told.settles = settle_status::unsupported;
    deliver(1, 5);
    EXPECT_EQ(s.log.count("the transport cannot do what the verdict asks, said once"), 1u);
    EXPECT_EQ(s.counters("in").rejected, 5u);
}

TEST(acknowledgements_without_delays, become_plain_redeliveries_where_the_broker_cannot_delay) {
    script told;
    driven s;
    auto& broker = s.app.use(scripted_broker<>{told});
    broker.subscribe("in",
                     [](const order& o) -> outcome { return o.id == 1 ? retry_in(1h) : outcome{retry}; });
    s.start();
    told.deliver("in", order_json(1));
    told.deliver("in", order_json(2));
    s.run();
    EXPECT_EQ(told.seen({"nack"}), "nack 1, nack 2");
}

}  // namespace
}  // namespace weir::test
