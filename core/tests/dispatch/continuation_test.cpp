// What an outcome's `then` starts after the delivery has been settled.
#include "support/service.hpp"

namespace weir::test {
namespace {

struct named {
    int id = 0;
    std::string_view customer;
};

task<void> note(journal& j, std::string line) {
    j.add(std::move(line));
    co_return;
}
task<void> note_when_open(journal& j, gate& g, const named& n, bytes payload) {
    co_await g.open.wait();
    j.add(std::string{n.customer} + " " + std::to_string(payload.size()));
}

class continuation : public testing::Test {
protected:
    continuation() { s.app.provide(j).provide(g); }
    journal j;
    gate g;
    service s;
};

TEST_F(continuation, runs_after_the_delivery_has_been_settled) {
    std::uint64_t unsettled = 99;
    const auto look = [](service& of, std::uint64_t& to) -> task<void> {
        to = of.memory.connection().counters().in_queues;
        co_return;
    };
    s.memory.subscribe("in", [&](const order&) { return ack.then(look(s, unsettled)); });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(unsettled, 0u);
    EXPECT_EQ(s.counters("in").acked, 1u);
}

TEST_F(continuation, runs_whatever_the_verdict) {
    s.memory.subscribe("in", [&](const order& o, const context& c) -> outcome {
        if (c.attempt() > 1) return ack;
        switch (o.id) {
        case 1: return ack.then(note(j, "acked"));
        case 2: return retry_in(1s).then(note(j, "retried"));
        case 3: return reject("no").then(note(j, "rejected"));
        default: return discard.then(note(j, "discarded"));
        }
    });
    s.start();
    s.send_orders("in", 1, 4);
    s.advance(1s);
    EXPECT_EQ(j.joined(), "acked retried rejected discarded");
    EXPECT_EQ(s.counters("in").acked, 3u);
    EXPECT_EQ(s.counters("in").retried, 1u);
    EXPECT_EQ(s.counters("in").rejected, 1u);
}

TEST_F(continuation, has_message_and_payload_until_it_ends) {
    s.memory.subscribe("in", [](const named& n, const context& c, journal& to, gate& here) -> outcome {
        return ack.then(note_when_open(to, here, n, c.payload()));
    });
    s.start();
    s.send("in", R"({"id":1,"customer":"Grace Hopper"})");
    s.send("in", R"({"id":2,"customer":"\u0041da"})");
    s.send("in", R"({"id":3,"customer":"overwritten if anything was shared"})");
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "Grace Hopper 34 Ada 30 overwritten if anything was shared 56");
}

TEST_F(continuation, of_a_task_handler_has_message_and_payload_too) {
    s.memory.subscribe(
        "in",
        [](const named& n, const context& c, journal& to, gate& here) -> task<outcome> {
            co_await sleep_for(1ms);
            co_return ack.then(note_when_open(to, here, n, c.payload()));
        },
        workers(2));
    s.start();
    for (const char* p :
         {R"({"id":1,"customer":"a"})", R"({"id":2,"customer":"b"})", R"({"id":3,"customer":"c"})"})
        EXPECT_FALSE(s.publish("in", p));
    s.run();
    s.advance(1ms);
    s.advance(1ms);
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "a 23 b 23 c 23");
}

TEST_F(continuation, of_a_batch_has_all_of_its_messages) {
    const auto sum_up = [](std::span<const order> all, journal& to, gate& here) -> task<void> {
        co_await here.open.wait();
        int sum = 0;
        for (const order& o : all) sum += o.id;
        to.add(std::to_string(sum));
    };
    s.memory.subscribe(
        "in", [&](std::span<const order> all) { return ack.then(sum_up(all, j, g)); }, batch(4));
    s.start();
    s.send_orders("in", 1, 4);
    s.send_orders("in", 100, 103);
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "10 406");
}

TEST_F(continuation, of_single_outcomes_of_a_batch_all_run) {
    s.memory.subscribe(
        "in",
        [&](std::span<const order> all) {
            std::vector<outcome> each;
            for (const order& o : all) each.push_back(ack.then(note(j, std::to_string(o.id))));
            return each;
        },
        batch(4));
    s.start();
    s.send_orders("in", 1, 3);
    EXPECT_EQ(j.joined(), "1 2 3");
}

TEST_F(continuation, that_fails_is_logged_and_settles_nothing) {
    const auto fails = []() -> task<void> {
        co_await sleep_for(1ms);
        throw std::runtime_error("too late to matter");
    };
    s.memory.subscribe("in", [&](const order&) { return ack.then(fails()); });
    s.start();
    s.send("in", order_json(1));
    s.advance(1ms);
    EXPECT_EQ(s.log.last("continuation failed").field("error"), "too late to matter");
    EXPECT_EQ(s.log.last("continuation failed").field("subscription"), "in");
    EXPECT_EQ(s.counters("in").acked, 1u);
    EXPECT_EQ(s.counters("in").exceptions, 0u);
}

TEST_F(continuation, does_not_keep_the_next_messages_waiting) {
    s.memory.subscribe("in", [](const named& n, const context& c, journal& to, gate& here) -> outcome {
        to.add(std::to_string(n.id));
        return ack.then(note_when_open(to, here, n, c.payload()));
    });
    s.start();
    s.send("in", R"({"id":1,"customer":""})");
    s.send("in", R"({"id":2,"customer":""})");
    EXPECT_EQ(j.joined(), "1 2");
}

TEST_F(continuation, does_not_run_when_what_was_published_could_not_leave) {
    static constexpr topic<order> full{"full"};
    service small({.capacity = 1, .full = memory::when_full::fail});
    small.app.provide(g);
    small.memory.subscribe("full", [](const order&, gate& here) -> task<void> { co_await here.open.wait(); });
    small.memory.subscribe(
        "in",
        [this](const order& o, out<full> to) {
            to.publish({o.id});
            return ack.then(note(j, std::to_string(o.id)));
        },
        retries{.backoff = constant(1s)});
    small.start();
    small.send("in", order_json(1));
    small.send("in", order_json(2));
    EXPECT_EQ(j.joined(), "1");
    EXPECT_EQ(small.counters("in").retried, 1u);
}

TEST_F(continuation, is_one_of_a_bounded_number) {
    int handled = 0;
    const auto waits = [](gate& here) -> task<void> { co_await here.open.wait(); };
    s.memory.subscribe("in", [&](const order&) {
        ++handled;
        return ack.then(waits(g));
    });
    s.start();
    s.send_orders("in", 1, 3000);
    EXPECT_GE(handled, 1024);
    EXPECT_LT(handled, 1024 + 64) << "the handler pauses when a thousand of them have not ended";
    g.open.set();
    s.run();
    EXPECT_EQ(handled, 3000);
}

TEST_F(continuation, is_waited_for_by_a_shutdown) {
    service patient({}, {.drain = 1h});
    const auto lasts = [](journal& to) -> task<void> {
        co_await sleep_for(0s);
        co_await sleep_for(0s);
        to.add("ended");
    };
    patient.memory.subscribe("in", [&](const order&) { return ack.then(lasts(j)); });
    patient.start();
    EXPECT_FALSE(patient.publish("in", order_json(1)));
    while (patient.counters("in").acked == 0) patient.running->run_ready();
    EXPECT_TRUE(patient.shutdown().complete);
    EXPECT_EQ(j.joined(), "ended");
}

TEST_F(continuation, that_does_not_end_in_time_is_cancelled_and_destroyed) {
    struct tracer {
        journal& to;
        ~tracer() { to.add("destroyed"); }
    };
    const auto waits = [](journal& to, gate& here) -> task<void> {
        const tracer t{to};
        try {
            co_await here.open.wait();
        } catch (const error& e) {
            to.add(e.code() == errc::cancelled ? "cancelled" : "?");
            throw;
        }
    };
    s.memory.subscribe("in", [&](const order&) { return ack.then(waits(j, g)); });
    s.start();
    s.send("in", order_json(1));
    const drain_report r = s.shutdown();
    EXPECT_FALSE(r.complete);
    EXPECT_TRUE(r.leftovers.empty()) << "its delivery had been settled";
    EXPECT_EQ(j.joined(), "cancelled destroyed");
}

}  // namespace
}  // namespace weir::test
