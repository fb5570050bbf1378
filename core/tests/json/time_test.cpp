#include "support.hpp"

#include <random>

namespace weir::json::test {
namespace {

using namespace std::chrono;

template <class Duration> sys_time<Duration> time(std::string_view text) {
    const auto r = read<default_kernel, sys_time<Duration>>('"' + std::string{text} + '"');
    EXPECT_TRUE(r) << text << ": " << r.failure.text();
    return r.value;
}
template <class Duration> std::string text(sys_time<Duration> value) {
    std::string quoted = to_string(value);
    return quoted.substr(1, quoted.size() - 2);
}

TEST(time, is_read_as_rfc_3339_writes_it) {
    const auto noon = sys_days{2024y / May / 1} + 12h + 34min + 56s;
    EXPECT_EQ(time<seconds>("2024-05-01T12:34:56Z"), noon);
    EXPECT_EQ(time<seconds>("2024-05-01t12:34:56z"), noon);
    EXPECT_EQ(time<seconds>("2024-05-01T14:34:56+02:00"), noon);
    EXPECT_EQ(time<seconds>("2024-05-01T07:04:56-05:30"), noon);
    EXPECT_EQ(time<seconds>("2024-05-02T12:33:56+23:59"), noon);
    EXPECT_EQ(time<seconds>("2024-05-01T12:34:56-00:00"), noon);
    EXPECT_EQ(time<milliseconds>("2024-05-01T12:34:56.789Z"), noon + 789ms);
    EXPECT_EQ(time<nanoseconds>("2024-05-01T12:34:56.123456789Z"), noon + 123456789ns);
    EXPECT_EQ(time<microseconds>("2024-05-01T12:34:56.5+00:00"), noon + 500ms);
    EXPECT_EQ(time<seconds>("0000-01-01T00:00:00Z"), sys_days{0y / January / 1});
    EXPECT_EQ(time<seconds>("9999-12-31T23:59:59Z"), sys_days{9999y / December / 31} + 23h + 59min + 59s);
    EXPECT_EQ(time<seconds>("2024-02-29T00:00:00Z"), sys_days{2024y / February / 29});
}

TEST(time, is_cut_towards_the_past_where_the_type_is_coarser) {
    EXPECT_EQ(time<milliseconds>("2024-05-01T00:00:00.1239999Z"), sys_days{2024y / May / 1} + 123ms);
    EXPECT_EQ(time<seconds>("1969-12-31T23:59:58.9Z"), sys_seconds{-2s});
    EXPECT_EQ(time<milliseconds>("1969-12-31T23:59:59.9999Z"), sys_time<milliseconds>{-1ms});
    EXPECT_EQ(time<nanoseconds>("1970-01-01T00:00:00.1234567899999Z"), sys_time<nanoseconds>{123456789ns});
    EXPECT_EQ(time<days>("1969-12-31T12:00:00Z"), sys_days{1969y / December / 31});
    EXPECT_EQ(time<hours>("2024-05-01T12:59:59Z"), sys_days{2024y / May / 1} + 12h);
}

TEST(time, of_a_leap_second_is_the_next_second) {
    EXPECT_EQ(time<seconds>("2016-12-31T23:59:60Z"), sys_days{2017y / January / 1});
    EXPECT_EQ(time<seconds>("2017-01-01T01:59:60+02:00"), sys_days{2017y / January / 1});
}

TEST(time, is_refused_in_any_other_form) {
    for (const char* bad : {"",
                            "2024",
                            "2024-05-01",
                            "2024-05-01T12:34:56",
                            "2024-05-01 12:34:56Z",
                            "2024-05-01T12:34Z",
                            "2024-05-01T12:34:56.Z",
                            "2024-05-01T12:34:56,5Z",
                            "2024-05-01T12:34:56.5",
                            "2024-13-01T12:34:56Z",
                            "2024-00-01T12:34:56Z",
                            "2024-05-00T12:34:56Z",
                            "2024-05-32T12:34:56Z",
                            "2023-02-29T12:34:56Z",
                            "1900-02-29T00:00:00Z",
                            "2024-04-31T12:34:56Z",
                            "2024-05-01T24:00:00Z",
                            "2024-05-01T12:60:56Z",
                            "2024-05-01T12:34:61Z",
                            "2024-05-01T12:34:60Z",
                            "2024-05-01T23:59:60+01:00",
                            "2024-05-01T12:34:56+24:00",
                            "2024-05-01T12:34:56+01:60",
                            "2024-05-01T12:34:56+0100",
                            "2024-05-01T12:34:56+01",
                            "2024-05-01T12:34:56Z ",
                            " 2024-05-01T12:34:56Z",
                            "2024-05-01T12:34:56ZZ",
                            "-024-05-01T12:34:56Z",
                            "+2024-05-01T12:34:56Z",
                            "12024-05-01T12:34:56Z",
                            "20240501T123456Z",
                            "2024-5-1T12:34:56Z",
                            "2024/05/01T12:34:56Z",
                            "2024-05-01T12-34-56Z",
                            "2024-05-01T1a:34:56Z",
                            "2024-05-01T12:34:56.x5Z",
                            "2024-05-01T12:34:56 Z",
                            "2024-05-01T12:34:56+01:0"}) {
        const auto r = read<default_kernel, sys_seconds>('"' + std::string{bad} + '"');
        EXPECT_FALSE(r) << bad;
        EXPECT_EQ(r.failure.why, reason::invalid_time) << bad;
        EXPECT_EQ(r.failure.offset, 0u) << bad;
    }
    EXPECT_EQ((read<default_kernel, sys_seconds>("1714566896").failure.why), reason::wrong_type);
}

TEST(time, that_the_type_cannot_hold_is_refused) {
    EXPECT_EQ((read<default_kernel, sys_time<nanoseconds>>(R"("9999-01-01T00:00:00Z")").failure.why),
              reason::out_of_range);
    EXPECT_EQ((read<default_kernel, sys_time<nanoseconds>>(R"("1600-01-01T00:00:00Z")").failure.why),
              reason::out_of_range);
    EXPECT_EQ(
        (read<default_kernel, sys_time<duration<std::int32_t>>>(R"("2038-01-19T03:14:08Z")").failure.why),
        reason::out_of_range);
    EXPECT_TRUE((read<default_kernel, sys_time<duration<std::int32_t>>>(R"("2038-01-19T03:14:07Z")")));
    EXPECT_THROW((void)to_string(sys_days{10000y / January / 1}), error);
    EXPECT_THROW((void)to_string(sys_days{-1y / January / 1}), error);
}

TEST(time, is_written_in_utc_with_the_digits_of_its_type) {
    const auto noon = sys_days{2024y / May / 1} + 12h + 34min + 56s;
    EXPECT_EQ(text<seconds>(noon), "2024-05-01T12:34:56Z");
    EXPECT_EQ(text<milliseconds>(noon), "2024-05-01T12:34:56.000Z");
    EXPECT_EQ(text<milliseconds>(noon + 7ms), "2024-05-01T12:34:56.007Z");
    EXPECT_EQ(text<microseconds>(noon + 7us), "2024-05-01T12:34:56.000007Z");
    EXPECT_EQ(text<nanoseconds>(noon + 123456789ns), "2024-05-01T12:34:56.123456789Z");
    EXPECT_EQ(text<days>(sys_days{2024y / May / 1}), "2024-05-01T00:00:00Z");
    EXPECT_EQ((text<duration<std::int64_t, std::ratio<1, 10>>>(sys_seconds{0s})), "1970-01-01T00:00:00.0Z");
    EXPECT_EQ(text<milliseconds>(sys_time<milliseconds>{-1ms}), "1969-12-31T23:59:59.999Z");
    EXPECT_EQ(text<seconds>(sys_days{0y / January / 1}), "0000-01-01T00:00:00Z");
    EXPECT_EQ(text<seconds>(sys_days{9999y / December / 31} + 86399s), "9999-12-31T23:59:59Z");
}

TEST(time, comes_back_at_random) {
    std::mt19937_64 random(6);
    std::uniform_int_distribution<std::int64_t> any_second(-62'167'219'200, 253'402'300'799);
    for (int i = 0; i < 20'000; ++i) {
        const sys_time<microseconds> value =
            sys_seconds{seconds{any_second(random)}} + microseconds{random() % 1'000'000};
        ASSERT_EQ(parse<sys_time<microseconds>>(to_string(value)), value) << to_string(value);
        const sys_time<nanoseconds> fine{nanoseconds{static_cast<std::int64_t>(random())}};
        ASSERT_EQ(parse<sys_time<nanoseconds>>(to_string(fine)), fine) << to_string(fine);
    }
}

}  // namespace
}  // namespace weir::json::test
