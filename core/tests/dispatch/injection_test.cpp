#include "support/service.hpp"
#include "support/tally.hpp"

#include <algorithm>
#include <thread>

namespace weir::test {

// Not in the unnamed namespace, whose name every compiler writes differently in the sentences below.
struct ledger {
    int sum = 0;
};

namespace {

struct store {
    virtual ~store() = default;
    virtual std::string name() const = 0;
};
struct postgres final : store {
    std::string name() const override { return "postgres"; }
};
struct copy_of_order {
    int id = 0;
};
inline constexpr topic<copy_of_order> copies{"copies"};

TEST(injection, gives_a_handler_what_was_provided_by_type_in_any_order) {
    ledger l;
    journal j;
    service s;
    s.app.provide(l).provide(j);
    s.memory.subscribe("in", [](const order& o, journal& to, const ledger& c, ledger& m) {
        m.sum += o.id;
        to.add(std::to_string(c.sum));
    });
    s.start();
    s.send_orders("in", 3, 4);
    EXPECT_EQ(j.joined(), "3 7");
}

TEST(injection, gives_an_object_as_its_base) {
    postgres p;
    std::string name;
    service s;
    s.app.provide<store>(p);
    s.memory.subscribe("in", [&name](const order&, store& db) { name = db.name(); });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(name, "postgres");
}

TEST(injection, gives_a_constant_as_a_constant) {
    const ledger l{42};
    int seen = 0;
    service s;
    s.app.provide(l);
    s.memory.subscribe("in", [&seen](const order&, const ledger& it) { seen = it.sum; });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(seen, 42);
}

TEST(injection, takes_the_last_of_two_objects_of_one_type) {
    ledger first{1}, second{2};
    int seen = 0;
    service s;
    s.app.provide(first).provide(second);
    s.memory.subscribe("in", [&seen](const order&, const ledger& it) { seen = it.sum; });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(seen, 2);
}

TEST(injection, gives_a_context) {
    std::vector<std::string> seen;
    service s;
    s.memory.subscribe("in", [&seen](const order&, const context& c) -> outcome {
        seen = {std::string{c.subscription()},   std::to_string(c.attempt()),
                std::string{c.payload().text()}, c.describe(),
                std::string{c.partition_key()},  std::string{c.headers().get("x")}};
        return c.attempt() < 3 ? outcome{retry_in(0s)} : outcome{ack};
    });
    s.start();
    s.send("in", order_json(7), {{"x", "y"}, {"partition-key", "north"}});
    EXPECT_EQ(seen,
              (std::vector<std::string>{"in", "3", R"({"id":7})", "memory message 1 of 'in'", "north", "y"}));
}

TEST(injection, gives_headers_and_empty_ones_where_there_are_none) {
    std::vector<std::size_t> sizes;
    service s;
    s.memory.subscribe("in", [&sizes](const order&, const headers& h) { sizes.push_back(h.size()); });
    s.start();
    s.send("in", order_json(1), {{"a", "1"}, {"b", "2"}});
    s.send("in", order_json(2));
    EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 0}));
}

TEST(injection, gives_a_stop_token_that_is_not_stopped) {
    bool stopped = true;
    service s;
    s.memory.subscribe("in", [&stopped](const order&, stop_token t) { stopped = t.stop_requested(); });
    s.start();
    s.send("in", order_json(1));
    EXPECT_FALSE(stopped);
}

TEST(injection, gives_a_place_to_publish) {
    std::vector<std::string> seen;
    service s;
    s.memory.subscribe("in", [](const order& o, out<copies> to) {
        to.publish({o.id});
        to.publish({o.id + 100}, {{"Kind", "second"}});
    });
    s.memory.subscribe(copies, [&seen](const copy_of_order& c, const headers& h) {
        seen.push_back(std::to_string(c.id) + std::string{h.get("kind")});
    });
    s.start();
    s.send("in", order_json(1));
    EXPECT_EQ(seen, (std::vector<std::string>{"1", "101second"}));
}

TEST(injection, gives_all_of_it_to_tasks_that_suspend) {
    journal j;
    service s;
    s.app.provide(j);
    s.memory.subscribe(
        "in",
        [](const order& o, journal& to, const context& c, const headers& h, out<copies> copy) -> task<void> {
            co_await sleep_for(1ms);
            to.add(std::to_string(o.id) + std::string{c.subscription()} + std::string{h.get("x")});
            copy.publish({o.id});
        });
    s.memory.subscribe(copies, [&j](const copy_of_order& c) { j.add("copy " + std::to_string(c.id)); });
    s.start();
    s.send("in", order_json(5), {{"x", "!"}});
    s.advance(1ms);
    EXPECT_EQ(j.joined(), "5in! copy 5");
}

// ---------------------------------------------------------------- what the start refuses

TEST(injection, of_what_nobody_provides_is_refused_by_the_start) {
    service s;
    s.memory.subscribe("in", [](const order&, ledger&) {});
    EXPECT_EQ(s.refusal(),
              "weir: subscription 'in' takes 'weir::test::ledger&', which nobody provides - "
              "call app.provide(x) before start()");
}

TEST(injection, of_a_constant_as_mutable_is_refused_by_the_start) {
    const ledger l;
    service s;
    s.app.provide(l);
    s.memory.subscribe("in", [](const order&, ledger&) {});
    EXPECT_EQ(s.refusal(),
              "weir: subscription 'in' takes 'weir::test::ledger&', but what was "
              "provided is "
              "const - take it as const");
}

TEST(injection, of_one_mutable_object_on_two_threads_is_refused_by_the_start) {
    ledger l;
    service s({}, {.threads = 2, .drain = 0s});
    s.app.provide(l);
    s.memory.subscribe("first", [](const order&, ledger&) {});
    s.memory.subscribe("second", [](const order&, ledger&) {});
    EXPECT_EQ(s.refusal(),
              "weir: subscription 'second' takes 'weir::test::ledger&', and so does "
              "'first' on "
              "another thread - provide shared(x) if it is thread-safe, or per_thread(factory)");
}

TEST(injection, says_everything_that_is_wrong_at_once) {
    service s;
    s.memory.subscribe("a", [](const order&, ledger&) {});
    s.memory.subscribe("b", [](const order&, const journal&) {});
    const std::string text = s.refusal();
    EXPECT_NE(text.find("'a' takes 'weir::test::ledger&'"), std::string::npos) << text;
    EXPECT_NE(text.find("'b' takes 'const weir::test::journal&'"), std::string::npos) << text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 1);
}

TEST(injection, of_one_mutable_object_is_fine_for_two_subscriptions_of_one_thread) {
    ledger l;
    service s({}, {.threads = 2, .drain = 0s});
    s.app.provide(l);
    s.memory.subscribe("first", [](const order&, ledger&) {});  // thread 0
    s.memory.subscribe("between", [](const order&) {});         // thread 1
    s.memory.subscribe("third", [](const order&, ledger&) {});  // thread 0
    EXPECT_EQ(s.refusal(), "");
}

TEST(injection, of_constants_is_fine_on_any_thread) {
    ledger l;
    service s({}, {.threads = 2, .drain = 0s});
    s.app.provide(l);
    s.memory.subscribe("first", [](const order&, const ledger&) {});
    s.memory.subscribe("second", [](const order&, const ledger&) {});
    EXPECT_EQ(s.refusal(), "");
}

TEST(injection, of_a_shared_object_gives_the_same_one_to_all_threads) {
    tally hits;
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    app.provide(shared(hits));
    auto& memory = app.use(memory::broker{});
    memory.subscribe("first", [](const order&, tally& it) { it.add(); });
    memory.subscribe("second", [](const order&, tally& it) { it.add(); });
    auto running = app.start();
    for (int i = 0; i != 50; ++i) {
        running.publisher().publish("first", order{i}).wait_for(10s);
        running.publisher().publish("second", order{i}).wait_for(10s);
    }
    hits.wait_for(100);
    running.shutdown();
    EXPECT_EQ(hits.count(), 100);
}

TEST(injection, of_an_object_per_thread_gives_each_thread_its_own) {
    struct owned {
        std::thread::id user{};
    };
    tally made, mixed, handled;
    log_collector log;
    application app({}, {.threads = 2});
    app.log(log);
    app.provide(per_thread([&made] {
        made.add();
        return owned{};
    }));
    auto& memory = app.use(memory::broker{});
    const auto look = [&](const order&, owned& mine) {
        if (mine.user == std::thread::id{}) mine.user = std::this_thread::get_id();
        if (mine.user != std::this_thread::get_id()) mixed.add();
        handled.add();
    };
    for (const char* name : {"a", "b", "c", "d"}) memory.subscribe(name, look);
    auto running = app.start();
    for (int i = 0; i != 20; ++i)
        for (const char* name : {"a", "b", "c", "d"})
            running.publisher().publish(name, order{i}).wait_for(10s);
    handled.wait_for(80);
    running.shutdown();
    EXPECT_EQ(made.count(), 2);
    EXPECT_EQ(mixed.count(), 0);
}

// ---------------------------------------------------------------- contexts of brokers

struct ticket_context {
    using broker = memory::broker;
    std::uint64_t id;
    static ticket_context from(const record& r) { return {r.id}; }
};

TEST(injection, gives_the_context_of_the_broker_made_from_the_record) {
    std::vector<std::uint64_t> ids;
    service s;
    s.memory.subscribe("in", [&ids](const order&, const ticket_context& c) { ids.push_back(c.id); });
    s.start();
    s.send_orders("in", 1, 3);
    EXPECT_EQ(ids, (std::vector<std::uint64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace weir::test
