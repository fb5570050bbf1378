// Bounded queues: what a full one does, and who waits for room how.
#include "support/service.hpp"
#include "support/tally.hpp"

#include <weir/runtime/task_group.hpp>

#include <thread>

namespace weir::test {
namespace {

using memory::when_full;

/// A handler that takes nothing but what it is let.
task<void> handle_when_open(const order& o, gate& g, journal& j) {
    co_await g.open.wait();
    j.add(std::to_string(o.id));
}

class full_queue : public testing::Test {
protected:
    explicit full_queue(memory::options o = {.capacity = 3}) : s(o) {
        s.app.provide(g).provide(j);
        s.memory.subscribe("in", handle_when_open);
        s.start();
    }
    void fill() {
        for (int id = 1; id <= 3; ++id) s.send("in", order_json(id));
    }
    memory::counters counters() { return s.memory.connection().counters(); }
    void open() {
        g.open.set();
        s.run();
    }
    gate g;
    journal j;
    service s;
};
struct full_queue_that_fails : full_queue {
    full_queue_that_fails() : full_queue({.capacity = 3, .full = when_full::fail}) {}
};
struct full_queue_that_drops : full_queue {
    full_queue_that_drops() : full_queue({.capacity = 3, .full = when_full::drop_oldest}) {}
};

TEST_F(full_queue, counts_what_waits_and_what_is_unsettled) {
    fill();
    EXPECT_EQ(counters().in_queues, 3u);
    EXPECT_EQ(s.publish("in", order_json(4)), errc::queue_full) << "now or never";
    EXPECT_EQ(counters().published, 3u);
    open();
    EXPECT_EQ(counters().in_queues, 0u);
    EXPECT_EQ(j.joined(), "1 2 3");
}

TEST_F(full_queue, has_room_again_for_each_message_that_is_settled) {
    fill();
    open();
    g.open.reset();
    fill();
    EXPECT_EQ(s.publish("in", order_json(4)), errc::queue_full);
}

task<void> publish_order(publisher p, int id, journal& j) {
    try {
        order o{id};
        co_await p.publish("in", o);
        j.add("published " + std::to_string(id));
    } catch (const error& e) {
        j.add(e.code().message() + " " + std::to_string(id));
    }
}

TEST_F(full_queue, lets_tasks_that_wait_in_one_by_one_in_the_order_they_came) {
    fill();
    task_group tasks(s.running->first_loop());
    for (int id = 4; id <= 6; ++id) tasks.spawn(publish_order(s.running->publisher(), id, j));
    s.run();
    EXPECT_EQ(j.joined(), "");
    open();
    std::vector<std::string> published, handled;
    for (const std::string& l : j.lines) (l.starts_with("published") ? published : handled).push_back(l);
    EXPECT_EQ(published, (std::vector<std::string>{"published 4", "published 5", "published 6"}));
    EXPECT_EQ(handled, (std::vector<std::string>{"1", "2", "3", "4", "5", "6"}));
}

TEST_F(full_queue, forgets_a_task_that_is_stopped_while_it_waits) {
    fill();
    {
        task_group tasks(s.running->first_loop());
        tasks.spawn(publish_order(s.running->publisher(), 4, j));
        s.run();
        tasks.request_stop();
        s.run();
        EXPECT_EQ(j.joined(), "cancelled 4");
    }
    open();
    EXPECT_EQ(j.joined(), "cancelled 4 1 2 3");
}

TEST_F(full_queue, passes_the_place_of_a_task_that_is_gone_on_to_the_next_one) {
    fill();
    auto first = std::make_unique<task_group>(s.running->first_loop());
    task_group second(s.running->first_loop());
    first->spawn(publish_order(s.running->publisher(), 4, j));
    s.run();
    second.spawn(publish_order(s.running->publisher(), 5, j));
    s.run();
    first.reset();  // destroyed while it waits
    open();
    EXPECT_EQ(counters().published, 4u);
    EXPECT_EQ(std::ranges::count(j.lines, "published 5"), 1);
}

TEST_F(full_queue, of_one_receiver_keeps_a_message_from_all_of_them) {
    gate closed;
    int quick = 0;
    service two({.capacity = 1});
    two.app.provide(closed);
    two.memory.subscribe("in", [](const order&, gate& here) -> task<void> { co_await here.open.wait(); });
    two.memory.subscribe("in", [&quick](const order&) { ++quick; });
    two.start();
    two.send("in", order_json(1));
    EXPECT_EQ(two.publish("in", order_json(2)), errc::queue_full);
    two.run();
    EXPECT_EQ(quick, 1) << "all of them or none";
    closed.open.set();
    two.run();
    EXPECT_EQ(two.publish("in", order_json(2)), std::error_code{});
    two.run();
    EXPECT_EQ(quick, 2);
}

TEST_F(full_queue, keeps_a_place_for_what_comes_again) {
    int attempts = 0;
    service one({.capacity = 1});
    one.memory.subscribe(
        "in", [&attempts](const order&) -> outcome { return ++attempts < 3 ? retry_in(1s) : outcome{ack}; });
    one.start();
    one.send("in", order_json(1));
    EXPECT_EQ(one.publish("in", order_json(2)), errc::queue_full) << "held for later, and in its place";
    one.advance(1s);
    one.advance(1s);
    EXPECT_EQ(attempts, 3);
    EXPECT_EQ(one.publish("in", order_json(2)), std::error_code{});
}

TEST_F(full_queue, tells_those_who_wait_that_it_closes) {
    fill();
    task_group tasks(s.running->first_loop());
    for (int id = 4; id <= 5; ++id) tasks.spawn(publish_order(s.running->publisher(), id, j));
    s.run();
    s.shutdown();
    s.run();
    EXPECT_EQ(j.joined(), "closed 4 closed 5");
}

TEST_F(full_queue_that_fails, does_not_let_anybody_wait) {
    fill();
    task_group tasks(s.running->first_loop());
    tasks.spawn(publish_order(s.running->publisher(), 4, j));
    s.run();
    EXPECT_EQ(j.joined(), "queue full 4");
}

TEST_F(full_queue_that_drops, drops_the_oldest_that_no_handler_has_and_counts_it) {
    gate closed;
    journal seen;
    service d({.capacity = 3, .full = when_full::drop_oldest});
    d.app.provide(closed).provide(seen);
    d.memory.subscribe("in", handle_when_open, prefetch(1));
    d.start();
    for (int id = 1; id <= 6; ++id) d.send("in", order_json(id));
    EXPECT_EQ(d.memory.connection().counters().dropped, 3u);
    EXPECT_EQ(d.memory.connection().counters().in_queues, 3u);
    closed.open.set();
    d.run();
    EXPECT_EQ(seen.joined(), "1 5 6") << "the first one was with its handler";
}

TEST_F(full_queue_that_drops, drops_the_new_one_where_all_others_are_with_handlers) {
    s.send_orders("in", 1, 3);  // all three are in the handler's window
    s.send("in", order_json(4));
    EXPECT_EQ(counters().dropped, 1u);
    open();
    EXPECT_EQ(j.joined(), "1 2 3");
}

// ---------------------------------------------------------------- plain threads that wait

/// An application with threads of its own, whose handler waits for the test.
class full_queue_of_threads : public testing::Test {
protected:
    full_queue_of_threads() : memory(app.use(memory::broker{{.capacity = 2}})) {
        app.log(log);
        memory.subscribe("in", [this](const order& o) {
            entered.add();
            leave.wait_for(1);
            handled.add();
            ids.push_back(o.id);
        });
        running.emplace(app.start());
        for (int id = 1; id <= 2; ++id) running->publisher().publish("in", order{id}).wait_for(60s);
        entered.wait_for(1);
    }
    ~full_queue_of_threads() override { leave.add(); }
    tally entered, leave, handled;
    std::vector<int> ids;
    log_collector log;
    application app;
    attached<memory::broker>& memory;
    std::optional<running_application> running;
};

TEST_F(full_queue_of_threads, makes_a_plain_thread_wait_until_there_is_room) {
    std::error_code code = errc::misuse;
    std::thread waiting([&] { code = running->publisher().publish("in", order{3}).try_wait_for(60s); });
    leave.add();
    waiting.join();
    EXPECT_EQ(code, std::error_code{});
    handled.wait_for(3);
    running->shutdown();
    EXPECT_EQ(ids, (std::vector{1, 2, 3}));
}

TEST_F(full_queue_of_threads, lets_a_plain_thread_give_up_at_its_deadline) {
    EXPECT_EQ(running->publisher().publish("in", order{3}).try_wait_for(1ms), errc::timed_out);
    EXPECT_EQ(running->publisher().publish("in", order{3}).try_wait_for(0s), errc::timed_out);
    EXPECT_EQ(running->publisher().publish("in", order{3}).try_wait_for(-1s), errc::timed_out);
    leave.add();
    handled.wait_for(2);
    running->shutdown();
    EXPECT_EQ(ids, (std::vector{1, 2})) << "what timed out is not published";
}

TEST_F(full_queue_of_threads, throws_at_the_deadline_with_a_sentence) {
    EXPECT_EQ(text_of([&] { running->publisher().publish("in", order{3}).wait_for(1ms); }),
              "weir: publishing to 'in' on broker 'memory' failed: timed out");
    leave.add();
}

TEST_F(full_queue_of_threads, tells_plain_threads_that_wait_that_it_closes) {
    std::vector<std::error_code> codes(4, errc::misuse);
    std::vector<std::thread> waiting;
    for (std::error_code& c : codes)
        waiting.emplace_back(
            [this, &c] { c = running->publisher().publish("in", order{3}).try_wait_for(60s); });
    std::thread stopping([this] { running->shutdown(); });
    leave.add();
    stopping.join();
    for (std::thread& t : waiting) t.join();
    for (const std::error_code& c : codes) EXPECT_TRUE(!c || c == errc::closed) << c.message();
}

TEST(full_queue_and_many_threads, lose_nothing_and_keep_the_order_of_each_publisher) {
    constexpr int publishers = 4, each = 500;
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 2}});
    tally handled;
    std::vector<int> next(publishers, 0);
    int disorder = 0;
    memory.subscribe("in", [&](const order& o) {
        if (o.id % each != next[static_cast<std::size_t>(o.id / each)]++) ++disorder;
        handled.add();
    });
    auto running = app.start();
    std::vector<std::thread> threads;
    for (int p = 0; p != publishers; ++p)
        threads.emplace_back([&, p] {
            for (int i = 0; i != each; ++i)
                running.publisher().publish("in", order{p * each + i}).wait_for(60s);
        });
    for (std::thread& t : threads) t.join();
    handled.wait_for(publishers * each);
    running.shutdown();
    EXPECT_EQ(disorder, 0);
}

TEST(full_queue_and_many_threads, survive_publishers_that_give_up_all_the_time) {
    constexpr int publishers = 4, each = 300;
    log_collector log;
    application app({}, {.threads = 1});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 1}});
    tally handled, published;
    memory.subscribe("in", [&](const order&) { handled.add(); });
    auto running = app.start();
    std::vector<std::thread> threads;
    for (int p = 0; p != publishers; ++p)
        threads.emplace_back([&] {
            for (int i = 0; i != each; ++i)
                if (!running.publisher().publish("in", order{i}).try_wait_for(i % 2 == 0 ? 20us : 200us))
                    published.add();
        });
    for (std::thread& t : threads) t.join();
    handled.wait_for(published.count());
    running.publisher().publish("in", order{0}).wait_for(60s);  // nobody's place was lost
    handled.wait_for(published.count() + 1);
    running.shutdown();
    EXPECT_EQ(handled.count(), published.count() + 1);
}

}  // namespace
}  // namespace weir::test
