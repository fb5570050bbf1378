// Starting: in which order, what is refused, and what a start that fails leaves behind.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

#include <atomic>

namespace weir::test {
namespace {

class starting : public testing::Test {
protected:
    std::string seen(const script& told) const {
        return told.seen({"connect", "subscribe", "stop", "close", "shutdown", "disconnect"});
    }
    script first, second;
    driven s;
    attached<scripted_broker<>>& a = s.app.use(scripted_broker<>{first});
    attached<scripted_broker<>>& b = s.app.use(scripted_broker<>{second});
};

TEST_F(starting, connects_the_brokers_in_order_and_then_opens_the_subscriptions) {
    script both;
    driven d;
    auto& x = d.app.use(scripted_broker<>{both});
    auto& y = d.app.use(scripted_broker<>{both});
    x.subscribe("x", [](const order&) {});
    y.subscribe("y", [](const order&) {});
    d.start();
    EXPECT_EQ(seen(both), "connect, connect, subscribe x, subscribe y");
    EXPECT_EQ(d.running->health().state, health_state::running);
    const auto line = d.log.last("started");
    EXPECT_EQ(line.field("service"), "test");
    EXPECT_EQ(line.field("brokers"), "2");
    EXPECT_EQ(line.field("subscriptions"), "2");
}

TEST_F(starting, shuts_the_first_broker_down_when_the_second_one_cannot_connect) {
    second.refuse_connect = "nobody listens";
    EXPECT_EQ(s.refusal(), "weir: connecting to broker 'scripted' failed: nobody listens");
    EXPECT_EQ(seen(first), "connect, shutdown, disconnect");
    EXPECT_EQ(seen(second), "connect");
    EXPECT_EQ(a.publisher().publish("x", bytes{}).try_now(), errc::closed);
}

TEST_F(starting, shuts_everything_down_when_a_subscription_cannot_be_opened) {
    a.subscribe("x", [](const order&) {});
    b.subscribe("y", [](const order&) {});
    second.refuse_subscribe = "no such stream";
    EXPECT_EQ(s.refusal(), "weir: subscription 'y' on broker 'scripted' could not be opened: no such stream");
    EXPECT_EQ(seen(first), "connect, subscribe x, stop x, close x, shutdown, disconnect");
    EXPECT_EQ(seen(second), "connect, subscribe y, shutdown, disconnect");
}

TEST_F(starting, keeps_the_code_of_the_cause) {
    second.refuse_subscribe = "no such stream";
    b.subscribe("y", [](const order&) {});
    EXPECT_EQ(code_of([&] { s.start(); }), errc::invalid_name);
}

TEST_F(starting, connects_nothing_when_something_is_wrong_with_the_subscriptions) {
    a.subscribe("x", [](const order&, journal&) {});
    EXPECT_NE(s.refusal(), "");
    EXPECT_TRUE(first.calls.empty());
}

TEST_F(starting, says_so_when_the_shutdown_after_a_failure_fails_as_well) {
    second.refuse_connect = "nobody listens";
    first.refuse_shutdown = "stuck";
    EXPECT_EQ(s.refusal(), "weir: connecting to broker 'scripted' failed: nobody listens")
        << "the first cause";
    EXPECT_EQ(s.log.last("a broker did not shut down cleanly").field("error"), "stuck");
    EXPECT_EQ(seen(first), "connect, shutdown, disconnect");
}

TEST_F(starting, twice_is_refused) {
    s.start();
    EXPECT_EQ(text_of([&] { s.app.start_here(); }),
              "weir: an application runs once - make a new one to run again");
    EXPECT_EQ(code_of([&] { s.app.start(); }), errc::misuse);
    EXPECT_EQ(code_of([&] { s.app.run(); }), errc::misuse);
    EXPECT_EQ(s.running->health().state, health_state::running);
}

TEST_F(starting, again_after_a_failure_is_refused_because_the_brokers_are_consumed) {
    second.refuse_connect = "nobody listens";
    EXPECT_NE(s.refusal(), "");
    second.refuse_connect.clear();
    EXPECT_EQ(code_of([&] { s.start(); }), errc::misuse);
}

TEST_F(starting, seals_the_application) {
    s.start();
    journal j;
    EXPECT_EQ(
        text_of([&] { a.subscribe("late", [](const order&) {}); }),
        "weir: subscription 'late' comes after the start - subscribe before start(), run() or run_until()");
    EXPECT_EQ(text_of([&] { s.app.provide(j); }),
              "weir: provide(x) comes after the start - provide it before");
    EXPECT_EQ(text_of([&] { s.app.use(scripted_broker<>{first}); }),
              "weir: use(broker) comes after the start - use it before");
    router r;
    r.subscribe("late", [](const order&) {});
    EXPECT_EQ(code_of([&] { a.include(r); }), errc::misuse);
}

TEST_F(starting, delivers_what_came_before_the_loop_ran) {
    int handled = 0;
    a.subscribe("x", [&handled](const order&) { ++handled; });
    s.running.emplace(s.app.start_here());
    first.deliver("x", order_json(1));
    s.run();
    EXPECT_EQ(handled, 1);
}

TEST(start, of_an_application_with_nothing_in_it_works) {
    driven s;
    s.start();
    EXPECT_TRUE(s.running->subscriptions().empty());
    EXPECT_EQ(code_of([&] { s.running->publisher(); }), errc::misuse) << "there is no broker to publish on";
    EXPECT_TRUE(s.shutdown().complete);
}

TEST(start, with_no_threads_or_far_too_many_is_refused) {
    for (const unsigned n : {0u, 1025u}) {
        application app({}, {.threads = n});
        EXPECT_EQ(text_of([&] { app.start(); }), "weir: runtime.threads must be between 1 and 1024") << n;
    }
}

TEST(start, on_threads_of_its_own_returns_once_it_runs) {
    log_collector log;
    application app({}, {.threads = 3});
    app.log(log);
    auto& memory = app.use(memory::broker{});
    memory.subscribe("in", [](const order&) {});
    auto running = app.start();
    EXPECT_EQ(running.health().state, health_state::running);
    EXPECT_EQ(log.last("started").field("threads"), "3");
    EXPECT_TRUE(running.shutdown().complete);
    EXPECT_EQ(running.health().state, health_state::stopped);
}

TEST(start, that_fails_on_threads_of_its_own_throws_on_the_calling_thread) {
    script told;
    told.refuse_connect = "nobody listens";
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    app.use(scripted_broker<>{told});
    EXPECT_EQ(text_of([&] { app.start(); }), "weir: connecting to broker 'scripted' failed: nobody listens");
}

TEST(application, that_is_never_started_leaves_nothing) {
    script told;
    {
        application app;
        app.use(scripted_broker<>{told}).subscribe("x", [](const order&) {});
    }
    EXPECT_TRUE(told.calls.empty());
}

TEST(application, knows_who_it_is) {
    const application app{{"billing", "1.4.0", "sends invoices"}};
    EXPECT_EQ(app.info().title, "billing");
    EXPECT_EQ(app.info().version, "1.4.0");
    EXPECT_EQ(app.info().description, "sends invoices");
}

TEST(application, says_nothing_below_the_level_it_was_given) {
    service s;
    s.app.log(s.log, log_level::warning);
    s.memory.subscribe("in", [](const order&) -> outcome { return reject("no"); });
    s.start();
    s.send("in", order_json(1));
    s.shutdown();
    EXPECT_EQ(s.log.lines().size(), 1u) << s.log.dump();
    EXPECT_EQ(s.log.count("message rejected"), 1u);
}

// ---------------------------------------------------------------- run_until, main

TEST(run_until, starts_runs_and_shuts_down) {
    log_collector log;
    application app;
    app.log(log);
    auto& broker = app.use(memory::broker{});
    int handled = 0;
    broker.subscribe("in", [&](const order& o) {
        handled += o.id;
        if (o.id < 5) {
            EXPECT_FALSE(broker.publisher().publish("in", order{o.id + 1}).try_now());
        }
    });
    bool sent = false;
    const drain_report r = app.run_until([&] {
        if (!std::exchange(sent, true)) {
            EXPECT_FALSE(broker.publisher().publish("in", order{1}).try_now());
        }
        return handled == 15;
    });
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(log.count("stopped"), 1u);
}

TEST(run_until, with_several_threads_notices_what_happens_on_the_others) {
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    auto& broker = app.use(memory::broker{});
    std::atomic<int> handled{0};
    broker.subscribe("a", [](const order&) {});
    broker.subscribe("b", [&](const order&) { ++handled; });  // on the second thread
    bool sent = false;
    app.run_until([&] {
        if (!std::exchange(sent, true)) {
            EXPECT_FALSE(broker.publisher().publish("b", order{1}).try_now());
        }
        return handled == 1;
    });
    EXPECT_EQ(handled, 1);
}

TEST(run_until, throws_when_a_failure_policy_stops_the_application) {
    log_collector log;
    application app;
    app.log(log);
    auto& broker = app.use(memory::broker{});
    broker.subscribe(
        "in", [](const order&) { throw std::runtime_error("broken"); }, on_failure{.exception = fail_fast});
    bool sent = false;
    const auto run = [&] {
        app.run_until([&] {
            if (!std::exchange(sent, true)) {
                EXPECT_FALSE(broker.publisher().publish("in", order{1}).try_now());
            }
            return false;
        });
    };
    EXPECT_EQ(text_of(run),
              "weir: a failure policy stopped the application: subscription 'in', memory message 1 of 'in': "
              "broken");
}

TEST(main, knows_its_arguments) {
    application app{{"billing", "1.4.0", "sends invoices"}};
    const auto call = [&app](std::vector<const char*> words) {
        words.insert(words.begin(), "billing");
        return weir::main(app, static_cast<int>(words.size()), const_cast<char**>(words.data()));
    };
    testing::internal::CaptureStdout();
    EXPECT_EQ(call({"--version"}), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "billing 1.4.0\n");
    testing::internal::CaptureStdout();
    EXPECT_EQ(call({"--help"}), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout().find("billing 1.4.0: sends invoices\n"), 0u);
    testing::internal::CaptureStderr();
    EXPECT_EQ(call({"--nonsense"}), 2);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "billing: unknown argument '--nonsense' - see --help\n");
    testing::internal::CaptureStderr();
    EXPECT_EQ(call({"run", "twice"}), 2);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("'twice'"), std::string::npos);
}

TEST(main, says_on_standard_error_why_it_failed) {
    script told;
    told.refuse_connect = "nobody listens";
    application app{{"billing", "1"}};
    app.log(log_level::off);
    app.use(scripted_broker<>{told});
    char name[] = "billing";
    char* words[] = {name, nullptr};
    testing::internal::CaptureStderr();
    EXPECT_EQ(weir::main(app, 1, words), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "billing: weir: connecting to broker 'scripted' failed: nobody listens\n");
}

}  // namespace
}  // namespace weir::test
