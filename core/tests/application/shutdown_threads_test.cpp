// Stopping an application that has threads of its own, from whichever thread.
#include "support/service.hpp"
#include "support/tally.hpp"

#include <thread>

namespace weir::test {
namespace {

TEST(stopping_on_threads, by_a_failure_policy_wakes_whoever_waits) {
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    auto& memory = app.use(memory::broker{});
    memory.subscribe("a", [](const order&) {});
    memory.subscribe(
        "b", [](const order&) { throw std::runtime_error("broken"); }, on_failure{.exception = fail_fast});
    auto running = app.start();
    running.publisher().publish("b", order{1}).wait_for(60s);
    running.wait();
    EXPECT_EQ(running.health().state, health_state::failed);
    EXPECT_EQ(code_of([&] { running.shutdown(); }), errc::failed_fast);
}

TEST(stopping_on_threads, drains_many_subscriptions_on_several_threads) {
    constexpr int subscriptions = 40, each = 25;
    log_collector log;
    application app({}, {.threads = 4});
    app.log(log);
    auto& memory = app.use(memory::broker{});
    tally begun, ended;
    app.provide(shared(begun));
    struct second_tally {
        tally& ended;
    } second{ended};
    app.provide(shared(second));
    for (int i = 0; i != subscriptions; ++i)
        memory.subscribe(
            "in." + std::to_string(i),
            [](const order&, tally& in, second_tally& to) -> task<void> {
                in.add();
                co_await sleep_for(1ms);
                to.ended.add();
            },
            workers(8));
    auto running = app.start();
    const publisher p = running.publisher();
    for (int i = 0; i != subscriptions; ++i)
        for (int k = 0; k != each; ++k) p.publish("in." + std::to_string(i), order{k}).wait_for(60s);
    begun.wait_for(subscriptions);
    const drain_report r = running.shutdown();
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(begun.count(), ended.count()) << "what had begun has ended";
    std::uint64_t acked = 0;
    for (const subscription_report& s : running.subscriptions()) acked += s.counters.acked;
    EXPECT_EQ(acked, static_cast<std::uint64_t>(ended.count()));
}

TEST(stopping_on_threads, may_be_asked_for_by_several_threads_at_once) {
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    auto& memory = app.use(memory::broker{});
    memory.subscribe("in", [](const order&) {});
    auto running = app.start();
    std::vector<std::thread> all;
    tally complete;
    for (int i = 0; i != 4; ++i)
        all.emplace_back([&] {
            if (running.shutdown().complete) complete.add();
        });
    running.wait();
    for (std::thread& t : all) t.join();
    EXPECT_EQ(complete.count(), 4);
}

TEST(stopping_on_threads, is_refused_to_a_handler_that_would_wait_for_itself) {
    log_collector log;
    application app;
    app.log(log);
    auto& memory = app.use(memory::broker{});
    std::optional<running_application> running;
    std::error_code code;
    tally handled;
    memory.subscribe("in", [&](const order&) {
        code = code_of([&] { running->shutdown(); });
        handled.add();
    });
    running.emplace(app.start());
    running->publisher().publish("in", order{1}).wait_for(60s);
    handled.wait_for(1);
    EXPECT_TRUE(running->shutdown().complete);
    EXPECT_EQ(code, errc::misuse);
}

TEST(stopping_on_threads, happens_when_the_running_application_is_dropped) {
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    app.use(memory::broker{}).subscribe("in", [](const order&) {});
    { const auto running = app.start(); }
    EXPECT_EQ(log.count("stopped"), 1u);
}

TEST(stopping_on_threads, happens_when_the_application_is_destroyed_while_it_runs) {
    log_collector log;
    tally handled;
    std::optional<running_application> running;
    std::optional<publisher> p;
    {
        application app({}, {.threads = 2});
        app.log(log);
        app.use(memory::broker{}).subscribe("in", [&](const order&) { handled.add(); });
        running.emplace(app.start());
        p.emplace(running->publisher());
        p->publish("in", order{1}).wait_for(60s);
        handled.wait_for(1);
    }
    EXPECT_EQ(log.count("stopped"), 1u);
    EXPECT_EQ(p->publish("in", order{2}).try_now(), errc::closed);
    EXPECT_EQ(running->health().state, health_state::stopped);
}

}  // namespace
}  // namespace weir::test
