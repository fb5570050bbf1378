#include "support.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace weir::json::test {
namespace {

double number(const std::string& text) {
    const auto r = read<default_kernel, double>(text);
    EXPECT_TRUE(r) << text << ": " << r.failure.text();
    return r.value;
}
float small(const std::string& text) {
    const auto r = read<default_kernel, float>(text);
    EXPECT_TRUE(r) << text << ": " << r.failure.text();
    return r.value;
}

TEST(floating, is_rounded_as_the_c_library_rounds) {
    for (const char* text : {"0",
                             "1",
                             "129.95",
                             "0.1",
                             "0.2",
                             "0.30000000000000004",
                             "1e22",
                             "1e23",
                             "8.5e22",
                             "9007199254740993",
                             "9007199254740992.5",
                             "9007199254740991",
                             "123456789012345678",
                             "1234567890123456789",
                             "12345678901234567890",
                             "0.1234567890123456789",
                             "1e-22",
                             "1e-23",
                             "5e-324",
                             "4.9406564584124654e-324",
                             "2.2250738585072011e-308",
                             "2.2250738585072014e-308",
                             "1.7976931348623157e308",
                             "7.2057594037927933e16",
                             "1.00000000000000011102230246251565",
                             "1.00000000000000011102230246251566",
                             "100000000000000016777215",
                             "3.14159265358979323846264338327950288",
                             "0.000000000000000000000000000000000000000000000000001",
                             "179769313486231570000e288"}) {
        EXPECT_EQ(number(text), std::strtod(text, nullptr)) << text;
        EXPECT_EQ(small(std::abs(std::strtod(text, nullptr)) < 3e38 ? text : "1"),
                  std::abs(std::strtod(text, nullptr)) < 3e38 ? std::strtof(text, nullptr) : 1.0f)
            << text;
    }
}

TEST(floating, is_rounded_once_for_float) {
    // Halfway between two floats, and the double next to it is on the other side.
    EXPECT_EQ(small("1.00000017881393432617187499"), std::strtof("1.00000017881393432617187499", nullptr));
    EXPECT_EQ(small("16777217"), 16777216.0f);
    EXPECT_EQ(small("16777219"), 16777220.0f);
    EXPECT_EQ(small("0.1"), 0.1f);
}

TEST(floating, keeps_the_sign_of_zero) {
    EXPECT_TRUE(std::signbit(number("-0")));
    EXPECT_TRUE(std::signbit(number("-0.0e5")));
    EXPECT_TRUE(std::signbit(number("-1e-999")));
    EXPECT_FALSE(std::signbit(number("0")));
    EXPECT_EQ(to_string(-0.0), "-0");
}

TEST(floating, is_zero_where_it_is_too_small_and_refused_where_it_is_too_large) {
    EXPECT_EQ(number("1e-400"), 0.0);
    EXPECT_EQ(number("0.1e-999999999999"), 0.0);
    EXPECT_EQ(number("0e999999999999"), 0.0);
    EXPECT_EQ(number("0.000e999"), 0.0);
    EXPECT_EQ(small("1e-60"), 0.0f);
    for (const char* text : {"1e309", "-1e309", "1e99999999999",
                             "17976931348623159"
                             "0e292"})
        EXPECT_EQ((read<default_kernel, double>(text).failure.why), reason::out_of_range) << text;
    for (const char* text : {"1e39", "3.5e38"})
        EXPECT_EQ((read<default_kernel, float>(text).failure.why), reason::out_of_range) << text;
}

TEST(floating, is_written_shortest) {
    const auto text = [](double v) { return to_string(v); };
    EXPECT_EQ(text(0), "0");
    EXPECT_EQ(text(1), "1");
    EXPECT_EQ(text(-1), "-1");
    EXPECT_EQ(text(129.95), "129.95");
    EXPECT_EQ(text(0.1), "0.1");
    EXPECT_EQ(text(0.0001), "0.0001");
    EXPECT_EQ(text(0.5), "0.5");
    EXPECT_EQ(text(-2.25), "-2.25");
    EXPECT_EQ(text(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(text(1.0 / 3), "0.3333333333333333");
    EXPECT_EQ(text(99999999999.9999), "99999999999.9999");
    EXPECT_EQ(text(123456789012345), "123456789012345");
    EXPECT_EQ(text(5e-324), "5e-324");
    EXPECT_EQ(to_string(0.1f), "0.1");
    EXPECT_EQ(to_string(16777216.0f), "16777216");
    EXPECT_EQ(to_string(3.4028235e38f), "3.4028235e+38");
}

template <class F, class Bits> void round_trip_of_random_bits(unsigned seed) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < 50'000; ++i) {
        const F value = std::bit_cast<F>(static_cast<Bits>(random()));
        if (!std::isfinite(value)) continue;
        const std::string text = to_string(value);
        ASSERT_EQ(std::bit_cast<Bits>(parse<F>(text)), std::bit_cast<Bits>(value)) << text;
    }
}
TEST(floating, comes_back_bit_by_bit) {
    round_trip_of_random_bits<double, std::uint64_t>(1);
    round_trip_of_random_bits<float, std::uint32_t>(2);
}

// The quick way of writing must be as short as std::to_chars, and as exact.
template <class F> void round_trip_of_decimals(unsigned seed, std::int64_t most) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < 50'000; ++i) {
        const auto digits = static_cast<std::int64_t>(random()) % most >> random() % 40;
        F value =
            static_cast<F>(static_cast<double>(digits) / std::pow(10.0, static_cast<double>(random() % 7)));
        if (random() % 4 == 0)
            value = std::nextafter(value, F{1e9});  // a neighbour of a short number is a long one
        const std::string text = to_string(value);
        ASSERT_EQ(parse<F>(text), value) << text;
        char plain[400];
        const std::string shortest{
            plain, std::to_chars(plain, plain + sizeof plain, value, std::chars_format::fixed).ptr};
        if (text.find('e') == std::string::npos) {
            ASSERT_LE(text.size(), shortest.size()) << text << ' ' << shortest;
        }
    }
}
TEST(floating, with_few_decimals_is_short_and_exact) {
    round_trip_of_decimals<double>(3, 4'000'000'000'000'000'000);
    round_trip_of_decimals<float>(4, 100'000'000);
}

TEST(floating, random_decimal_texts_agree_with_the_c_library) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 50'000; ++i) {
        std::string text = std::to_string(random() >> random() % 64);
        if (random() % 2) {
            text += '.';
            for (auto n = 1 + random() % 25; n != 0; --n) text += static_cast<char>('0' + random() % 10);
        }
        if (random() % 2) text += "e" + std::to_string(static_cast<int>(random() % 80) - 40);
        ASSERT_EQ(number(text), std::strtod(text.c_str(), nullptr)) << text;
        if (std::abs(std::strtod(text.c_str(), nullptr)) < 3e38) {
            ASSERT_EQ(small(text), std::strtof(text.c_str(), nullptr)) << text;
        }
    }
}

TEST(floating, that_is_not_finite_is_not_written) {
    for (double value : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(to_string(value), error);
        EXPECT_THROW(to_string(static_cast<float>(value)), error);
    }
}

}  // namespace
}  // namespace weir::json::test
