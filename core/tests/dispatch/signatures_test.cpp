// What a handler may take and return; each form once as a plain function and once as a task.
#include "support/service.hpp"

namespace weir::test {
namespace {

struct receipt {
    int order = 0;
};
struct named {
    int id = 0;
    std::string_view customer;
};

// ---------------------------------------------------------------- what it takes

void by_reference(const order& o, journal& j) { j.add("order " + std::to_string(o.id)); }
void by_value(order o, journal& j) {
    j.add("order " + std::to_string(o.id));
    o.id = -1;
}
void by_span(std::span<const order> all, journal& j) {
    std::string line = "batch";
    for (const order& o : all) line += " " + std::to_string(o.id);
    j.add(line);
}
settled by_delivery(delivery<order> d, journal& j) {
    j.add("delivery " + std::to_string(d->id));
    return std::move(d).ack();
}
void raw(bytes b, journal& j) { j.add(std::string{b.text()}); }
void raw_batch(std::span<const bytes> all, journal& j) {
    std::string line = "raw";
    for (const bytes b : all) (line += " ") += b.text();
    j.add(line);
}
void text(const std::string& s, journal& j) { j.add("text " + s); }
void viewed(const named& n, journal& j) { j.add(std::string{n.customer}); }

task<void> by_reference_task(const order& o, journal& j) {
    co_await sleep_for(1ms);
    j.add("order " + std::to_string(o.id));
}
task<void> by_value_task(order o, journal& j) {
    co_await sleep_for(1ms);
    j.add("order " + std::to_string(o.id));
}
task<void> by_span_task(std::span<const order> all, journal& j) {
    co_await sleep_for(1ms);
    std::string line = "batch";
    for (const order& o : all) line += " " + std::to_string(o.id);
    j.add(line);
}
task<settled> by_delivery_task(delivery<order> d, journal& j) {
    co_await sleep_for(1ms);
    j.add("delivery " + std::to_string(d->id));
    co_return std::move(d).ack();
}
task<void> raw_task(bytes b, journal& j) {
    co_await sleep_for(1ms);
    j.add(std::string{b.text()});
}
task<void> raw_batch_task(std::span<const bytes> all, journal& j) {
    co_await sleep_for(1ms);
    std::string line = "raw";
    for (const bytes b : all) (line += " ") += b.text();
    j.add(line);
}

class takes : public testing::Test {
protected:
    takes() { s.app.provide(j); }
    template <class Handler, class... Options> void subscribe(Handler h, Options... options) {
        s.memory.subscribe("in", h, options...);
        s.start();
    }
    /// Two messages in one window, and as much time as a task takes for both.
    void send_two() {
        s.send_orders("in", 1, 2);
        s.advance(1ms);
        s.advance(1ms);
        EXPECT_EQ(s.memory.connection().counters().in_queues, 0u) << "both are settled";
    }
    journal j;
    service s;
};

TEST_F(takes, a_message_by_reference) {
    subscribe(by_reference);
    send_two();
    EXPECT_EQ(j.joined(), "order 1 order 2");
}
TEST_F(takes, a_message_by_reference_as_a_task) {
    subscribe(by_reference_task);
    send_two();
    EXPECT_EQ(j.joined(), "order 1 order 2");
}
TEST_F(takes, a_message_by_value) {
    subscribe(by_value);
    send_two();
    EXPECT_EQ(j.joined(), "order 1 order 2");
}
TEST_F(takes, a_message_by_value_as_a_task) {
    subscribe(by_value_task);
    send_two();
    EXPECT_EQ(j.joined(), "order 1 order 2");
}
TEST_F(takes, a_batch) {
    subscribe(by_span, batch(8));
    send_two();
    EXPECT_EQ(j.joined(), "batch 1 2");
}
TEST_F(takes, a_batch_as_a_task) {
    subscribe(by_span_task, batch(8));
    send_two();
    EXPECT_EQ(j.joined(), "batch 1 2");
}
TEST_F(takes, a_batch_of_at_most_what_it_says) {
    subscribe(by_span, batch(3));
    s.send_orders("in", 1, 8);
    EXPECT_EQ(j.joined(), "batch 1 2 3 batch 4 5 6 batch 7 8");
}
TEST_F(takes, a_delivery) {
    subscribe(by_delivery);
    send_two();
    EXPECT_EQ(j.joined(), "delivery 1 delivery 2");
}
TEST_F(takes, a_delivery_as_a_task) {
    subscribe(by_delivery_task);
    send_two();
    EXPECT_EQ(j.joined(), "delivery 1 delivery 2");
}
TEST_F(takes, bytes) {
    subscribe(raw);
    send_two();
    EXPECT_EQ(j.joined(), R"({"id":1} {"id":2})");
}
TEST_F(takes, bytes_as_a_task) {
    subscribe(raw_task);
    send_two();
    EXPECT_EQ(j.joined(), R"({"id":1} {"id":2})");
}
TEST_F(takes, a_batch_of_bytes) {
    subscribe(raw_batch, batch(8));
    send_two();
    EXPECT_EQ(j.joined(), R"(raw {"id":1} {"id":2})");
}
TEST_F(takes, a_batch_of_bytes_as_a_task) {
    subscribe(raw_batch_task, batch(8));
    send_two();
    EXPECT_EQ(j.joined(), R"(raw {"id":1} {"id":2})");
}
TEST_F(takes, a_string_as_a_json_string_and_not_as_bytes) {
    subscribe(text);
    s.send("in", R"("a \"word\"")");
    s.send("in", "no quotes");
    EXPECT_EQ(j.joined(), "text a \"word\"");
    EXPECT_EQ(s.counters("in").undecodable, 1u);
}
TEST_F(takes, views_into_the_payload) {
    subscribe(viewed);
    s.send("in", R"({"id":1,"customer":"Grace"})");
    s.send("in", R"({"id":2,"customer":"A\u0064a"})");  // has to be unescaped somewhere
    EXPECT_EQ(j.joined(), "Grace Ada");
}
TEST_F(takes, messages_that_leave_no_trace_in_the_next_one) {
    struct loose {
        std::optional<int> a;
        std::vector<int> b;
        std::string c;
    };
    s.memory.subscribe("in", [this](const loose& l) {
        j.add(std::to_string(l.a.value_or(-1)) + "/" + std::to_string(l.b.size()) + "/" + l.c);
    });
    s.start();
    s.send("in", R"({"a":5,"b":[1,2,3],"c":"secret"})");
    s.send("in", R"({"c":""})");
    EXPECT_EQ(j.joined(), "5/3/secret -1/0/");
}
TEST_F(takes, nothing_of_a_message_by_value_that_the_handler_changed) {
    s.memory.subscribe("in", [this](std::vector<int> v) {
        j.add(std::to_string(v.size()));
        v.assign(100, 7);
    });
    s.start();
    s.send("in", "[1,2]");
    s.send("in", "[]");
    EXPECT_EQ(j.joined(), "2 0");
}

// ---------------------------------------------------------------- what it returns

outcome decide(int id) {
    if (id == 1) return ack;
    if (id == 2) return reject("two is turned down");
    return discard;
}

class returns : public takes {
protected:
    /// Orders 1, 2 and 3: acknowledged, rejected, discarded.
    void expect_verdicts() {
        s.send_orders("in", 1, 3);
        for (int i = 0; i != 3; ++i) s.advance(1ms);
        EXPECT_EQ(s.counters("in").acked, 2u);
        EXPECT_EQ(s.counters("in").rejected, 1u);
        EXPECT_EQ(s.log.last("message rejected").field("reason"), "two is turned down");
        EXPECT_EQ(s.memory.connection().counters().in_queues, 0u);
    }
};

TEST_F(returns, an_outcome) {
    subscribe([](const order& o) { return decide(o.id); });
    expect_verdicts();
}
TEST_F(returns, an_outcome_as_a_task) {
    subscribe([](const order& o) -> task<outcome> {
        co_await sleep_for(1ms);
        co_return decide(o.id);
    });
    expect_verdicts();
}
TEST_F(returns, one_outcome_for_a_whole_batch) {
    subscribe([](std::span<const order>) -> outcome { return reject("all of it"); }, batch(8));
    s.send_orders("in", 1, 3);
    EXPECT_EQ(s.counters("in").rejected, 3u);
    EXPECT_EQ(s.counters("in").acked, 0u);
}
TEST_F(returns, an_outcome_for_each_message_of_a_batch) {
    subscribe(
        [](std::span<const order> all) {
            std::vector<outcome> each;
            for (const order& o : all) each.push_back(decide(o.id));
            return each;
        },
        batch(8));
    expect_verdicts();
}
TEST_F(returns, an_outcome_for_each_message_of_a_batch_as_a_task) {
    subscribe(
        [](std::span<const order> all) -> task<std::vector<outcome>> {
            co_await sleep_for(1ms);
            std::vector<outcome> each;
            for (const order& o : all) each.push_back(decide(o.id));
            co_return each;
        },
        batch(8));
    expect_verdicts();
}
TEST_F(returns, every_verdict_by_hand) {
    subscribe([](delivery<order> d) -> settled {
        if (d->id == 1) return std::move(d).ack();
        if (d->id == 2) return std::move(d).reject("two is turned down");
        return std::move(d).discard();
    });
    expect_verdicts();
}
TEST_F(returns, a_reply) {
    s.memory.subscribe("receipts", raw);
    subscribe([](const order& o) { return receipt{o.id * 10}; }, reply_to("receipts"));
    s.send_orders("in", 1, 2);
    EXPECT_EQ(j.joined(), R"({"order":10} {"order":20})");
    EXPECT_EQ(s.counters("in").published, 2u);
}
TEST_F(returns, a_reply_as_a_task_to_a_topic) {
    static constexpr topic<receipt> receipts{"receipts"};
    s.memory.subscribe(receipts, [this](const receipt& r) { j.add("receipt " + std::to_string(r.order)); });
    subscribe(
        [](const order& o) -> task<receipt> {
            co_await sleep_for(1ms);
            receipt r{o.id};
            co_return r;
        },
        reply_to(receipts));
    send_two();
    EXPECT_EQ(j.joined(), "receipt 1 receipt 2");
}
TEST_F(returns, a_reply_or_what_becomes_of_the_message) {
    s.memory.subscribe("receipts", raw);
    subscribe(
        [](const order& o) -> result<receipt, outcome> {
            if (o.id == 2) return reject("two is turned down");
            return receipt{o.id};
        },
        reply_to("receipts"));
    s.send_orders("in", 1, 2);
    EXPECT_EQ(j.joined(), R"({"order":1})");
    EXPECT_EQ(s.counters("in").rejected, 1u);
}
TEST_F(returns, a_reply_or_what_becomes_of_the_message_as_a_task) {
    s.memory.subscribe("receipts", raw);
    subscribe(
        [](const order& o) -> task<result<receipt, outcome>> {
            co_await sleep_for(1ms);
            if (o.id == 2) co_return outcome{discard};
            receipt r{o.id};
            co_return r;
        },
        reply_to("receipts"));
    send_two();
    EXPECT_EQ(j.joined(), R"({"order":1})");
    EXPECT_EQ(s.counters("in").acked, 2u);
}
TEST_F(returns, raw_bytes_as_a_reply) {
    s.memory.subscribe("echo", raw);
    subscribe([](bytes b) { return b; }, reply_to("echo"));
    s.send("in", "not json");
    EXPECT_EQ(j.joined(), "not json");
}

// ---------------------------------------------------------------- what it is

struct functor {
    journal* to;
    void operator()(const order& o) { to->add("functor " + std::to_string(o.id)); }
};

TEST_F(takes, a_function_object_that_is_not_const) {
    subscribe(functor{&j});
    send_two();
    EXPECT_EQ(j.joined(), "functor 1 functor 2");
}
TEST_F(takes, a_noexcept_function) {
    subscribe(+[](const order& o, journal& to) noexcept { to.add(std::to_string(o.id)); });
    send_two();
    EXPECT_EQ(j.joined(), "1 2");
}
TEST_F(takes, a_task_that_never_waits_without_a_break_between_messages) {
    subscribe([](const order& o, journal& to) -> task<void> {
        to.add(std::to_string(o.id));
        co_return;
    });
    s.send_orders("in", 1, 200);
    EXPECT_EQ(j.size(), 200u);
    EXPECT_EQ(j.lines.back(), "200");
}

}  // namespace
}  // namespace weir::test
