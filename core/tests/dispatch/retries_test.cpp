// Attempts, backoff, dead letters: with the memory broker, which counts and delays, on a clock that stands still.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

namespace weir::test {
namespace {

class retrying : public testing::Test {
protected:
    retrying() { s.app.provide(j); }
    void start_with_dead_letters() {
        s.memory.subscribe("dead",
                           [this](bytes b, const headers& h) { dead.push_back({std::string{b.text()}, h}); });
        s.start();
    }
    struct letter {
        std::string body;
        headers head;
    };
    journal j;
    std::vector<letter> dead;
    service s;
};

void note_attempt(const context& c, journal& j) { j.add(std::to_string(c.attempt())); }

outcome always_again(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    return retry;
}
void always_throws(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    throw std::runtime_error("database is away");
}

TEST_F(retrying, counts_attempts_and_ends_when_they_are_used_up) {
    s.memory.subscribe("in", always_again, retries{.attempts = 3, .backoff = constant(0s)});
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(j.joined(), "1 2 3");
    EXPECT_EQ(s.counters("in").retried, 2u);
    EXPECT_EQ(s.counters("in").rejected, 1u);
    EXPECT_EQ(s.log.last("message rejected").field("reason"), "attempts exhausted");
    EXPECT_EQ(s.log.last("message rejected").field("attempts"), "3");
    EXPECT_EQ(s.memory.connection().counters().in_queues, 0u);
}

TEST_F(retrying, with_a_single_attempt_means_none) {
    s.memory.subscribe("in", always_again, retries{.attempts = 1});
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(j.joined(), "1");
    EXPECT_EQ(s.counters("in").rejected, 1u);
}

TEST_F(retrying, waits_for_the_backoff) {
    s.memory.subscribe("in", always_again, retries{.attempts = 3, .backoff = constant(5s)});
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(j.joined(), "1");
    s.advance(5s - 1ns);
    EXPECT_EQ(j.joined(), "1");
    s.advance(1ns);
    EXPECT_EQ(j.joined(), "1 2");
    s.advance(5s);
    EXPECT_EQ(j.joined(), "1 2 3");
}

TEST_F(retrying, with_growing_backoff_never_waits_longer_than_the_bound_of_each_attempt) {
    s.memory.subscribe("in", always_again, retries{.attempts = 6, .backoff = exponential(100ms, 1s)});
    s.start();
    s.send("in", order_json(1));
    std::size_t done = 1;
    for (const nanos bound : {100ms, 200ms, 400ms, 800ms, 1000ms}) {
        EXPECT_LE(j.size(), done + 1);
        s.advance(bound);
        ++done;
        EXPECT_GE(j.size(), done);
    }
    EXPECT_EQ(j.joined(), "1 2 3 4 5 6");
}

TEST_F(retrying, after_a_delay_of_the_handlers_own_takes_that_one) {
    s.memory.subscribe(
        "in",
        [](const order&, const context& c, journal& to) -> outcome {
            note_attempt(c, to);
            return retry_in(1h);
        },
        retries{.attempts = 2, .backoff = constant(1s)});
    s.start();
    s.send("in", order_json(1));
    s.advance(1s);
    EXPECT_EQ(j.joined(), "1");
    s.advance(1h);
    EXPECT_EQ(j.joined(), "1 2");
    EXPECT_EQ(s.counters("in").rejected, 1u) << "a delay of its own counts under the cap like any other";
}

TEST_F(retrying, by_verdict_without_declared_retries_goes_on_for_ever) {
    s.memory.subscribe("in", [](const order&, const context& c, journal& to) -> outcome {
        note_attempt(c, to);
        return c.attempt() < 50 ? retry_in(0s) : outcome{ack};
    });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(j.size(), 50u);
    EXPECT_EQ(s.counters("in").rejected, 0u);
}

TEST_F(retrying, lets_other_messages_pass_meanwhile) {
    s.memory.subscribe(
        "in",
        [](const order& o, const context& c, journal& to) -> outcome {
            to.add(std::to_string(o.id));
            return o.id == 1 && c.attempt() == 1 ? outcome{retry} : outcome{ack};
        },
        retries{.backoff = constant(1s)});
    s.start();
    s.send_orders("in", 1, 3);
    s.advance(1s);
    EXPECT_EQ(j.joined(), "1 2 3 1");
}

TEST_F(retrying, keeps_payload_and_headers) {
    s.memory.subscribe("in", [this](bytes b, const headers& h, const context& c) -> outcome {
        j.add(std::string{b.text()} + std::string{h.get("x")});
        return c.attempt() < 2 ? retry_in(1s) : outcome{ack};
    });
    s.start();
    s.send("in", "payload", {{"x", "!"}});
    s.advance(1s);
    EXPECT_EQ(j.joined(), "payload! payload!");
}

// ---------------------------------------------------------------- exceptions

TEST_F(retrying, after_an_exception_is_the_default_five_times_with_growing_backoff) {
    s.memory.subscribe("in", always_throws);
    s.start();
    s.send("in", order_json(1));
    for (int i = 0; i != 20; ++i) s.advance(30s);
    EXPECT_EQ(j.joined(), "1 2 3 4 5");
    EXPECT_EQ(s.counters("in").exceptions, 5u);
    EXPECT_EQ(s.counters("in").rejected, 1u);
    const auto line = s.log.last("handler failed");
    EXPECT_EQ(line.level, log_level::error);
    EXPECT_EQ(line.field("message"), "memory message 1 of 'in'");
    EXPECT_EQ(line.field("error"), "database is away");
    EXPECT_EQ(line.field("attempt"), "5");
    EXPECT_EQ(s.log.last("message rejected").field("reason"),
              "attempts exhausted, the last one: database is away");
}

TEST_F(retrying, after_something_thrown_that_is_no_exception) {
    s.memory.subscribe(
        "in",
        [](const order&, const context& c) {
            if (c.attempt() == 1) throw 42;
        },
        retries{.backoff = constant(0s)});
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(s.log.last("handler failed").field("error"), "an exception that is no std::exception");
    EXPECT_EQ(s.counters("in").acked, 1u);
}

task<void> throws_at_once(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    throw std::runtime_error("before the first wait");
    co_return;
}
task<void> throws_later(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    co_await sleep_for(1ms);
    throw std::runtime_error("after the first wait");
}
/// No coroutine itself: what it throws comes out of the call.
task<void> throws_out_of_the_call(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    throw std::runtime_error("no coroutine yet");
}
task<outcome> throws_out_of_the_call_for_an_outcome(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    throw std::runtime_error("no coroutine yet");
}

TEST_F(retrying, after_an_exception_of_a_task_wherever_it_is_thrown) {
    const retries twice{.attempts = 2, .backoff = constant(0s)};
    s.memory.subscribe("a", throws_at_once, twice);
    s.memory.subscribe("b", throws_later, twice);
    s.memory.subscribe("c", throws_out_of_the_call, twice);
    s.memory.subscribe("d", throws_out_of_the_call_for_an_outcome, twice);
    s.start();
    for (const char* name : {"a", "b", "c", "d"}) {
        s.send(name, order_json(1));
        s.advance(1ms);
        s.advance(1ms);
        EXPECT_EQ(s.counters(name).exceptions, 2u) << name;
        EXPECT_EQ(s.counters(name).rejected, 1u) << name;
    }
    EXPECT_EQ(j.joined(), "1 2 1 2 1 2 1 2");
}

TEST_F(retrying, after_an_exception_can_be_chosen_otherwise) {
    s.memory.subscribe("discarded", always_throws, on_failure{.exception = discard});
    s.memory.subscribe("rejected", always_throws, on_failure{.exception = reject("whatever it was")});
    s.memory.subscribe("acknowledged", always_throws, on_failure{.exception = ack});
    s.memory.subscribe("delayed", always_throws, on_failure{.exception = retry_in(7s)});
    s.start();
    for (const char* name : {"discarded", "rejected", "acknowledged", "delayed"}) s.send(name, order_json(1));
    EXPECT_EQ(s.counters("discarded").acked, 1u);
    EXPECT_EQ(s.counters("rejected").rejected, 1u);
    EXPECT_EQ(s.log.last("message rejected").field("reason"), "database is away");
    EXPECT_EQ(s.counters("acknowledged").acked, 1u);
    EXPECT_EQ(s.counters("delayed").retried, 1u);
    const std::size_t before = j.size();
    s.advance(7s - 1ns);
    EXPECT_EQ(j.size(), before);
    s.advance(1ns);
    EXPECT_EQ(j.size(), before + 1);
}

TEST_F(retrying, of_a_batch_that_throws_concerns_all_of_it) {
    int calls = 0;
    s.memory.subscribe(
        "in",
        [&calls](std::span<const order> all) {
            EXPECT_EQ(all.size(), 3u);
            if (++calls == 1) throw std::runtime_error("once");
        },
        batch(8), retries{.backoff = constant(0s)});
    s.start();
    s.send_orders("in", 1, 3);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(s.counters("in").retried, 3u);
    EXPECT_EQ(s.counters("in").acked, 3u);
    EXPECT_EQ(s.counters("in").exceptions, 1u) << "one handler threw once";
}

TEST_F(retrying, of_a_batch_whose_outcomes_do_not_fit_follows_the_exception_policy) {
    int calls = 0;
    s.memory.subscribe(
        "in",
        [&calls](std::span<const order> all) {
            std::vector<outcome> each;
            for (std::size_t i = ++calls == 1 ? 1 : 0; i != all.size(); ++i) each.emplace_back(ack);
            return each;
        },
        batch(8), retries{.backoff = constant(0s)});
    s.start();
    s.send_orders("in", 1, 3);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(s.log.last("batch handler failed").field("error"),
              "the handler returned 2 outcomes for 3 messages");
    EXPECT_EQ(s.counters("in").exceptions, 1u);
    EXPECT_EQ(s.counters("in").acked, 3u);
}

// ---------------------------------------------------------------- attempts used up

TEST_F(retrying, that_is_exhausted_can_be_chosen_otherwise) {
    const retries twice{.attempts = 2, .backoff = constant(0s)};
    s.memory.subscribe("discarded", always_again, twice, on_failure{.exhausted = discard});
    s.memory.subscribe("acknowledged", always_again, twice, on_failure{.exhausted = ack});
    s.memory.subscribe("delayed", always_again, twice, on_failure{.exhausted = retry_in(1h)});
    s.start();
    s.send("discarded", order_json(1));
    EXPECT_EQ(s.counters("discarded").acked, 1u);
    EXPECT_EQ(s.counters("discarded").rejected, 0u);
    EXPECT_EQ(s.log.last("message dropped").field("reason"), "attempts exhausted");
    s.send("acknowledged", order_json(1));
    EXPECT_EQ(s.counters("acknowledged").acked, 1u);
    j.lines.clear();
    s.send("delayed", order_json(1));
    EXPECT_EQ(j.joined(), "1 2");
    s.advance(1h);
    EXPECT_EQ(j.joined(), "1 2 3");
    s.advance(1h);
    EXPECT_EQ(j.joined(), "1 2 3 4") << "an hour between attempts from then on";
}

TEST_F(retrying, that_is_exhausted_for_one_message_says_nothing_of_another_ones_error) {
    s.memory.subscribe(
        "in",
        [](const order& o) -> outcome {
            if (o.id == 1) throw std::runtime_error("the first one's");
            return retry;
        },
        retries{.attempts = 1, .dead_letter = "dead"});
    start_with_dead_letters();
    s.send_orders("in", 1, 2);
    ASSERT_EQ(dead.size(), 2u);
    EXPECT_EQ(dead[0].head.get("x-weir-reason"), "attempts exhausted, the last one: the first one's");
    EXPECT_EQ(dead[1].head.get("x-weir-reason"), "attempts exhausted");
}

// ---------------------------------------------------------------- dead letters

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

// ---------------------------------------------------------------- values that only run time knows

TEST(options_of_a_subscription, that_make_no_sense_are_refused_by_the_start) {
    const auto refusal_of = [](auto... options) {
        service s;
        s.memory.subscribe("in", [](const order&) -> task<void> { co_return; }, options...);
        return s.refusal();
    };
    EXPECT_EQ(refusal_of(workers(0)), "weir: subscription 'in' asks for workers(0) - at least one is needed");
    EXPECT_EQ(refusal_of(prefetch(0)),
              "weir: subscription 'in' asks for prefetch(0) - at least one delivery has to be taken");
    EXPECT_EQ(refusal_of(retries{.attempts = 0}),
              "weir: subscription 'in' declares retries with no attempt at all - the first delivery is one");
    EXPECT_EQ(refusal_of(outbox(0)),
              "weir: subscription 'in' asks for outbox(0), with which it could publish nothing - leave the "
              "option out");
    EXPECT_EQ(
        refusal_of(workers(100'000)),
        "weir: subscription 'in' asks for a batch of more than 2^20 messages or more than 2^16 workers");
    EXPECT_EQ(refusal_of(workers(8), prefetch(4)),
              "weir: subscription 'in' prefetches fewer deliveries than one batch, or than its workers, "
              "could take - "
              "raise prefetch(n)");
    EXPECT_EQ(refusal_of(workers(4), prefetch(4)), "");
}

TEST(options_of_a_subscription, of_a_batch_that_make_no_sense_are_refused_by_the_start) {
    const auto refusal_of = [](auto... options) {
        service s;
        s.memory.subscribe("in", [](std::span<const order>) {}, options...);
        return s.refusal();
    };
    EXPECT_EQ(refusal_of(batch(0)),
              "weir: subscription 'in' asks for batch(0) - a batch holds at least one message");
    EXPECT_NE(refusal_of(batch(64), prefetch(10)).find("raise prefetch(n)"), std::string::npos);
    EXPECT_EQ(refusal_of(batch(64), prefetch(64)), "");
}

}  // namespace
}  // namespace weir::test
