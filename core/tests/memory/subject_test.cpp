#include <weir/memory/subject.hpp>

#include <gtest/gtest.h>

namespace weir::memory {
namespace {

TEST(subject, star_stands_for_one_token) {
    EXPECT_TRUE(matches("orders.*", "orders.eu"));
    EXPECT_FALSE(matches("orders.*", "orders"));
    EXPECT_FALSE(matches("orders.*", "orders.eu.north"));
    EXPECT_FALSE(matches("orders.*", "invoices.eu"));
    EXPECT_TRUE(matches("*.eu", "orders.eu"));
    EXPECT_TRUE(matches("orders.*.new", "orders.eu.new"));
    EXPECT_FALSE(matches("orders.*.new", "orders.eu.old"));
    EXPECT_TRUE(matches("*", "orders"));
    EXPECT_FALSE(matches("*", "orders.eu"));
    EXPECT_TRUE(matches("*.*", "a.b"));
}

TEST(subject, greater_stands_for_one_token_or_more) {
    EXPECT_TRUE(matches("orders.>", "orders.eu"));
    EXPECT_TRUE(matches("orders.>", "orders.eu.north.new"));
    EXPECT_FALSE(matches("orders.>", "orders"));
    EXPECT_FALSE(matches("orders.>", "order.eu"));
    EXPECT_TRUE(matches(">", "anything"));
    EXPECT_TRUE(matches(">", "any.thing"));
    EXPECT_TRUE(matches("*.>", "a.b"));
    EXPECT_FALSE(matches("*.>", "a"));
}

TEST(subject, empty_tokens_match_no_wildcard) {
    EXPECT_FALSE(matches("orders.*", "orders."));
    EXPECT_FALSE(matches("orders.>", "orders."));
    EXPECT_FALSE(matches("orders.>", "orders.eu."));
    EXPECT_FALSE(matches("orders.>", "orders..eu"));
    EXPECT_FALSE(matches("*", ""));
    EXPECT_FALSE(matches(">", ""));
    EXPECT_FALSE(matches("*.b", ".b"));
}

TEST(subject, wildcards_are_whole_tokens_only) {
    EXPECT_TRUE(has_wildcard("a.*"));
    EXPECT_TRUE(has_wildcard(">"));
    EXPECT_TRUE(has_wildcard("*.b"));
    EXPECT_FALSE(has_wildcard("orders.eu*"));
    EXPECT_FALSE(has_wildcard("a>b"));
    EXPECT_FALSE(has_wildcard(""));
    EXPECT_FALSE(matches("orders.eu*", "orders.eux"));
}

TEST(subject, names_are_anything_but_empty) {
    EXPECT_TRUE(is_name("orders"));
    EXPECT_TRUE(is_name("a b\xff."));
    EXPECT_FALSE(is_name(""));
}

TEST(subject, faults_of_patterns_are_named) {
    EXPECT_EQ(pattern_fault("orders.*"), "");
    EXPECT_EQ(pattern_fault("*.*.>"), "");
    EXPECT_EQ(pattern_fault("orders"), "it has no wildcard - subscribe to the name instead");
    EXPECT_EQ(pattern_fault(""), "it has no wildcard - subscribe to the name instead");
    EXPECT_EQ(pattern_fault("orders..*"), "it has an empty token");
    EXPECT_EQ(pattern_fault("*."), "it has an empty token");
    EXPECT_EQ(pattern_fault(".*"), "it has an empty token");
    EXPECT_EQ(pattern_fault(">.orders"), "'>' is only allowed as the last token");
    EXPECT_EQ(pattern_fault("a.>.*"), "'>' is only allowed as the last token");
}

}  // namespace
}  // namespace weir::memory
