#include <weir/payload/headers.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace weir::test {
namespace {

std::vector<std::pair<std::string, std::string>> all_of(const headers& h) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const headers::field f : h) all.emplace_back(f.name, f.value);
    return all;
}
using fields = std::vector<std::pair<std::string, std::string>>;

TEST(headers, are_found_whatever_the_case_of_the_name) {
    headers h;
    h.set("Content-Type", "application/json");
    EXPECT_EQ(h.get("content-type"), "application/json");
    EXPECT_EQ(h.get("CONTENT-TYPE"), "application/json");
    EXPECT_TRUE(h.contains("cOnTeNt-TyPe"));
    EXPECT_FALSE(h.contains("content-typ"));
    EXPECT_FALSE(h.contains("content-type2"));
}

TEST(headers, fold_only_ascii_letters) {
    headers h;
    h.set("x@[", "1");
    EXPECT_FALSE(h.contains("x`{"));  // 0x20 apart, and no letters
    h.set("\xc3\x84", "2");           // a capital umlaut stays what it is
    EXPECT_EQ(h.get("\xc3\x84"), "2");
    EXPECT_FALSE(h.contains("\xc3\xa4"));
}

TEST(headers, keep_the_order_in_which_they_were_first_set_and_the_names_in_lower_case) {
    headers h{{"B", "1"}, {"a", "2"}, {"C", "3"}};
    EXPECT_EQ(all_of(h), (fields{{"b", "1"}, {"a", "2"}, {"c", "3"}}));
}

TEST(headers, replace_in_place_by_a_longer_a_shorter_and_an_empty_value) {
    headers h{{"a", "1"}, {"b", "22"}, {"c", "333"}};
    h.set("B", "a longer value");
    EXPECT_EQ(all_of(h), (fields{{"a", "1"}, {"b", "a longer value"}, {"c", "333"}}));
    h.set("b", "x");
    EXPECT_EQ(all_of(h), (fields{{"a", "1"}, {"b", "x"}, {"c", "333"}}));
    h.set("b", "");
    EXPECT_EQ(all_of(h), (fields{{"a", "1"}, {"b", ""}, {"c", "333"}}));
    EXPECT_EQ(h.size(), 3u);
}

TEST(headers, tell_an_empty_value_from_none) {
    headers h;
    h.set("present", "");
    EXPECT_EQ(h.find("present"), std::string_view{});
    EXPECT_EQ(h.find("absent"), std::nullopt);
    EXPECT_EQ(h.get("absent"), "");
}

TEST(headers, carry_any_bytes) {
    const std::string binary{"\0\xff\n=\0", 5};
    headers h;
    h.set("x", binary);
    h.set("y", "after");
    EXPECT_EQ(h.get("x"), binary);
    EXPECT_EQ(h.get("y"), "after");
}

TEST(headers, erase_the_first_the_last_and_one_between) {
    headers h{{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}};
    EXPECT_TRUE(h.erase("B"));
    EXPECT_FALSE(h.erase("b"));
    EXPECT_EQ(all_of(h), (fields{{"a", "1"}, {"c", "3"}, {"d", "4"}}));
    EXPECT_TRUE(h.erase("a"));
    EXPECT_TRUE(h.erase("d"));
    EXPECT_EQ(all_of(h), (fields{{"c", "3"}}));
    EXPECT_TRUE(h.erase("c"));
    EXPECT_TRUE(h.empty());
    EXPECT_EQ(h.begin(), h.end());
}

TEST(headers, are_equal_when_the_same_names_have_the_same_values_in_whatever_order) {
    const headers a{{"x", "1"}, {"y", "2"}};
    EXPECT_EQ(a, (headers{{"Y", "2"}, {"X", "1"}}));
    EXPECT_NE(a, (headers{{"x", "1"}}));
    EXPECT_NE(a, (headers{{"x", "1"}, {"y", "3"}}));
    EXPECT_NE(a, (headers{{"x", "1"}, {"z", "2"}}));
    EXPECT_EQ(headers{}, headers{});
}

TEST(headers, are_copied_and_moved_whole) {
    headers a{{"x", "1"}};
    headers copy = a;
    a.set("x", "2");
    EXPECT_EQ(copy.get("x"), "1");
    const headers moved = std::move(copy);
    EXPECT_EQ(moved.get("x"), "1");
}

TEST(headers, forget_everything_on_clear_and_can_be_filled_again) {
    headers h{{"x", "1"}, {"y", "2"}};
    h.clear();
    EXPECT_TRUE(h.empty());
    EXPECT_FALSE(h.contains("x"));
    h.set("z", "3");
    EXPECT_EQ(all_of(h), (fields{{"z", "3"}}));
}

TEST(headers, hold_many_and_long_ones) {
    headers h;
    const std::string long_value(100'000, 'v');
    for (int i = 0; i != 500; ++i)
        h.set("name-" + std::to_string(i), i % 100 == 0 ? long_value : std::to_string(i));
    EXPECT_EQ(h.size(), 500u);
    EXPECT_EQ(h.get("NAME-499"), "499");
    EXPECT_EQ(h.get("name-400"), long_value);
}

TEST(headers, know_the_names_that_services_share) {
    const headers h{{"content-type", "a"},
                    {"correlation-id", "b"},
                    {"reply-to", "c"},
                    {"message-id", "d"},
                    {"partition-key", "e"}};
    EXPECT_EQ(h.content_type(), "a");
    EXPECT_EQ(h.correlation_id(), "b");
    EXPECT_EQ(h.reply_to(), "c");
    EXPECT_EQ(h.message_id(), "d");
    EXPECT_EQ(h.partition_key(), "e");
}

}  // namespace
}  // namespace weir::test
