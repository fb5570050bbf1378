// What a handler publishes leaves before its input is acknowledged, or not at all.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

#include <limits>

namespace weir::test {
namespace {

struct alert {
    int id = 0;
    double level = 0;
};
inline constexpr topic<alert> alerts{"alerts"};

class outbox_of_a_handler : public testing::Test {
protected:
    outbox_of_a_handler() : broker(s.app.use(scripted_broker<can_delay>{told})) { s.app.provide(g); }
    void deliver(int first, int last, std::uint32_t attempt = 1) {
        for (int id = first; id <= last; ++id) told.deliver("in", order_json(id), attempt);
        s.run();
    }
    std::string seen() const { return told.seen({"publish", "ack", "nack", "reject", "give"}); }

    script told;
    gate g;
    driven s;
    attached<scripted_broker<can_delay>>& broker;
};

void raise(const order& o, out<alerts> to) {
    to.publish({o.id, 0.5});
    to.publish({o.id, 1});
}

TEST_F(outbox_of_a_handler, leaves_in_order_and_before_the_acknowledgement) {
    broker.subscribe("in", raise);
    s.start();
    deliver(1, 1);
    EXPECT_EQ(seen(), R"(publish alerts {"id":1,"level":0.5}, publish alerts {"id":1,"level":1}, ack 1)");
    EXPECT_EQ(s.counters("in").published, 2u);
}

TEST_F(outbox_of_a_handler, leaves_only_when_a_task_has_ended) {
    broker.subscribe("in", [](const order& o, out<alerts> to, gate& here) -> task<void> {
        to.publish({o.id, 1});
        co_await here.open.wait();
        to.publish({o.id, 2});
    });
    s.start();
    deliver(1, 1);
    EXPECT_EQ(seen(), "");
    g.open.set();
    s.run();
    EXPECT_EQ(seen(), R"(publish alerts {"id":1,"level":1}, publish alerts {"id":1,"level":2}, ack 1)");
}

TEST_F(outbox_of_a_handler, keeps_nothing_of_what_was_published) {
    broker.subscribe("in", [](const order& o, out<alerts> to) {
        alert a{o.id, 1};
        headers h{{"kind", "first"}};
        to.publish(a, h);
        a.id = 99;
        h.set("kind", "changed");
    });
    s.start();
    deliver(1, 1);
    ASSERT_EQ(told.published.size(), 1u);
    EXPECT_EQ(told.published[0].body, R"({"id":1,"level":1})");
    EXPECT_EQ(told.published[0].head.get("kind"), "first");
}

TEST_F(outbox_of_a_handler, never_leaves_when_the_handler_fails_or_does_not_acknowledge) {
    broker.subscribe(
        "in",
        [](const order& o, out<alerts> to) -> outcome {
            to.publish({o.id, 1});
            if (o.id == 1) return reject("one");
            if (o.id == 2) return retry_in(1ms);
            if (o.id == 3) return discard;
            if (o.id == 4) throw std::runtime_error("four");
            return ack;
        },
        retries{.backoff = constant(2ms)});
    s.start();
    deliver(1, 5);
    EXPECT_EQ(
        seen(),
        R"(reject 1: one, nack 2 after 1ms, ack 3, nack 4 after 2ms, publish alerts {"id":5,"level":1}, ack 5)");
}

TEST_F(outbox_of_a_handler, that_cannot_leave_makes_the_input_try_again_and_counts_as_an_attempt) {
    broker.subscribe("in", raise, retries{.attempts = 3, .backoff = constant(5ms)});
    s.start();
    told.publishes = publish_status::failed;
    deliver(1, 1, 1);
    deliver(2, 2, 2);
    deliver(3, 3, 3);
    EXPECT_EQ(seen(),
              "nack 1 after 5ms, nack 2 after 5ms, "
              "reject 3: attempts exhausted, the last one: the broker refused a message");
    EXPECT_EQ(s.log.last("publishing failed, the message will be tried again").field("cause"),
              "the broker refused a message");
    EXPECT_EQ(s.counters("in").acked, 0u);
}

TEST_F(outbox_of_a_handler, that_cannot_leave_is_bounded_by_attempts_even_where_none_were_declared) {
    broker.subscribe("in", raise);
    s.start();
    told.publishes = publish_status::failed;
    deliver(1, 1, 4);
    deliver(2, 2, 5);
    EXPECT_TRUE(told.calls.back().starts_with("reject 2: attempts exhausted")) << seen();
}

TEST_F(outbox_of_a_handler, names_the_cause_of_each_failure) {
    broker.subscribe("in", raise);
    s.start();
    for (const auto& [status, cause] :
         {std::pair{publish_status::queue_full, "the destination's queue is full and cannot drain"},
          std::pair{publish_status::closed, "the connection is closed"},
          std::pair{publish_status::too_large, "a message is too large for the broker"}}) {
        told.publishes = status;
        deliver(1, 1);
        EXPECT_EQ(s.log.last("publishing failed, the message will be tried again").field("cause"), cause);
    }
    EXPECT_EQ(s.counters("in").retried, 3u);
}

TEST_F(outbox_of_a_handler, waits_for_its_confirmation_and_then_acknowledges) {
    broker.subscribe("in", raise);
    s.start();
    told.publishes = publish_status::sent;
    deliver(1, 1);
    EXPECT_EQ(told.seen({"ack"}), "");
    told.answer(publish_status::done);
    s.run();
    EXPECT_EQ(told.seen({"ack"}), "ack 1");
}

TEST_F(outbox_of_a_handler, that_is_not_confirmed_makes_the_input_try_again) {
    broker.subscribe("in", raise, retries{.backoff = constant(5ms)});
    s.start();
    told.publishes = publish_status::sent;
    deliver(1, 1);
    told.answer(publish_status::failed);
    s.run();
    EXPECT_EQ(told.seen({"ack", "nack"}), "nack 1 after 5ms");
}

TEST_F(outbox_of_a_handler, does_not_leak_into_the_next_message) {
    broker.subscribe("in", [](const order& o, out<alerts> to) {
        to.publish({o.id, 1});
        if (o.id == 1) throw std::runtime_error("one");
    });
    s.start();
    deliver(1, 2);
    ASSERT_EQ(told.published.size(), 1u);
    EXPECT_EQ(told.published[0].body, R"({"id":2,"level":1})");
}

TEST_F(outbox_of_a_handler, is_bounded_and_the_publish_that_exceeds_it_throws) {
    std::string text;
    broker.subscribe(
        "in",
        [&text](const order& o, out<alerts> to) {
            text = text_of([&] {
                for (int i = 0; i != 100; ++i) to.publish({o.id, 1});
            });
        },
        outbox(18 * 3));  // room for exactly three
    s.start();
    deliver(1, 1);
    EXPECT_EQ(text,
              "weir: subscription 'in' publishes more than 54 bytes for one delivery - publish less, or "
              "subscribe with outbox(bytes)");
    EXPECT_EQ(told.published.size(), 3u) << "what the handler did not let fail leaves";
    deliver(2, 2);
    EXPECT_EQ(told.published.size(), 6u) << "the next delivery has the whole room again";
}

TEST_F(outbox_of_a_handler, has_its_whole_room_again_after_a_failure) {
    broker.subscribe(
        "in",
        [](const order& o, out<alerts> to) {
            to.publish({o.id, 1});
            to.publish({o.id, 2});
            if (o.id != 3) throw std::runtime_error("no");
        },
        outbox(18 * 2));
    s.start();
    deliver(1, 3);
    EXPECT_EQ(told.published.size(), 2u) << s.log.dump();
}

TEST_F(outbox_of_a_handler, refuses_what_cannot_be_encoded_which_follows_the_exception_policy) {
    broker.subscribe(
        "in",
        [](const order& o, out<alerts> to) { to.publish({o.id, std::numeric_limits<double>::quiet_NaN()}); },
        retries{.backoff = constant(5ms)});
    s.start();
    deliver(1, 1);
    EXPECT_EQ(seen(), "nack 1 after 5ms");
    EXPECT_EQ(s.counters("in").exceptions, 1u);
    EXPECT_NE(s.log.last("handler failed").field("error").find("level"), std::string::npos) << s.log.dump();
}

TEST_F(outbox_of_a_handler, refuses_a_reply_that_cannot_be_encoded_likewise) {
    broker.subscribe(
        "in", [](const order& o) { return alert{o.id, std::numeric_limits<double>::infinity()}; },
        reply_to("alerts"), on_failure{.exception = reject("unencodable")});
    s.start();
    deliver(1, 1);
    EXPECT_TRUE(seen().starts_with("reject 1: ")) << seen();
    EXPECT_TRUE(told.published.empty());
}

TEST_F(outbox_of_a_handler, of_a_batch_leaves_when_at_least_one_message_is_acknowledged) {
    broker.subscribe(
        "in",
        [](std::span<const order> all, out<alerts> to) {
            std::vector<outcome> each;
            for (const order& o : all) {
                to.publish({o.id, 1});
                each.push_back(o.id % 2 == 0 ? outcome{ack} : reject("odd"));
            }
            return each;
        },
        batch(8));
    s.start();
    deliver(1, 2);
    EXPECT_EQ(told.published.size(), 2u);
    EXPECT_EQ(told.seen({"ack", "reject"}), "reject 1: odd, ack 2");
    deliver(1, 1);
    EXPECT_EQ(told.published.size(), 2u);
}

TEST_F(outbox_of_a_handler, that_waits_when_the_application_stops_leaves_the_input_with_the_broker) {
    broker.subscribe("in", raise);
    s.start();
    told.publishes = publish_status::wait;
    deliver(1, 2);
    const drain_report r = s.shutdown();
    EXPECT_FALSE(r.complete);
    ASSERT_EQ(r.leftovers.size(), 1u);
    EXPECT_EQ(r.leftovers[0].subscription, "in");
    EXPECT_EQ(r.leftovers[0].deliveries, 1u);
    EXPECT_EQ(seen(), "give back 2 untouched, give back 1 started");
    EXPECT_EQ(told.seen({"abandon"}), "abandon");
    EXPECT_TRUE(told.waiting.empty());
}

}  // namespace
}  // namespace weir::test
