// Stopping: in which order, how long, and that nothing is lost.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"
#include "support/tally.hpp"

#include <weir/runtime/task_group.hpp>

#include <thread>

namespace weir::test {
namespace {

task<void> waits(const order& o, gate& g, journal& j) {
    j.add("+" + std::to_string(o.id));
    co_await g.open.wait();
    j.add("-" + std::to_string(o.id));
}
/// Opens the gate in a later turn of the loop, that is while the drain waits.
task<void> open_later(gate& g) {
    co_await sleep_for(0s);
    co_await sleep_for(0s);
    g.open.set();
}

class stopping : public testing::Test {
protected:
    explicit stopping(nanos drain = 0s)
        : s({.drain = drain}), broker(s.app.use(scripted_broker<can_delay>{told})) {
        s.app.provide(j).provide(g);
    }
    void deliver(int first, int last) {
        for (int id = first; id <= last; ++id) told.deliver("in", order_json(id));
        s.run();
    }
    std::string seen() const {
        return told.seen(
            {"publish", "ack", "nack", "reject", "give", "stop", "close", "shutdown", "disconnect"});
    }
    script told;
    journal j;
    gate g;
    driven s;
    attached<scripted_broker<can_delay>>& broker;
};
struct stopping_patiently : stopping {
    stopping_patiently() : stopping(1h) {}
};

TEST_F(stopping, ends_everything_in_reverse_order) {
    script other;
    auto& second = s.app.use(scripted_broker<>{other});
    broker.subscribe("a", [](const order&) {});
    broker.subscribe("b", [](const order&) {});
    second.subscribe("c", [](const order&) {});
    s.start();
    EXPECT_TRUE(s.shutdown().complete);
    EXPECT_EQ(seen(), "stop a, stop b, close b, close a, shutdown, disconnect");
    EXPECT_EQ(other.calls, (std::vector<std::string>{"connect", "subscribe c", "stop c", "close c",
                                                     "shutdown", "disconnect"}));
    EXPECT_EQ(s.running->health().state, health_state::stopped);
    EXPECT_EQ(s.log.last("stopped").field("unsettled"), "0");
}

TEST_F(stopping, twice_returns_the_first_report) {
    broker.subscribe("in", waits);
    s.start();
    deliver(1, 1);
    const drain_report first = s.shutdown();
    const drain_report second = s.shutdown();
    EXPECT_FALSE(first.complete);
    EXPECT_FALSE(second.complete);
    EXPECT_EQ(first.leftovers.size(), second.leftovers.size());
    EXPECT_EQ(std::ranges::count(told.calls, "shutdown"), 1);
}

TEST_F(stopping, keeps_counters_to_be_asked_for_afterwards) {
    broker.subscribe("in", [](const order&) {});
    s.start();
    deliver(1, 3);
    s.shutdown();
    EXPECT_EQ(s.counters("in").acked, 3u);
    EXPECT_EQ(s.running->subscriptions()[0].broker, "scripted");
}

TEST_F(stopping_patiently, lets_the_handler_that_is_at_work_finish_and_gives_the_rest_back) {
    broker.subscribe("in", waits);
    s.start();
    deliver(1, 3);
    spawn(s.running->first_loop(), open_later(g));
    const drain_report r = s.shutdown();
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(j.joined(), "+1 -1");
    EXPECT_EQ(seen(),
              "give back 3 untouched, give back 2 untouched, stop in, ack 1, close in, shutdown, disconnect");
}

TEST_F(stopping_patiently, lets_every_slot_finish) {
    broker.subscribe("in", waits, workers(3));
    s.start();
    deliver(1, 5);
    spawn(s.running->first_loop(), open_later(g));
    EXPECT_TRUE(s.shutdown().complete);
    EXPECT_EQ(j.joined(), "+1 +2 +3 -1 -2 -3");
    EXPECT_EQ(told.seen({"ack", "give"}), "give back 5 untouched, give back 4 untouched, ack 1 2 3");
}

TEST_F(stopping_patiently, publishes_what_the_last_handlers_published) {
    static constexpr topic<order> copies{"copies"};
    broker.subscribe("in", [](const order& o, gate& here, out<copies> to) -> task<void> {
        co_await here.open.wait();
        to.publish({o.id});
    });
    s.start();
    deliver(1, 1);
    spawn(s.running->first_loop(), open_later(g));
    EXPECT_TRUE(s.shutdown().complete);
    EXPECT_EQ(told.seen({"publish", "ack"}), R"(publish copies {"id":1}, ack 1)");
}

TEST_F(stopping, cancels_at_the_deadline_and_settles_nothing_more) {
    broker.subscribe("in", [](const order&, gate& here, journal& to) -> task<void> {
        try {
            co_await here.open.wait();
        } catch (const error& e) {
            to.add(e.code() == errc::cancelled ? "cancelled" : e.what());
            throw;
        }
    });
    s.start();
    deliver(1, 2);
    const drain_report r = s.shutdown();
    EXPECT_FALSE(r.complete);
    ASSERT_EQ(r.leftovers.size(), 1u);
    EXPECT_EQ(r.leftovers[0].subscription, "in");
    EXPECT_EQ(r.leftovers[0].deliveries, 1u);
    EXPECT_EQ(j.joined(), "cancelled");
    EXPECT_EQ(told.seen({"ack", "nack", "reject", "give"}), "give back 2 untouched, give back 1 started");
    EXPECT_EQ(s.counters("in").exceptions, 0u) << "the cancellation is no failure of the handler's";
    EXPECT_EQ(s.log.last("deliveries were left unsettled").field("deliveries"), "1");
}

TEST_F(stopping, does_not_acknowledge_what_a_handler_cut_short_by_swallowing_its_cancellation) {
    broker.subscribe("in", [](const order&, gate& here, journal& to) -> task<void> {
        try {
            co_await here.open.wait();
        } catch (const error&) {
            to.add("swallowed");
        }
    });
    s.start();
    deliver(1, 1);
    s.shutdown();
    EXPECT_EQ(j.joined(), "swallowed");
    EXPECT_EQ(told.seen({"ack", "nack", "give"}), "give back 1 started");
}

struct never {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};
struct tracer {
    journal& to;
    ~tracer() { to.add("destroyed"); }
};

TEST_F(stopping, destroys_a_handler_that_never_finishes_and_reports_it) {
    broker.subscribe("in", [](const order&, journal& to) -> task<void> {
        const tracer t{to};
        never forever;
        co_await forever;
    });
    s.start();
    deliver(1, 1);
    const drain_report r = s.shutdown();
    EXPECT_FALSE(r.complete);
    ASSERT_EQ(r.leftovers.size(), 1u);
    EXPECT_EQ(j.joined(), "destroyed");
    EXPECT_EQ(told.seen({"give"}), "give back 1 started");
    EXPECT_EQ(seen(), "stop in, give back 1 started, close in, shutdown, disconnect");
}

TEST_F(stopping_patiently, ends_at_once_when_it_is_forced) {
    broker.subscribe("in", waits);
    s.start();
    deliver(1, 1);
    const auto force_later = [](running_application& running) -> task<void> {
        co_await sleep_for(0s);
        running.force();
    };
    spawn(s.running->first_loop(), force_later(*s.running));
    const drain_report r = s.shutdown();
    EXPECT_FALSE(r.complete);
    EXPECT_EQ(told.seen({"give"}), "give back 1 started");
}

TEST_F(stopping_patiently, may_be_forced_before_it_begins) {
    broker.subscribe("in", waits);
    s.start();
    deliver(1, 1);
    s.running->force();
    s.running->force();
    EXPECT_FALSE(s.shutdown().complete);
}

TEST_F(stopping_patiently, says_so_meanwhile) {
    broker.subscribe("in", waits);
    s.start();
    deliver(1, 1);
    const auto look = [](running_application& running, gate& here, journal& to) -> task<void> {
        co_await sleep_for(0s);
        to.add(std::string{to_string(running.health().state)});
        here.open.set();
    };
    spawn(s.running->first_loop(), look(*s.running, g, j));
    s.shutdown();
    EXPECT_EQ(j.joined(), "+1 shutting down -1");
    EXPECT_EQ(to_string(s.running->health().state), "stopped");
}

TEST_F(stopping_patiently, waits_for_the_time_the_runtime_says) {
    broker.subscribe("in", waits);
    s.start();
    deliver(1, 1);
    const auto pass_time = [](manual_clock& time, journal& to) -> task<void> {
        co_await sleep_for(0s);
        time.advance(1h - 1ns);
        co_await sleep_for(0s);
        to.add("nearly");
        time.advance(1ns);
    };
    spawn(s.running->first_loop(), pass_time(s.time, j));
    EXPECT_FALSE(s.shutdown().complete);
    EXPECT_EQ(j.joined(), "+1 nearly");
}

TEST_F(stopping, tells_that_a_broker_did_not_shut_down_cleanly_and_still_ends_the_others) {
    script other;
    s.app.use(scripted_broker<>{other});
    other.refuse_shutdown = "the flush failed";
    s.start();
    EXPECT_EQ(text_of([&] { s.shutdown(); }), "weir: the shutdown failed: the flush failed");
    EXPECT_EQ(told.calls.back(), "disconnect");
    EXPECT_EQ(other.calls.back(), "disconnect");
}

// ---------------------------------------------------------------- fail_fast

TEST_F(stopping, by_a_failure_policy_leaves_the_message_unsettled_and_reads_nothing_more) {
    broker.subscribe(
        "in",
        [](const order& o) {
            if (o.id == 2) throw std::runtime_error("broken");
        },
        on_failure{.exception = fail_fast});
    broker.subscribe("other", [this](const order&) { j.add("other"); });
    s.start();
    deliver(1, 3);
    EXPECT_EQ(s.running->health().state, health_state::failed);
    EXPECT_EQ(s.running->health().reason, "subscription 'in', scripted message 2: broken");
    EXPECT_EQ(told.seen({"ack", "nack", "give", "stop"}),
              "give back 3 untouched, stop in, ack 1, give back 2 started, stop other");
    told.deliver("other", order_json(1));
    s.run();
    EXPECT_EQ(j.joined(), "");
    EXPECT_EQ(
        text_of([&] { s.shutdown(); }),
        "weir: a failure policy stopped the application: subscription 'in', scripted message 2: broken");
    EXPECT_EQ(s.running->health().state, health_state::failed) << "it stays failed";
    EXPECT_EQ(told.calls.back(), "disconnect");
}

TEST_F(stopping, by_a_failure_policy_of_exhausted_attempts) {
    broker.subscribe(
        "in", [](const order&) -> outcome { return retry; }, retries{.attempts = 3},
        on_failure{.exhausted = fail_fast});
    s.start();
    told.deliver("in", order_json(1), 3);
    s.run();
    EXPECT_EQ(s.running->health().reason, "subscription 'in', scripted message 1: attempts exhausted");
    EXPECT_EQ(told.seen({"ack", "nack", "reject", "give"}), "give back 1 started");
    EXPECT_THROW(s.shutdown(), error);
}

}  // namespace
}  // namespace weir::test
