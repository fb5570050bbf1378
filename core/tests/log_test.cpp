#include "support/log_collector.hpp"

#include <gtest/gtest.h>

namespace weir::test {
namespace {

std::string line(log_level level, std::string_view text, std::initializer_list<log_field> fields) {
    const auto time = std::chrono::system_clock::time_point{std::chrono::milliseconds{1'767'225'600'007}};
    return format_line({level, time, text, {fields.begin(), fields.size()}});
}

TEST(log, line_has_time_level_text_and_fields) {
    EXPECT_EQ(line(log_level::warning, "message rejected", {{"subscription", "orders"}, {"attempts", 3u}}),
              "2026-01-01T00:00:00.007Z warning message rejected subscription=orders attempts=3");
}

TEST(log, line_stays_one_line_whatever_a_value_holds) {
    const std::string text =
        line(log_level::error, "two\nlines", {{"why", "a \"b\"\n\x01\\ c=d"}, {"empty", ""}});
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_NE(text.find("why=\"a \\\"b\\\"\\x0a\\x01\\\\ c=d\""), std::string::npos) << text;
    EXPECT_NE(text.find("empty=\"\""), std::string::npos);
}

TEST(log, line_of_a_time_before_the_epoch_is_still_right) {
    const auto time = std::chrono::system_clock::time_point{std::chrono::milliseconds{-1}};
    EXPECT_EQ(format_line({log_level::info, time, "x", {}}), "1969-12-31T23:59:59.999Z info x");
}

TEST(log, field_writes_numbers_of_every_kind) {
    EXPECT_EQ(log_field("n", -5).value(), "-5");
    EXPECT_EQ(log_field("n", std::numeric_limits<std::uint64_t>::max()).value(), "18446744073709551615");
    EXPECT_EQ(log_field("n", 0.25).value(), "0.25");
    EXPECT_EQ(log_field("n", true).value(), "true");
    EXPECT_EQ(log_field("n", std::numeric_limits<double>::lowest()).value(), "-1.7976931348623157e+308");
}

TEST(log, field_is_copied_with_its_number) {
    const log_field a("n", 42);
    const log_field b = a;
    EXPECT_EQ(b.value(), "42");
}

TEST(logger, says_nothing_below_its_level) {
    log_collector sink;
    const logger quiet(sink, log_level::warning);
    quiet.debug("no");
    quiet.info("no");
    quiet.warning("yes");
    quiet.error("yes");
    EXPECT_EQ(sink.count("no"), 0u);
    EXPECT_EQ(sink.count("yes"), 2u);
    const logger off(sink, log_level::off);
    off.error("never");
    EXPECT_EQ(sink.count("never"), 0u);
    EXPECT_FALSE(off.enabled(log_level::off));
}

}  // namespace
}  // namespace weir::test
