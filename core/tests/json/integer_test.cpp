#include "support.hpp"

#include <limits>

namespace weir::json::test {
namespace {

template <class T> class integer : public ::testing::Test {};
using integers = ::testing::Types<signed char, unsigned char, short, unsigned short, int, unsigned, long,
                                  unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(integer, integers);

template <class T> reading<T> number(const std::string& text) { return read<default_kernel, T>(text); }
/// The same where the member is read by the way that is inlined.
template <class T> struct holder {
    T n;
};
template <class T> reading<holder<T>> member(const std::string& text) {
    return read<default_kernel, holder<T>>("{\"n\":" + text + "}");
}

/// Decimal text plus one, for texts of digits.
std::string next(std::string digits) {
    std::size_t at = digits.size();
    while (at-- > 0) {
        if (digits[at] != '9') return ++digits[at], digits;
        digits[at] = '0';
    }
    return "1" + digits;
}

TYPED_TEST(integer, takes_its_whole_range_and_nothing_beyond) {
    using limits = std::numeric_limits<TypeParam>;
    const std::string most = std::to_string(limits::max());
    for (const std::string& text :
         {most, std::to_string(limits::min()), std::string{"0"}, std::string{"-0"}, std::string{"1"}}) {
        const auto whole = number<TypeParam>(text);
        ASSERT_TRUE(whole) << text << ": " << whole.failure.text();
        EXPECT_EQ(std::to_string(whole.value), text == "-0" ? "0" : text);
        const auto inside = member<TypeParam>(text);
        ASSERT_TRUE(inside) << text;
        EXPECT_EQ(inside.value.n, whole.value);
    }
    const std::string below = limits::min() == 0 ? "-1" : "-" + next(std::to_string(limits::min()).substr(1));
    for (const std::string& text :
         {next(most), below, most + "0", std::string{"18446744073709551616"},
          std::string{"18446744073709551617"}, std::string{"28446744073709551616"},
          std::string{"99999999999999999999"}, std::string{"100000000000000000000"},
          std::string{"-9223372036854775809"}, std::string{"-99999999999999999999999999"}}) {
        const auto whole = number<TypeParam>(text);
        EXPECT_FALSE(whole) << text;
        EXPECT_EQ(whole.failure.why, reason::out_of_range) << text;
        EXPECT_EQ(whole.failure.offset, text[0] == '-' && limits::is_signed ? 1u : 0u) << text;
        EXPECT_FALSE(member<TypeParam>(text)) << text;
    }
}

// A fraction or an exponent is refused even where the number is whole: 1.0 and 1e3 come from a sender whose
// type is not an integer, and 9007199254740993.0 has lost its last digit before anybody reads it.
TYPED_TEST(integer, takes_no_fraction_and_no_exponent) {
    for (const std::string text : {"1.0", "1.5", "1e3", "1E2", "0.0", "0e0", "1e-1", "12.00", "10e1"}) {
        const auto whole = number<TypeParam>(text);
        EXPECT_FALSE(whole) << text;
        EXPECT_EQ(whole.failure.why, reason::not_whole) << text;
        const auto inside = member<TypeParam>(text);
        EXPECT_FALSE(inside) << text;
        EXPECT_EQ(inside.failure.why, reason::not_whole) << text;
        EXPECT_EQ(inside.failure.path(), "n") << text;
        const auto later = read<default_kernel, holder<TypeParam>>("{\"m\":1,\"n\":" + text + "}");
        EXPECT_EQ(later.failure.why, reason::not_whole) << text;
        EXPECT_EQ(later.failure.path(), "n") << text;
    }
}

TYPED_TEST(integer, takes_no_leading_zero_sign_or_other_value) {
    for (const std::string text :
         {"01", "00", "-01", "+1", "-", "--1", "", "\"1\"", "true", "null", "[]", "{}", "x", "1 1"}) {
        EXPECT_FALSE(number<TypeParam>(text)) << text;
        EXPECT_FALSE(member<TypeParam>(text)) << text;
    }
}

TYPED_TEST(integer, stands_behind_whitespace) {
    EXPECT_EQ(number<TypeParam>(" \n\t\r 7 ").value, TypeParam{7});
    EXPECT_EQ(member<TypeParam>("  7\n").value.n, TypeParam{7});
}

TEST(integer_failure, names_what_stands_there_instead) {
    EXPECT_EQ(number<int>("\"1\"").failure.why, reason::wrong_type);
    EXPECT_EQ(number<int>("null").failure.text(),
              "a value of another type where a number is needed, at byte 0");
    EXPECT_EQ(number<int>("x").failure.why, reason::syntax);
}

TEST(boolean, is_true_or_false_and_no_number) {
    EXPECT_TRUE(number<bool>("true").value);
    EXPECT_TRUE(number<bool>("false"));
    for (const char* text : {"1", "0", "\"true\"", "True", "truer", "null", "tru"})
        EXPECT_FALSE(number<bool>(text)) << text;
}

}  // namespace
}  // namespace weir::json::test
