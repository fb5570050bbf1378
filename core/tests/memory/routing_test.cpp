// Who gets a message.
#include "support/service.hpp"
#include "support/tally.hpp"

#include <atomic>
#include <set>

namespace weir::test {
namespace {

class routing : public testing::Test {
protected:
    auto notes(std::string name) {
        return [this, name](const order& o) { j.add(name + std::to_string(o.id)); };
    }
    memory::counters counters() { return s.memory.connection().counters(); }
    journal j;
    service s;
};

TEST_F(routing, gives_every_subscription_of_a_name_every_message) {
    s.memory.subscribe("in", notes("a"));
    s.memory.subscribe("in", notes("b"));
    s.memory.subscribe("other", notes("c"));
    s.start();
    s.send("in", order_json(1));
    s.send("in", order_json(2));
    std::ranges::sort(j.lines);
    EXPECT_EQ(j.joined(), "a1 a2 b1 b2");
    EXPECT_EQ(counters().published, 2u) << "each message counts once";
}

TEST_F(routing, compares_names_as_they_are) {
    s.memory.subscribe("in", notes("a"));
    s.start();
    for (const char* name : {"IN", "in ", "in.x", "i"}) s.send(name, order_json(1));
    EXPECT_EQ(j.joined(), "");
}

TEST_F(routing, gives_patterns_what_matches_beside_the_exact_names) {
    s.memory.subscribe("orders.eu", notes("exact"));
    s.memory.subscribe(memory::pattern("orders.*"), notes("star"));
    s.memory.subscribe(memory::pattern("orders.>"), notes("rest"));
    s.start();
    s.send("orders.eu", order_json(1));
    s.send("orders.eu.north", order_json(2));
    s.send("orders", order_json(3));
    std::ranges::sort(j.lines);
    EXPECT_EQ(j.joined(), "exact1 rest1 rest2 star1");
}

TEST_F(routing, gives_overlapping_patterns_one_copy_each) {
    s.memory.subscribe(memory::pattern("*.eu"), notes("a"));
    s.memory.subscribe(memory::pattern("orders.*"), notes("b"));
    s.start();
    s.send("orders.eu", order_json(1));
    EXPECT_EQ(j.size(), 2u);
}

TEST_F(routing, gives_each_message_to_one_member_of_a_group) {
    s.memory.subscribe(memory::subscription("in").group("g"), notes("a"));
    s.memory.subscribe(memory::subscription("in").group("g"), notes("b"));
    s.start();
    s.send_orders("in", 1, 200);
    EXPECT_EQ(j.size(), 200u);
    std::set<std::string> ids;
    for (const std::string& l : j.lines) ids.insert(l.substr(1));
    EXPECT_EQ(ids.size(), 200u) << "none twice";
    EXPECT_GT(s.counters("in").acked, 0u);
    const auto reports = s.running->subscriptions();
    EXPECT_GT(reports[0].counters.acked, 0u) << "both work";
    EXPECT_GT(reports[1].counters.acked, 0u);
}

TEST_F(routing, gives_every_group_and_every_subscription_without_one_its_copy) {
    s.memory.subscribe(memory::subscription("in").group("g"), notes("g"));
    s.memory.subscribe(memory::subscription("in").group("g"), notes("g"));
    s.memory.subscribe(memory::subscription("in").group("h"), notes("h"));
    s.memory.subscribe("in", notes("x"));
    s.memory.subscribe(memory::subscription("in"), notes("y"));
    s.start();
    s.send("in", order_json(1));
    std::ranges::sort(j.lines);
    EXPECT_EQ(j.joined(), "g1 h1 x1 y1");
}

TEST_F(routing, keeps_groups_of_different_names_and_patterns_apart) {
    s.memory.subscribe(memory::subscription("in.a").group("g"), notes("name"));
    s.memory.subscribe(memory::pattern("in.*").group("g"), notes("pattern"));
    s.memory.subscribe(memory::subscription("in.b").group("g"), notes("other"));
    s.start();
    s.send("in.a", order_json(1));
    std::ranges::sort(j.lines);
    EXPECT_EQ(j.joined(), "name1 pattern1");
}

TEST_F(routing, of_a_group_lets_a_free_member_work_while_another_one_waits) {
    gate g;
    s.app.provide(g).provide(j);
    s.memory.subscribe(
        memory::subscription("in").group("g"),
        [](const order& o, gate& here, journal& to) -> task<void> {
            co_await here.open.wait();
            to.add("slow" + std::to_string(o.id));
        },
        prefetch(1));
    s.memory.subscribe(memory::subscription("in").group("g"), notes("quick"));
    s.start();
    s.send_orders("in", 1, 20);
    EXPECT_EQ(j.size(), 19u);
    g.open.set();
    s.run();
    EXPECT_EQ(j.size(), 20u);
}

TEST_F(routing, gives_a_message_nobody_reads_to_nobody_and_says_so_once_a_topic) {
    s.memory.subscribe("in", notes("a"));
    s.start();
    for (int i = 0; i != 5; ++i) s.send("nobody", order_json(i));
    s.send("nobody.else", order_json(0));
    EXPECT_EQ(counters().unrouted, 6u);
    EXPECT_EQ(counters().published, 6u);
    EXPECT_EQ(counters().in_queues, 0u);
    const auto lines = s.log.all("nobody is subscribed to a topic that is published to, said once");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].field("topic"), "nobody");
}

TEST_F(routing, shares_the_payload_and_nobody_sees_what_another_one_does_to_the_message) {
    std::vector<std::string> seen;
    for (int i = 0; i != 3; ++i)
        s.memory.subscribe("in", [&seen](std::string text) {
            seen.push_back(text);
            text.assign("changed");
        });
    s.start();
    s.send("in", R"("same")");
    EXPECT_EQ(seen, (std::vector<std::string>{"same", "same", "same"}));
}

TEST_F(routing, carries_headers_the_partition_key_among_them) {
    std::string key, other;
    s.memory.subscribe("in", [&](bytes, const context& c, const headers& h) {
        key = c.partition_key();
        other = h.get("other");
    });
    s.start();
    s.send("in", "x", {{"Partition-Key", "north"}, {"other", "1"}});
    EXPECT_EQ(key, "north");
    EXPECT_EQ(other, "1");
    s.send("in", "x");
    EXPECT_EQ(key, "");
}

// ---------------------------------------------------------------- names that are refused

TEST(routing_refuses, subscriptions_to_names_that_are_none) {
    const auto refusal_of = [](auto where) {
        service s;
        s.memory.subscribe(where, [](const order&) {});
        return s.refusal();
    };
    EXPECT_EQ(refusal_of(""),
              "weir: subscription '' on broker 'memory' could not be opened: weir: '' is no name of the "
              "memory broker: it is empty");
    EXPECT_NE(refusal_of("orders.*").find("use memory::pattern for wildcards"), std::string::npos);
    EXPECT_NE(
        refusal_of(memory::pattern("orders")).find("it has no wildcard - subscribe to the name instead"),
        std::string::npos);
    EXPECT_NE(refusal_of(memory::pattern("a.>.b")).find("'>' is only allowed as the last token"),
              std::string::npos);
    EXPECT_NE(refusal_of(memory::pattern("a..*")).find("it has an empty token"), std::string::npos);
}

TEST(routing_refuses, publishing_to_names_that_are_none) {
    service s;
    s.start();
    EXPECT_EQ(s.publish("", "x"), errc::invalid_name);
    EXPECT_EQ(s.publish("orders.*", "x"), errc::invalid_name);
    EXPECT_EQ(s.publish(">", "x"), errc::invalid_name);
    EXPECT_EQ(s.publish("orders.eu*", "x"), std::error_code{});
}

inline constexpr topic<order> wild{"orders.*"};

TEST(routing_refuses, a_handler_that_publishes_to_a_pattern_when_it_starts) {
    service s;
    s.memory.subscribe("in", [](const order&, out<wild>) {});
    EXPECT_NE(s.refusal().find(
                  "subscription 'in' on broker 'memory' could not be opened: weir: nothing can be published "
                  "to 'orders.*' of the memory broker: it is a pattern"),
              std::string::npos);
}

// ---------------------------------------------------------------- limits

TEST(limits, of_topics_keep_made_up_names_from_filling_the_memory) {
    service s({.max_topics = 3});
    s.memory.subscribe("in", [](const order&) {});
    s.start();
    EXPECT_EQ(s.publish("a", "x"), std::error_code{});
    EXPECT_EQ(s.publish("b", "x"), std::error_code{});
    EXPECT_EQ(s.publish("c", "x"), std::error_code{});
    EXPECT_EQ(s.publish("d", "x"), errc::queue_full);
    EXPECT_EQ(s.publish("a", "x"), std::error_code{}) << "known names go on";
    EXPECT_EQ(s.publish("in", order_json(1)), std::error_code{}) << "and so do those that somebody reads";
}

TEST(limits, of_a_payload_are_kept) {
    std::size_t got = 0;
    service s({.max_payload = 100});
    s.memory.subscribe("in", [&](bytes b) { got += b.size(); });
    s.start();
    EXPECT_EQ(s.publish("in", std::string(100, 'x')), std::error_code{});
    EXPECT_EQ(s.publish("in", std::string(101, 'x')), errc::too_large);
    s.run();
    EXPECT_EQ(got, 100u);
}

TEST(limits, that_make_no_sense_are_refused_by_the_start) {
    service none({.capacity = 0});
    EXPECT_EQ(none.refusal(),
              "weir: connecting to broker 'memory' failed: weir: memory::options.capacity must be between "
              "1 and 2^30");
    service endless({.capacity = (1u << 30) + 1});
    EXPECT_NE(endless.refusal(), "");
}

// ---------------------------------------------------------------- across threads

TEST(routing_across_threads, gives_each_message_to_one_member_of_a_group_and_loses_none) {
    constexpr int n = 4000;
    log_collector log;
    application app({}, {.threads = 4});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 64}});
    std::vector<std::atomic<int>> times(n);
    tally handled;
    for (int member = 0; member != 4; ++member)
        memory.subscribe(memory::subscription("in").group("g"), [&](const order& o) {
            ++times[static_cast<std::size_t>(o.id)];
            handled.add();
        });
    auto running = app.start();
    const publisher p = running.publisher();
    for (int id = 0; id != n; ++id) p.publish("in", order{id}).wait_for(60s);
    handled.wait_for(n);
    running.shutdown();
    EXPECT_TRUE(std::ranges::all_of(times, [](const std::atomic<int>& t) { return t == 1; }));
}

TEST(routing_across_threads, gives_every_subscription_all_messages_in_their_order) {
    constexpr int n = 2000;
    log_collector log;
    application app({}, {.threads = 3});
    app.log(log);
    auto& memory = app.use(memory::broker{{.capacity = 32}});
    tally handled;
    std::vector<int> next(3, 0);
    std::atomic<int> disorder{0};
    for (std::size_t i = 0; i != 3; ++i)
        memory.subscribe("in", [&, i](const order& o) {
            if (o.id != next[i]++) ++disorder;
            handled.add();
        });
    auto running = app.start();
    for (int id = 0; id != n; ++id) running.publisher().publish("in", order{id}).wait_for(60s);
    handled.wait_for(3 * n);
    running.shutdown();
    EXPECT_EQ(disorder, 0);
}

}  // namespace
}  // namespace weir::test
