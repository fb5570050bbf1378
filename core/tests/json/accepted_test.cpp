#include "support.hpp"

namespace weir::json::test {
namespace {

// Documents that RFC 8259 allows, each read as a value and skipped as a member that nobody wants.
template <class Kernel> class accepted : public ::testing::Test {
protected:
    static void accept(std::string_view text) {
        const auto whole = read<Kernel, any>(text);
        EXPECT_TRUE(whole) << text << ": " << whole.failure.text();
        std::string around = "{\"ignored\":";
        (around += text) += ",\"n\":7}";
        const auto skipped = read<Kernel, wanted>(around);
        EXPECT_TRUE(skipped) << around << ": " << skipped.failure.text();
        EXPECT_EQ(skipped.value.n, 7) << around;
    }
};
TYPED_TEST_SUITE(accepted, kernels);

TYPED_TEST(accepted, literals) {
    for (const char* text : {"true", "false", "null", " true", "null\n"}) this->accept(text);
}

TYPED_TEST(accepted, numbers) {
    for (const char* text : {"0",
                             "-0",
                             "1",
                             "-1",
                             "10",
                             "123456789",
                             "0.0",
                             "0.5",
                             "-0.5",
                             "1.25",
                             "123.456789",
                             "1e3",
                             "1E3",
                             "1e+3",
                             "1e-3",
                             "1.5e10",
                             "0e1",
                             "0e+1",
                             "0E-1",
                             "0.0e0",
                             "20e1",
                             "1e00",
                             "1.0e-00",
                             "123456789012345678901234567890",
                             "-123456789012345678901234567890",
                             "0.1234567890123456789012345",
                             "1e-400",
                             "-1e-400",
                             "4.9e-324",
                             "1.7976931348623157e308",
                             "100000000000000000000e-20",
                             "0.00000000000000000000000000000000000000000000000000000001",
                             "0e999999999999999999999",
                             "18446744073709551615",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "18446744073709551616"})
        this->accept(text);
}

TYPED_TEST(accepted, strings) {
    for (const char* text : {"\"\"",
                             "\"a\"",
                             "\" \"",
                             "\"0123456789abcde\"",
                             "\"0123456789abcdef\"",
                             "\"0123456789abcdefg\"",
                             "\"0123456789abcdef0123456789abcdef\"",
                             R"("\"\\\/\b\f\n\r\t")",
                             R"("\u0041")",
                             R"("\u0000")",
                             R"("\u001f")",
                             R"("\u00e9\u20ac\uFFFF\ufffe")",
                             R"("\uD834\uDD1E")",
                             R"("\ud800\udc00\uDBFF\uDFFF")",
                             R"("\uD83D\uDE00x")",
                             R"("\\u0041")",
                             R"("\\\\")",
                             R"("a\\")",
                             "\"\x7f\"",
                             "\"/\"",
                             "\"'\"",
                             "\"{[,:]}\"",
                             "\"\xc2\x80\"",
                             "\"\xdf\xbf\"",
                             "\"\xe0\xa0\x80\"",
                             "\"\xed\x9f\xbf\"",
                             "\"\xee\x80\x80\"",
                             "\"\xef\xbf\xbf\"",
                             "\"\xf0\x90\x80\x80\"",
                             "\"\xf4\x8f\xbf\xbf\"",
                             "\"\xef\xbb\xbf inside\"",
                             "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \\n\"",
                             "\"fifteen bytes..\xc3\xa9\"",
                             "\"sixteen bytes...\xc3\xa9\"",
                             "\"0123456789012345\xf0\x9f\x98\x80\xf0\x9f\x98\x80\""})
        this->accept(text);
}

TYPED_TEST(accepted, arrays_and_objects) {
    for (const char* text : {"[]",
                             "[ ]",
                             "[1]",
                             "[1,2]",
                             "[ 1 , 2 ]",
                             "[[]]",
                             "[[],[]]",
                             "[{}]",
                             "[null,1,\"1\",{}]",
                             "[[[[[[[[]]]]]]]]",
                             "{}",
                             "{ }",
                             "{\"a\":1}",
                             "{ \"a\" : 1 , \"b\" : 2 }",
                             "{\"\":0}",
                             "{\"a\":{}}",
                             "{\"a\":[]}",
                             "{\"a\":{\"a\":{\"a\":{}}}}",
                             "{\"\\u0061\":1}",
                             "{\"a\\nb\":1}",
                             "{\"\xc3\xa9\":1}",
                             "[{\"a\":[{\"b\":[]}]},[[{}]]]",
                             "[true,false,null]",
                             "{\"a\":true,\"b\":false,\"c\":null,\"d\":\"x\",\"e\":1.5e3,\"f\":[],\"g\":{}}"})
        this->accept(text);
}

TYPED_TEST(accepted, whitespace_of_all_four_kinds_between_all_tokens) {
    this->accept(
        " \t\r\n{ \t\r\n\"a\" \t\r\n: \t\r\n[ \t\r\n1 \t\r\n, \t\r\ntrue \t\r\n] \t\r\n, \t\r\n\"b\" \t\r\n: "
        "\t\r\n{ \t\r\n} \t\r\n} \t\r\n");
}

TYPED_TEST(accepted, nesting_up_to_the_limit) {
    const auto nested = [](unsigned n) { return std::string(n, '[') + std::string(n, ']'); };
    EXPECT_TRUE((read<TypeParam, any>(nested(64))));
    EXPECT_TRUE((read<TypeParam, any>(nested(1), {.depth = 1})));
    EXPECT_TRUE((read<TypeParam, any>("1", {.depth = 0})));
    this->accept(nested(63));  // inside one object
    EXPECT_TRUE((read<TypeParam, any>(nested(1024), {.depth = 1024})));
}

TYPED_TEST(accepted, a_string_of_ten_mebibytes) {
    const std::string text(10 << 20, 'x');
    const auto whole = read<TypeParam, std::string>('"' + text + '"');
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole.value, text);
    const auto escaped = read<TypeParam, std::string>("\"\\n" + text + "\\n\"");
    ASSERT_TRUE(escaped);
    EXPECT_EQ(escaped.value, '\n' + text + '\n');
    EXPECT_TRUE((read<TypeParam, wanted>("{\"ignored\":\"" + text + "\",\"n\":1}")));
}

}  // namespace
}  // namespace weir::json::test
