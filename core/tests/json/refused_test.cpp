#include "support.hpp"

namespace weir::json::test {
namespace {

// Documents that RFC 8259 forbids, or whose numbers do not exist. Each is refused as a value, as the value of
// a member that is read, and as that of a member that nobody wants.
template <class Kernel> class refused : public ::testing::Test {
protected:
    static void refuse(std::string_view text, reason why, std::size_t offset) {
        const auto whole = read<Kernel, any>(text);
        EXPECT_FALSE(whole) << text;
        EXPECT_EQ(whole.failure.why, why) << text;
        EXPECT_EQ(whole.failure.offset, offset) << text;
        EXPECT_EQ(whole.value.index(), 0u) << "a refused document leaves nothing behind";
        refuse_inside(text);
    }
    static void refuse_inside(std::string_view text) {
        std::string around = "{\"ignored\":";
        (around += text) += ",\"n\":7}";
        EXPECT_FALSE((read<Kernel, wanted>(around))) << around;
        EXPECT_FALSE((read<Kernel, any>(around))) << around;
    }
};
TYPED_TEST_SUITE(refused, kernels);

TYPED_TEST(refused, documents_without_a_value) {
    this->refuse("", reason::empty, 0);
    this->refuse(" \n\t\r ", reason::empty, 5);
    for (const char* text : {"{}", "[]", "1", "\"a\""}) {
        const auto marked = read<TypeParam, any>(std::string{"\xef\xbb\xbf"} + text);
        EXPECT_FALSE(marked);
        EXPECT_EQ(marked.failure.why, reason::byte_order_mark);
    }
    EXPECT_EQ((read<TypeParam, any>("\xff\xfe{").failure.why), reason::byte_order_mark);
    EXPECT_EQ((read<TypeParam, any>("\xfe\xff{").failure.why), reason::byte_order_mark);
}

TYPED_TEST(refused, words_that_are_no_literals) {
    for (const char* text :
         {"nul",       "tru",       "fals",    "nulll", "truee", "True", "NULL", "nan", "NaN", "Infinity",
          "-Infinity", "undefined", "t",       "f",     "n",     "'a'",  "a",    "+1",  ".5",  "#",
          "\x80",      "\xff",      "/* */ 1", "// 1",  "=1",    ":",    ",",    "]",   "}"})
        EXPECT_FALSE((read<TypeParam, any>(text))) << text;
    for (const char* text : {"nul", "tru", "fals", "nulll", "truee", "True", "NULL", "NaN", "Infinity", "'a'",
                             "a", "", ":", "]", "}"})
        this->refuse_inside(text);
}

TYPED_TEST(refused, numbers) {
    const auto why = reason::invalid_number;
    this->refuse("-", reason::truncated, 1);
    this->refuse("-a", why, 1);
    this->refuse("--1", why, 1);
    this->refuse("-+1", why, 1);
    this->refuse("+1", reason::syntax, 0);
    this->refuse("01", why, 0);
    this->refuse("-01", why, 1);
    this->refuse("00", why, 0);
    this->refuse("-00.5", why, 1);
    this->refuse("1.", reason::truncated, 2);
    this->refuse("1.a", why, 2);
    this->refuse("1.e5", why, 2);
    this->refuse("0.", reason::truncated, 2);
    this->refuse(".1", reason::syntax, 0);
    this->refuse("-.1", why, 1);
    this->refuse("1e", reason::truncated, 2);
    this->refuse("1ex", why, 2);
    this->refuse("1e+", reason::truncated, 3);
    this->refuse("1e-x", why, 3);
    this->refuse("1.5e", reason::truncated, 4);
    this->refuse("0x10", reason::trailing, 1);
    this->refuse("1_000", reason::trailing, 1);
    this->refuse("1 000", reason::trailing, 2);
    this->refuse("1.5.5", reason::syntax, 3);
    this->refuse("1e5e5", reason::syntax, 3);
    this->refuse("1e5.5", reason::syntax, 3);
    this->refuse("1-1", reason::trailing, 1);
}

TYPED_TEST(refused, numbers_beyond_every_double) {
    for (const char* text : {"1e309", "-1e309", "1.8e308", "1e999999999999999999999", "123456789e400"}) {
        const auto r = read<TypeParam, any>(text);
        EXPECT_FALSE(r) << text;
        EXPECT_EQ(r.failure.why, reason::out_of_range) << text;
        EXPECT_EQ(r.failure.offset, 0u) << text;
    }
}

TYPED_TEST(refused, strings) {
    this->refuse("\"", reason::truncated, 1);
    this->refuse("\"a", reason::truncated, 2);
    this->refuse("\"0123456789abcdef0123456789", reason::truncated, 27);
    this->refuse("\"\\", reason::truncated, 2);
    this->refuse("\"\\\"", reason::truncated, 3);
    this->refuse("\"a\\\\\\\"", reason::truncated, 6);
    this->refuse("\"a\nb\"", reason::control_character, 2);
    this->refuse("\"\t\"", reason::control_character, 1);
    this->refuse("\"\x1f\"", reason::control_character, 1);
    this->refuse("\"\xc3\xa9\x01\"", reason::control_character, 3);
    this->refuse(std::string_view{"\"a\0b\"", 5}, reason::control_character, 2);
    this->refuse("\"0123456789abcde\x01\"", reason::control_character, 16);
    this->refuse("\"0123456789abcdef\x01\"", reason::control_character, 17);
}

TYPED_TEST(refused, escapes) {
    const auto why = reason::invalid_escape;
    for (const char* text :
         {R"("\a")", R"("\x41")", R"("\'")", R"("\0")", R"("\U0041")", R"("\ ")", R"("\v")", R"("\u")",
          R"("\u0")", R"("\u00")", R"("\u004")", R"("\u004g")", R"("\u 041")", R"("\u+041")", R"("\u-041")",
          R"("\uu041")", "\"\\\n\"", "\"\\\xc3\xa9\""})
        this->refuse(text, why, 1);
    this->refuse(R"("abc\q")", why, 4);
}

TYPED_TEST(refused, half_surrogate_pairs) {
    for (const char* text : {R"("\ud800")", R"("\udc00")", R"("\uD800\uD800")", R"("\uD834x")",
                             R"("\uD834\n")", R"("\uD834\u0041")", R"("\uDD1E\uD834")", R"("\uDFFF\uDFFF")",
                             R"("\uD834\uDD1")", R"("\uD834\\uDD1E")"})
        this->refuse(text, reason::lone_surrogate, 1);
    this->refuse(R"("\uD834\uDD1E\uD834")", reason::lone_surrogate, 13);
}

TYPED_TEST(refused, text_that_is_not_utf8_in_strings_and_keys) {
    for (const char* bad : {"\x80",
                            "\xbf",
                            "\xc0\x80",
                            "\xc1\xbf",
                            "\xc2",
                            "\xc2\x41",
                            "\xc2\xc2",
                            "\xe0\x80\x80",
                            "\xe0\x9f\xbf",
                            "\xe2\x82",
                            "\xe2\x41\x80",
                            "\xe2\x82\x41",
                            "\xed\xa0\x80",
                            "\xed\xbf\xbf",
                            "\xf0\x80\x80\x80",
                            "\xf0\x8f\xbf\xbf",
                            "\xf0\x9f\x98",
                            "\xf0\x9f\x41\x80",
                            "\xf4\x90\x80\x80",
                            "\xf5\x80\x80\x80",
                            "\xf8\x88\x80\x80\x80",
                            "\xfe",
                            "\xff"}) {
        const std::string text = bad;
        for (const char* before : {"", "a", "0123456789abcde", "0123456789abcdef", "\xc3\xa9", "\\n",
                                   "0123456789abcdef0123456\xe2\x82\xac"}) {
            const std::string start = before;
            this->refuse('"' + start + text + '"', reason::invalid_utf8, 1 + start.size());
            this->refuse('"' + start + text + "\\n\"", reason::invalid_utf8, 1 + start.size());
            this->refuse_inside("{\"" + start + text + "\":1}");
            EXPECT_FALSE((read<TypeParam, wanted>("{\"" + start + text + "\":1,\"n\":1}")))
                << "in a key that nobody wants";
        }
    }
}

TYPED_TEST(refused, arrays) {
    const auto why = reason::syntax;
    this->refuse("[", reason::truncated, 1);
    this->refuse("[1", reason::truncated, 2);
    this->refuse("[1,", reason::truncated, 3);
    this->refuse("[1,]", why, 3);
    this->refuse("[,1]", why, 1);
    this->refuse("[,]", why, 1);
    this->refuse("[1,,2]", why, 3);
    this->refuse("[1 2]", why, 3);
    this->refuse("[1:2]", why, 2);
    this->refuse("[1}", why, 2);
    this->refuse("[\"a\":1]", why, 4);
    this->refuse("[\"a\"", reason::truncated, 4);
    this->refuse("[[]", reason::truncated, 3);
    this->refuse("[\x0c]", why, 1);
    this->refuse("[1\x0b]", why, 2);
    this->refuse("[\xc2\xa0]", why, 1);
    this->refuse(std::string_view{"[1\0]", 4}, why, 2);
    this->refuse_inside("[1,]");
}

TYPED_TEST(refused, objects) {
    const auto why = reason::syntax;
    this->refuse("{", reason::truncated, 1);
    this->refuse("{\"a\"", reason::truncated, 4);
    this->refuse("{\"a\":", reason::truncated, 5);
    this->refuse("{\"a\":1", reason::truncated, 6);
    this->refuse("{\"a\":1,", reason::truncated, 7);
    this->refuse("{\"a\":1,}", why, 7);
    this->refuse("{,}", why, 1);
    this->refuse("{,\"a\":1}", why, 1);
    this->refuse("{\"a\"}", why, 4);
    this->refuse("{\"a\":}", why, 5);
    this->refuse("{\"a\" 1}", why, 5);
    this->refuse("{\"a\",1}", why, 4);
    this->refuse("{\"a\"::1}", why, 5);
    this->refuse("{a:1}", why, 1);
    this->refuse("{'a':1}", why, 1);
    this->refuse("{1:1}", why, 1);
    this->refuse("{null:1}", why, 1);
    this->refuse("{\"a\":1 \"b\":2}", why, 7);
    this->refuse("{\"a\":1]", why, 6);
    this->refuse("{\"a\":1,,\"b\":2}", why, 7);
    this->refuse("{{}:1}", why, 1);
    this->refuse("{\"a\":1;}", why, 6);
}

TYPED_TEST(refused, the_same_faults_in_an_object_that_is_read_into_a_struct) {
    struct pair {
        int a, b;
    };
    for (const char* text : {"{",
                             "{\"a\"",
                             "{\"a\":",
                             "{\"a\":1",
                             "{\"a\":1,",
                             "{\"a\":1,}",
                             "{,}",
                             "{,\"a\":1,\"b\":2}",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{\"a\" 1,\"b\":2}",
                             "{\"a\":1 \"b\":2}",
                             "{\"a\":1,\"b\":2",
                             "{\"a\":1,\"b\":2,}",
                             "{\"a\":1,\"b\":2]",
                             "{\"a\":1,\"b\":2}}",
                             "{\"a\":1,\"b\":2} x",
                             "{\"a\":1,,\"b\":2}",
                             "{\"a\":1,\"b\":2,,}",
                             "{\"a\":1,\"b\":2,\"c\"}",
                             "{\"a\":1,\"b\":2,\"c\":}",
                             "{\"a\":1,\"b\":2,c:1}",
                             "{\"c\":\"x\",\"d\":\"x\",}",
                             "{\"a\":1,\"b\":2,\"c\":\"x\",\"d\":\"x\",}",
                             "{\"a\":1,\"b\":2,\"c\":\"x\",\"d\":\"x\"",
                             "{\"a\":1,\"b\":2,\"c\":\"x\",\"d\":\"x\",\"",
                             "{\"a\":1,\"b\":2,\"c\":\"x\",\"d\":\"x\"]",
                             "[\"a\",1]",
                             "{\"a\":01,\"b\":2}",
                             "{\"a\":1,\"b\":02}",
                             "{\"a\":1.,\"b\":2}",
                             "{ \"a\" : 1 , , \"b\" : 2 }",
                             "{\"a\":1,\"b\":--2}"})
        EXPECT_FALSE((read<TypeParam, pair>(text))) << text;
}

TYPED_TEST(refused, nesting_beyond_the_limit_in_values_and_in_what_is_skipped) {
    const auto nested = [](unsigned n) { return std::string(n, '[') + std::string(n, ']'); };
    const auto too_deep = [](const auto& r, std::size_t offset) {
        EXPECT_FALSE(r);
        EXPECT_EQ(r.failure.why, reason::too_deep);
        EXPECT_EQ(r.failure.offset, offset);
    };
    too_deep(read<TypeParam, any>(nested(65)), 64);
    too_deep(read<TypeParam, any>(nested(100'000)), 64);
    too_deep(read<TypeParam, any>("[[1]]", {.depth = 1}), 1);
    too_deep(read<TypeParam, any>(nested(1025), {.depth = 1'000'000}), 1024);
    too_deep(read<TypeParam, wanted>("{\"x\":" + nested(64) + ",\"n\":1}"), 5 + 63);
    too_deep(read<TypeParam, wanted>("{\"x\":" + nested(1'000'000) + ",\"n\":1}"), 5 + 63);
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"x\":";
    too_deep(read<TypeParam, wanted>(objects), 5 * 64);
}

TYPED_TEST(refused, things_behind_the_value) {
    const auto trailing = [](std::string_view text, std::size_t offset) {
        const auto r = read<TypeParam, any>(text);
        EXPECT_FALSE(r) << text;
        EXPECT_EQ(r.failure.why, reason::trailing) << text;
        EXPECT_EQ(r.failure.offset, offset) << text;
    };
    trailing("1 2", 2);
    trailing("[]]", 2);
    trailing("{}}", 2);
    trailing("{}x", 2);
    trailing("\"a\"\"b\"", 3);
    trailing("true false", 5);
    trailing("null,", 4);
    trailing("[] // comment", 3);
    trailing(std::string_view{"1\0", 2}, 1);
    trailing(std::string_view{"{}\0\0", 4}, 2);
}

}  // namespace
}  // namespace weir::json::test
