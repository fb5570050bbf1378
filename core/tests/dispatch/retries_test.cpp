// Attempts and backoff.
#include "retrying.hpp"

namespace weir::test {
namespace {

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

}  // namespace
}  // namespace weir::test
