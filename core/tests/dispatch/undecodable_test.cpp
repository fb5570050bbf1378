// Payloads that are not what the handler's message type says, hostile ones among them.
#include "support/service.hpp"

#include <map>

namespace weir::test {
namespace {

struct line_item {
    std::string sku;
    std::uint8_t pieces = 0;
};
struct purchase {
    int id = 0;
    std::vector<line_item> items;
};

class undecodable : public testing::Test {
protected:
    template <class... Options> void subscribe(Options... options) {
        s.memory.subscribe("in", [this](const purchase& p) { seen.push_back(p.id); }, options...);
        s.memory.subscribe("dead", [this](bytes b, const headers& h) {
            dead.emplace_back(b.text());
            reason = h.get("x-weir-reason");
        });
        s.start();
    }
    std::vector<int> seen;
    std::vector<std::string> dead;
    std::string reason;
    service s;
};

TEST_F(undecodable, goes_to_the_dead_letters_with_member_and_offset_in_log_and_reason) {
    subscribe(retries{.dead_letter = "dead"});
    const std::string payload = R"({"id":1,"items":[{"sku":"a","pieces":1},{"sku":"b","pieces":256}]})";
    s.send("in", payload);
    EXPECT_EQ(dead, std::vector{payload});
    EXPECT_NE(reason.find("undecodable: "), std::string::npos) << reason;
    EXPECT_NE(reason.find("items[1].pieces"), std::string::npos) << reason;
    EXPECT_NE(reason.find("at byte " + std::to_string(payload.find("256"))), std::string::npos) << reason;
    EXPECT_EQ(s.log.last("message goes to the dead letters").field("reason"), reason);
    EXPECT_TRUE(seen.empty());
    EXPECT_EQ(s.counters("in").undecodable, 1u);
    EXPECT_EQ(s.counters("in").exceptions, 0u);
}

TEST_F(undecodable, is_rejected_by_default_and_the_next_message_is_handled) {
    subscribe();
    EXPECT_EQ(s.publish("in", "{"), std::error_code{});
    s.send("in", R"({"id":2,"items":[]})");
    EXPECT_EQ(seen, std::vector{2});
    EXPECT_EQ(s.counters("in").rejected, 1u);
    EXPECT_EQ(s.memory.connection().counters().in_queues, 0u);
}

TEST_F(undecodable, can_be_discarded) {
    subscribe(on_failure{.decode = discard}, retries{.dead_letter = "dead"});
    s.send("in", "nonsense");
    EXPECT_TRUE(dead.empty());
    EXPECT_EQ(s.counters("in").acked, 1u);
    EXPECT_EQ(s.log.count("undecodable message dropped"), 1u);
}

TEST_F(undecodable, can_be_acknowledged) {
    subscribe(on_failure{.decode = ack}, retries{.dead_letter = "dead"});
    s.send("in", "nonsense");
    EXPECT_TRUE(dead.empty());
    EXPECT_EQ(s.counters("in").acked, 1u);
}

TEST_F(undecodable, can_be_tried_again_as_often_as_the_retries_say) {
    subscribe(on_failure{.decode = retry},
              retries{.attempts = 3, .backoff = constant(1s), .dead_letter = "dead"});
    s.send("in", "nonsense");
    s.advance(1s);
    EXPECT_TRUE(dead.empty());
    s.advance(1s);
    EXPECT_EQ(dead.size(), 1u);
    EXPECT_EQ(s.counters("in").undecodable, 3u);
    EXPECT_NE(reason.find("attempts exhausted, the last one: undecodable: "), std::string::npos) << reason;
}

TEST_F(undecodable, can_be_tried_again_after_a_while) {
    subscribe(on_failure{.decode = retry_in(1h)});
    s.send("in", "nonsense");
    s.advance(1h - 1ns);
    EXPECT_EQ(s.counters("in").undecodable, 1u);
    s.advance(1ns);
    EXPECT_EQ(s.counters("in").undecodable, 2u);
}

TEST_F(undecodable, can_stop_the_application_and_stays_unsettled) {
    subscribe(on_failure{.decode = fail_fast});
    EXPECT_EQ(s.publish("in", "nonsense"), std::error_code{});
    EXPECT_EQ(s.publish("in", R"({"id":2,"items":[]})"), std::error_code{});
    s.run();
    EXPECT_TRUE(seen.empty()) << "nothing is handled any more";
    EXPECT_EQ(s.running->health().state, health_state::failed);
    EXPECT_NE(s.running->health().reason.find("undecodable"), std::string::npos);
    EXPECT_EQ(s.memory.connection().counters().in_queues, 2u);
    EXPECT_THROW(s.shutdown(), error);
}

TEST_F(undecodable, in_a_batch_is_settled_alone_and_the_others_are_handled) {
    std::vector<std::size_t> sizes;
    s.memory.subscribe("in", [&](std::span<const order> all) { sizes.push_back(all.size()); }, batch(8));
    s.start();
    for (const char* p : {R"({"id":1})", R"({"id":2})", "bad", "bad", R"({"id":5})"})
        EXPECT_FALSE(s.publish("in", p));
    s.run();
    EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1}));
    EXPECT_EQ(s.counters("in").rejected, 2u);
    EXPECT_EQ(s.counters("in").acked, 3u);
}

TEST_F(undecodable, among_shared_slots_is_settled_alone_as_well) {
    journal j;
    s.app.provide(j);
    s.memory.subscribe(
        "in",
        [](const order& o, journal& to) -> task<void> {
            co_await sleep_for(1ms);
            to.add(std::to_string(o.id));
        },
        workers(3), retries{.dead_letter = "dead"});
    s.memory.subscribe("dead", [this](bytes b) { dead.emplace_back(b.text()); });
    s.start();
    for (const char* p : {R"({"id":1})", "bad", R"({"id":3})", "worse"}) EXPECT_FALSE(s.publish("in", p));
    s.run();
    s.advance(1ms);
    EXPECT_EQ(j.joined(), "1 3");
    EXPECT_EQ(dead, (std::vector<std::string>{"bad", "worse"}));
    EXPECT_EQ(s.memory.connection().counters().in_queues, 0u);
}

// ---------------------------------------------------------------- hostile payloads

std::string nested(std::size_t depth) {
    return R"({"id":1,"items":[],"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

TEST_F(undecodable, is_every_document_that_is_cut_short) {
    subscribe();
    const std::string whole = R"({"id":12,"items":[{"sku":"a\u00e4\n","pieces":3}]})";
    for (std::size_t n = 0; n != whole.size(); ++n) s.send("in", whole.substr(0, n));
    EXPECT_EQ(s.counters("in").undecodable, whole.size());
    EXPECT_TRUE(seen.empty());
    s.send("in", whole);
    EXPECT_EQ(seen, std::vector{12});
}

TEST_F(undecodable, is_an_empty_payload) {
    subscribe(retries{.dead_letter = "dead"});
    s.send("in", "");
    EXPECT_EQ(dead, std::vector<std::string>{""});
    EXPECT_NE(reason.find("empty"), std::string::npos) << reason;
}

TEST_F(undecodable, is_deep_nesting_also_in_members_nobody_asked_for) {
    subscribe(retries{.dead_letter = "dead"});
    s.send("in", nested(50));
    EXPECT_EQ(seen, std::vector{1});
    s.send("in", nested(100));
    s.send("in", nested(200'000));
    EXPECT_EQ(dead.size(), 2u);
    EXPECT_NE(reason.find("nested too deep"), std::string::npos) << reason;
}

TEST_F(undecodable, is_text_that_is_not_utf8) {
    subscribe(retries{.dead_letter = "dead"});
    const std::string payload = "{\"id\":1,\"items\":[{\"sku\":\"ab\xff\",\"pieces\":1}]}";
    s.send("in", payload);
    EXPECT_EQ(dead, std::vector{payload});
    EXPECT_NE(reason.find("UTF-8"), std::string::npos) << reason;
    EXPECT_NE(reason.find("items[0].sku"), std::string::npos) << reason;
}

TEST_F(undecodable, is_a_number_out_of_range) {
    subscribe();
    for (const char* id : {"2147483648", "-2147483649", "1e3", "1.5", "99999999999999999999999"})
        s.send("in", std::string(R"({"id":)") + id + R"(,"items":[]})");
    EXPECT_EQ(s.counters("in").undecodable, 5u);
}

TEST_F(undecodable, is_not_a_string_of_ten_mebibytes) {
    std::size_t size = 0;
    s.memory.subscribe("text", [&size](const std::string& t) { size = t.size(); });
    s.start();
    const std::string large(10 << 20, 'x');
    s.send("text", '"' + large + '"');
    EXPECT_EQ(size, large.size());
    s.send("text", '"' + large);
    EXPECT_EQ(s.counters("text").undecodable, 1u);
}

TEST_F(undecodable, says_so_in_few_words_however_long_a_name_or_a_payload_is) {
    std::map<std::string, int> numbers;
    s.memory.subscribe(
        "map", [&](const std::map<std::string, int>& m) { numbers = m; }, retries{.dead_letter = "dead"});
    subscribe();
    s.send("map", "{\"line one\\nline two" + std::string(100'000, 'n') + "\":\"no number\"}");
    EXPECT_EQ(reason.find('\n'), std::string::npos);
    EXPECT_LT(reason.size(), 1000u);
    EXPECT_TRUE(numbers.empty());
}

}  // namespace
}  // namespace weir::test
