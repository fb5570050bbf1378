// Routers are values: prefixes, copies, layers.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

namespace weir::test {
namespace {

struct receipt {
    int order = 0;
};
inline constexpr topic<order> orders{"orders"};
inline constexpr topic<receipt> receipts{"receipts"};

/// Writes down what it sees before and after.
struct trace {
    journal* to;
    std::string name;
    void before(const incoming& in) {
        to->add(name + "(" + std::string{in.subscription()} + "/" + std::to_string(in.size()));
    }
    void after(const incoming&, outcome& o) {
        static constexpr const char* words[] = {"ack", "retry", "reject", "discard"};
        to->add(words[static_cast<unsigned>(o.what())] + (")" + name));
    }
};

class routers : public testing::Test {
protected:
    void send(std::string_view topic, int first, int last) { s.send_orders(topic, first, last); }
    journal j;
    service s;
};

TEST_F(routers, put_their_prefix_before_every_name_their_handlers_state) {
    s.app.provide(j);
    router r{"shop."};
    r.subscribe(
        orders,
        [](const order& o, out<receipts> to) -> outcome {
            if (o.id == 2) return reject("two");
            to.publish({o.id});
            return ack;
        },
        retries{.dead_letter = "dead"});
    r.subscribe("questions", [](const order& o) { return receipt{o.id * 100}; }, reply_to("answers"));
    s.memory.include(r);
    s.memory.subscribe("shop.receipts",
                       [this](const receipt& x) { j.add("receipt " + std::to_string(x.order)); });
    s.memory.subscribe("shop.answers",
                       [this](const receipt& x) { j.add("answer " + std::to_string(x.order)); });
    s.memory.subscribe("shop.dead", [this](const order& x) { j.add("dead " + std::to_string(x.id)); });
    s.start();
    send("shop.orders", 1, 2);
    send("shop.questions", 3, 3);
    EXPECT_EQ(j.joined(), "receipt 1 dead 2 answer 300");
    EXPECT_EQ(s.counters("shop.orders").acked, 2u);
}

TEST_F(routers, nest_with_the_outer_prefix_first) {
    router inner{"eu."};
    inner.subscribe("orders", [this](const order& o, const context& c) {
        j.add(std::string{c.subscription()} + " " + std::to_string(o.id));
    });
    router outer{"shop."};
    outer.include(inner);
    s.memory.include(outer);
    s.start();
    send("shop.eu.orders", 1, 1);
    EXPECT_EQ(j.joined(), "shop.eu.orders 1");
}

TEST_F(routers, are_copied_so_what_is_added_later_is_not_in_what_included_them) {
    router r;
    r.subscribe("a", [this](const order&) { j.add("a"); });
    s.memory.include(r);
    r.subscribe("b", [this](const order&) { j.add("b"); });
    s.start();
    send("a", 1, 1);
    send("b", 1, 1);
    EXPECT_EQ(j.joined(), "a");
    EXPECT_EQ(s.running->subscriptions().size(), 1u);
}

TEST_F(routers, serve_several_brokers_with_one_handler) {
    script told;
    auto& other = s.app.use(scripted_broker<can_delay>{told});
    router r;
    r.subscribe("in", [this](const order& o) { j.add(std::to_string(o.id)); });
    s.memory.include(r);
    other.include(r);
    s.start();
    ASSERT_FALSE(s.memory.publisher().publish("in", order{1}).try_now());
    told.deliver("in", order_json(2));
    s.run();
    EXPECT_EQ(j.joined(), "1 2");
    s.shutdown();  // while the script is there
}

struct from_the_start {
    static constexpr option_slot fills = option_slot::start;
    static constexpr unsigned needs = can_replay;
    void apply(settings&) const {}
};

TEST_F(routers, that_ask_for_what_a_broker_cannot_do_are_refused_by_include) {
    router r;
    r.subscribe("in", [](const order&) {}, from_the_start{});
    EXPECT_EQ(text_of([&] { s.memory.include(r); }),
              "weir: subscription 'in' has an option that asks for what memory cannot do - remove it, or use "
              "a broker "
              "that has the capability");
}

TEST_F(routers, for_one_broker_may_use_its_descriptors) {
    router<memory::broker> r{"shop."};
    r.subscribe(memory::pattern("orders.*"), [this](const order& o) { j.add(std::to_string(o.id)); });
    s.memory.include(r);
    s.start();
    send("shop.orders.eu", 1, 1);
    send("orders.eu", 2, 2);
    EXPECT_EQ(j.joined(), "1");
}

// ---------------------------------------------------------------- layers

TEST_F(routers, wrap_their_handlers_in_layers_the_first_one_outermost) {
    auto r = router{}.layer(trace{&j, "a"}).layer(trace{&j, "b"});
    r.subscribe("in", [this](const order& o) -> outcome {
        j.add(std::to_string(o.id));
        return o.id == 1 ? outcome{ack} : reject("no");
    });
    s.memory.include(r);
    s.start();
    send("in", 1, 2);
    EXPECT_EQ(j.joined(), "a(in/1 b(in/1 1 ack)b ack)a a(in/1 b(in/1 2 reject)b reject)a");
}

TEST_F(routers, wrap_tasks_batches_bytes_and_manual_handlers_alike) {
    s.app.provide(j);
    auto r = router{}.layer(trace{&j, "a"});
    r.subscribe("task", [](const order&, journal& to) -> task<void> {
        co_await sleep_for(1ms);
        to.add("task");
    });
    r.subscribe("batch", [](std::span<const order>, journal& to) { to.add("batch"); }, batch(4));
    r.subscribe("bytes", [](bytes, journal& to) { to.add("bytes"); });
    r.subscribe("manual", [](delivery<order> d, journal& to) -> settled {
        to.add("manual");
        return std::move(d).ack();
    });
    r.subscribe("reply", [](const order& o) { return receipt{o.id}; }, reply_to("nowhere"));
    s.memory.include(r);
    s.start();
    send("task", 1, 1);
    s.advance(1ms);
    send("batch", 1, 3);
    send("bytes", 1, 1);
    send("manual", 1, 1);
    send("reply", 1, 1);
    EXPECT_EQ(j.joined(),
              "a(task/1 task ack)a a(batch/3 batch ack)a a(bytes/1 bytes ack)a a(manual/1 manual ack)a "
              "a(reply/1 ack)a");
}

TEST_F(routers, show_their_layers_what_an_exception_came_to) {
    auto r = router{}.layer(trace{&j, "a"});
    r.subscribe("in", [](const order&) { throw std::runtime_error("no"); }, on_failure{.exception = discard});
    s.memory.include(r);
    s.start();
    send("in", 1, 1);
    EXPECT_EQ(j.joined(), "a(in/1 discard)a");
}

TEST_F(routers, do_not_show_their_layers_what_cannot_be_decoded) {
    auto r = router{}.layer(trace{&j, "a"});
    r.subscribe("in", [](const order&) {});
    s.memory.include(r);
    s.start();
    s.send("in", "nonsense");
    EXPECT_EQ(j.joined(), "");
}

struct stopwatch {
    struct state {
        nanos since;
    };
    const manual_clock* clock;
    journal* to;
    state before(const incoming&) { return {clock->now()}; }
    void after(const incoming&, state& s, outcome&) {
        to->add(std::to_string((clock->now() - s.since) / 1ms) + "ms");
    }
};

TEST_F(routers, let_a_layer_keep_something_from_before_to_after_for_each_slot) {
    s.app.provide(j);
    auto r = router{}.layer(stopwatch{&s.time, &j});
    r.subscribe("in", [](const order& o) -> task<void> { co_await sleep_for(o.id * 1ms); }, workers(2));
    s.memory.include(r);
    s.start();
    send("in", 1, 2);
    s.advance(1ms);
    s.advance(1ms);
    EXPECT_EQ(j.joined(), "1ms 2ms");
}

struct forgiving {
    void before(const incoming&) {}
    void after(const incoming&, outcome& o) {
        if (o.what() == outcome::verdict::reject) o = ack;
    }
};
struct strict {
    void before(const incoming&) {}
    void after(const incoming& in, outcome& o) {
        if (in.payload().text() == order_json(2)) o = reject("a layer says no");
    }
};

TEST_F(routers, let_a_layer_replace_the_outcome) {
    auto r = router{}.layer(forgiving{});
    r.subscribe("a", [](const order&) -> outcome { return reject("no"); });
    auto q = router{}.layer(strict{});
    q.subscribe("b", [](const order&) {});
    s.memory.include(r).include(q);
    s.start();
    send("a", 1, 1);
    send("b", 1, 3);
    EXPECT_EQ(s.counters("a").acked, 1u);
    EXPECT_EQ(s.counters("a").rejected, 0u);
    EXPECT_EQ(s.counters("b").acked, 2u);
    EXPECT_EQ(s.log.last("message rejected").field("reason"), "a layer says no");
}

TEST_F(routers, put_the_layers_of_an_outer_router_around_those_of_an_included_one) {
    auto inner = router{"in."}.layer(trace{&j, "c"});
    inner.subscribe("x", [this](const order&) { j.add("handler"); });
    auto middle = router{"mid."}.layer(trace{&j, "b"});
    middle.include(inner);
    auto outer = router{"out."}.layer(trace{&j, "a"});
    outer.include(middle);
    s.memory.include(outer);
    s.start();
    send("out.mid.in.x", 1, 1);
    EXPECT_EQ(j.joined(), "a(out.mid.in.x/1 b(out.mid.in.x/1 c(out.mid.in.x/1 handler ack)c ack)b ack)a");
}

TEST_F(routers, keep_the_state_of_outer_layers_for_each_slot_as_well) {
    router inner;
    inner.subscribe("in", [](const order& o) -> task<void> { co_await sleep_for(o.id * 1ms); }, workers(2));
    auto outer = router{}.layer(stopwatch{&s.time, &j});
    outer.include(inner);
    s.memory.include(outer);
    s.start();
    send("in", 1, 2);
    s.advance(1ms);
    s.advance(1ms);
    EXPECT_EQ(j.joined(), "1ms 2ms");
}

TEST_F(routers, show_layers_of_a_batch_with_single_outcomes_the_first_that_is_no_acknowledgement) {
    auto r = router{}.layer(trace{&j, "a"});
    r.subscribe(
        "in",
        [](std::span<const order> all) {
            std::vector<outcome> each;
            for (const order& o : all) each.push_back(o.id == 2 ? outcome{discard} : outcome{ack});
            return each;
        },
        batch(8));
    s.memory.include(r);
    s.start();
    send("in", 1, 3);
    EXPECT_EQ(j.joined(), "a(in/3 discard)a");
}

}  // namespace
}  // namespace weir::test
