// The publisher that any thread may hold, before, during and after the run.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"
#include "support/tally.hpp"

#include <weir/runtime/task_group.hpp>

#include <limits>
#include <thread>

namespace weir::test {
namespace {

inline constexpr topic<order> orders{"orders"};

task<void> publish_and_note(publisher p, int id, journal& j) {
    try {
        order o{id};
        co_await p.publish(orders, o);
        j.add("published " + std::to_string(id));
    } catch (const error& e) {
        j.add(e.what());
    }
}

TEST(publisher_of_an_application, answers_not_started_before_the_start) {
    service s;
    const publisher p = s.memory.publisher();
    EXPECT_EQ(p.publish(orders, {1}).try_now(), errc::not_started);
    EXPECT_EQ(p.publish(orders, {1}).try_wait_for(1h), errc::not_started);
    EXPECT_EQ(text_of([&] { p.publish(orders, {1}).wait_for(1h); }),
              "weir: publishing to 'orders' on broker 'memory' failed: not started");
}

TEST(publisher_of_an_application, of_before_the_start_is_good_after_it) {
    service s;
    const publisher p = s.memory.publisher();
    int seen = 0;
    s.memory.subscribe(orders, [&seen](const order& o) { seen = o.id; });
    s.start();
    EXPECT_EQ(p.publish(orders, {7}).try_now(), std::error_code{});
    s.run();
    EXPECT_EQ(seen, 7);
}

TEST(publisher_of_an_application, answers_closed_after_the_shutdown) {
    std::optional<publisher> p;
    std::optional<publish_operation> begun;
    {
        service s;
        s.memory.subscribe(orders, [](const order&) {});
        s.start();
        p.emplace(s.running->publisher());
        begun.emplace(p->publish(orders, {1}));
        s.shutdown();
        EXPECT_EQ(p->publish(orders, {1}).try_now(), errc::closed);
    }
    EXPECT_EQ(p->publish(orders, {1}).try_now(), errc::closed);
    EXPECT_EQ(p->publish(orders, {1}).try_wait_for(1h), errc::closed);
    EXPECT_EQ(std::move(*begun).try_now(), errc::closed);
}

TEST(publisher_of_an_application, publishes_nothing_for_an_operation_that_is_dropped) {
    service s;
    s.memory.subscribe(orders, [](const order&) {});
    s.start();
    { const publish_operation dropped = s.running->publisher().publish(orders, {1}); }
    s.run();
    EXPECT_EQ(s.memory.connection().counters().published, 0u);
}

TEST(publisher_of_an_application, has_encoded_the_message_when_publish_returns) {
    int seen = 0;
    service s;
    s.memory.subscribe(orders, [&seen](const order& o) { seen = o.id; });
    s.start();
    order o{1};
    publish_operation op = s.running->publisher().publish(orders, o);
    o.id = 2;
    EXPECT_FALSE(std::move(op).try_now());
    s.run();
    EXPECT_EQ(seen, 1);
}

TEST(publisher_of_an_application, carries_headers) {
    headers seen;
    service s;
    s.memory.subscribe(orders, [&seen](const order&, const headers& h) { seen = h; });
    s.start();
    EXPECT_FALSE(s.running->publisher().publish(orders, {1}, {{"Kind", "new"}}).try_now());
    s.run();
    EXPECT_EQ(seen, (headers{{"kind", "new"}}));
}

TEST(publisher_of_an_application, throws_where_a_message_cannot_be_encoded) {
    service s;
    s.start();
    EXPECT_EQ(
        code_of([&] {
            static_cast<void>(s.running->publisher().publish("x", std::numeric_limits<double>::quiet_NaN()));
        }),
        errc::unencodable);
}

TEST(publisher_of_an_application, is_awaited_in_a_task) {
    journal j;
    service s;
    s.memory.subscribe(orders, [&j](const order& o) { j.add("handled " + std::to_string(o.id)); });
    s.start();
    spawn(s.running->first_loop(), publish_and_note(s.running->publisher(), 1, j));
    s.run();
    EXPECT_EQ(j.joined(), "published 1 handled 1");
}

TEST(publisher_of_an_application, is_awaited_in_a_handler) {
    journal j;
    service s;
    const publisher p = s.memory.publisher();
    s.app.provide(j).provide(p);
    s.memory.subscribe("in", [](const order& o, const publisher& to, journal& log) -> task<void> {
        co_await publish_and_note(to, o.id, log);
    });
    s.memory.subscribe(orders, [&j](const order& o) { j.add("handled " + std::to_string(o.id)); });
    s.start();
    s.send("in", order_json(4));
    EXPECT_EQ(j.joined(), "published 4 handled 4");
}

TEST(publisher_of_an_application, tells_a_task_what_went_wrong) {
    journal j;
    service s({.max_payload = 3});
    s.start();
    spawn(s.running->first_loop(), publish_and_note(s.running->publisher(), 1, j));
    s.run();
    EXPECT_EQ(j.joined(), "weir: publishing to 'orders' on broker 'memory' failed: message too large");
}

TEST(publisher_of_an_application, refuses_to_block_a_thread_that_drives_a_loop) {
    std::error_code tried;
    std::string text;
    service s;
    const publisher p = s.memory.publisher();
    s.memory.subscribe("in", [&](const order&) {
        tried = p.publish(orders, {1}).try_wait_for(1h);
        text = text_of([&] { p.publish(orders, {1}).wait_for(1h); });
    });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(tried, errc::misuse);
    EXPECT_EQ(
        text,
        "weir: wait_for on 'orders' would stop the run loop of this thread - co_await the operation instead");
    EXPECT_EQ(s.memory.connection().counters().published, 1u);
}

TEST(publisher_of_an_application, of_several_brokers_has_to_be_asked_for_by_broker) {
    script told;
    service s;
    auto& other = s.app.use(scripted_broker<>{told});
    s.start();
    EXPECT_EQ(
        text_of([&] { s.running->publisher(); }),
        "weir: the application uses 2 brokers - ask the one you mean: app.use(...) returns it, and it has "
        "publisher()");
    EXPECT_FALSE(other.publisher().publish(orders, {1}).try_now());
    EXPECT_EQ(told.published.size(), 1u);
    EXPECT_EQ(s.memory.connection().counters().published, 0u);
}

// ---------------------------------------------------------------- a broker that confirms

class confirming : public testing::Test {
protected:
    confirming() : broker(s.app.use(scripted_broker<>{told})) {
        told.publishes = publish_status::sent;
        s.start();
        spawn(s.running->first_loop(), publish_and_note(s.running->publisher(), 1, j));
        s.run();
    }
    script told;
    journal j;
    driven s;
    attached<scripted_broker<>>& broker;
};

TEST_F(confirming, lets_a_task_wait_for_the_confirmation) {
    EXPECT_EQ(told.published.size(), 1u);
    EXPECT_EQ(j.joined(), "");
    told.answer(publish_status::done);
    s.run();
    EXPECT_EQ(j.joined(), "published 1");
}

TEST_F(confirming, tells_a_task_that_the_server_refused) {
    told.answer(publish_status::failed);
    s.run();
    EXPECT_EQ(j.size(), 1u);
    EXPECT_NE(j.joined().find("weir: publishing to 'orders' on broker 'scripted' failed: "),
              std::string::npos);
    EXPECT_EQ(told.published.size(), 1u) << "and does not publish it again";
}

TEST_F(confirming, is_not_waited_for_by_now_or_never) {
    EXPECT_FALSE(s.running->publisher().publish(orders, {2}).try_now());
    EXPECT_EQ(told.published.size(), 2u);
}

// ---------------------------------------------------------------- foreign threads

TEST(publisher_on_foreign_threads, serves_four_of_them_while_two_loops_run) {
    constexpr int threads = 4, each = 500;
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 64}});
    tally handled;
    memory.subscribe("a", [&](const order&) { handled.add(); });
    memory.subscribe("b", [&](const order&) { handled.add(); });
    memory.subscribe(memory::pattern("*"), [&](const order&) { handled.add(); });
    auto running = app.start();
    std::vector<std::thread> all;
    for (int t = 0; t != threads; ++t)
        all.emplace_back([&, t] {
            const publisher p = running.publisher();
            for (int i = 0; i != each; ++i)
                p.publish(i % 2 == 0 ? "a" : "b", order{t * each + i}).wait_for(60s);
        });
    for (std::thread& t : all) t.join();
    handled.wait_for(2 * threads * each);
    running.shutdown();
    EXPECT_EQ(handled.count(), 2 * threads * each);
}

TEST(publisher_on_foreign_threads, may_go_on_while_the_application_stops) {
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 4}});
    tally handled;
    memory.subscribe("in", [&](const order&) { handled.add(); });
    auto running = app.start();
    std::vector<std::thread> all;
    tally wrong;
    for (int t = 0; t != 4; ++t)
        all.emplace_back([&] {
            const publisher p = running.publisher();
            std::error_code code;
            while (!code) code = p.publish("in", order{1}).try_wait_for(60s);
            if (code != errc::closed) wrong.add();
        });
    handled.wait_for(100);
    running.shutdown();
    for (std::thread& t : all) t.join();
    EXPECT_EQ(wrong.count(), 0);
}

TEST(publisher_on_foreign_threads, may_come_before_the_start_and_outlive_the_application) {
    tally started, ended;
    std::thread foreign;
    tally wrong;
    {
        log_collector log;
        application app;
        app.log(log);
        auto& memory = app.use(memory::broker{});
        memory.subscribe("in", [](const order&) {});
        foreign = std::thread([&started, &ended, &wrong, p = memory.publisher()] {
            if (p.publish("in", order{1}).try_now() != errc::not_started) wrong.add();
            started.add();
            for (std::error_code code; code != errc::closed; code = p.publish("in", order{1}).try_now())
                if (code && code != errc::not_started) wrong.add();
            ended.add();
        });
        started.wait_for(1);
        auto running = app.start();
        running.publisher().publish("in", order{2}).wait_for(60s);
        running.shutdown();
        ended.wait_for(1);
    }
    foreign.join();
    EXPECT_EQ(wrong.count(), 0);
}

}  // namespace
}  // namespace weir::test
