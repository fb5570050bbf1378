#include "support.hpp"

namespace weir::json::test {
namespace {

template <class Kernel> class string : public ::testing::Test {};
TYPED_TEST_SUITE(string, kernels);

/// Of `n` bytes without an escape.
std::string filler(std::size_t n) {
    std::string all;
    while (all.size() < n) all += static_cast<char>('a' + all.size() % 26);
    return all;
}

TYPED_TEST(string, of_every_length_around_the_block_size_is_read_with_something_special_at_every_place) {
    struct special {
        std::string_view raw, text;
    };
    const special specials[] = {{"", ""},
                                {"\\n", "\n"},
                                {"\\\"", "\""},
                                {"\\u20ac", "\xe2\x82\xac"},
                                {"\xc3\xa9", "\xc3\xa9"},
                                {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
                                {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
                                {"\\\\", "\\"}};
    for (std::size_t size = 0; size < 40; ++size)
        for (std::size_t at = 0; at <= size; ++at)
            for (const special& s : specials) {
                const std::string plain = filler(size),
                                  raw = plain.substr(0, at) + std::string{s.raw} + plain.substr(at),
                                  text = plain.substr(0, at) + std::string{s.text} + plain.substr(at);
                const auto owned = read<TypeParam, std::string>('"' + raw + '"');
                ASSERT_TRUE(owned) << raw << ": " << owned.failure.text();
                EXPECT_EQ(owned.value, text);
                const auto viewed = read<TypeParam, std::string_view>('"' + raw + '"');
                ASSERT_TRUE(viewed) << raw;
                EXPECT_EQ(viewed.value, text);
                const bool in_place = viewed.value.data() >= viewed.from.data() &&
                                      viewed.value.data() <= viewed.from.data() + viewed.from.size();
                EXPECT_EQ(in_place, s.raw == s.text) << "only what has escapes is copied";
                // And back, by the same kernel.
                output out;
                encode_with<TypeParam>(out, text);
                EXPECT_EQ(parse<std::string>(out.text()), text) << out.text();
            }
}

TYPED_TEST(string, escapes_are_undone) {
    const auto text = [](std::string_view raw) { return read<TypeParam, std::string>(raw).value; };
    EXPECT_EQ(text(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(text(R"("\u0041\u00e9\u20AC\ud83D\uDe00")"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    EXPECT_EQ(text(R"("a\u0000b")"), (std::string{"a\0b", 3}));
    EXPECT_EQ(text(R"("\u007f\u0080\u07ff\u0800\uffff\ud800\udc00\udbff\udfff")"),
              "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
}

TYPED_TEST(string, views_of_unescaped_text_live_until_the_scratch_is_cleared) {
    struct pair {
        std::string_view a, b;
        std::vector<std::string_view> more;
    };
    const std::string large(3000, 'x');
    const auto r = read<TypeParam, pair>(R"({"a":"\n1","b":"\n2","more":["\n)" + large + R"(","\n3",")" +
                                         large + R"(\n","plain"]})");
    ASSERT_TRUE(r) << r.failure.text();
    EXPECT_EQ(r.value.a, "\n1");
    EXPECT_EQ(r.value.b, "\n2");
    ASSERT_EQ(r.value.more.size(), 4u);
    EXPECT_EQ(r.value.more[0], '\n' + large);
    EXPECT_EQ(r.value.more[1], "\n3");
    EXPECT_EQ(r.value.more[2], large + '\n');
    EXPECT_EQ(r.value.more[3], "plain");
}

TYPED_TEST(string, is_written_with_the_escapes_that_json_asks_for_and_no_others) {
    const auto text = [](std::string_view value) {
        output out;
        encode_with<TypeParam>(out, value);
        return std::string{out.text()};
    };
    EXPECT_EQ(text(""), "\"\"");
    EXPECT_EQ(text("a/b'\x7f"), "\"a/b'\x7f\"");
    EXPECT_EQ(text("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
    EXPECT_EQ(text(std::string_view{"\0\x01\x0b\x1f", 4}), R"("\u0000\u0001\u000b\u001f")");
    EXPECT_EQ(text("gr\xc3\xbc\xc3\x9f\xf0\x9f\x98\x80"), "\"gr\xc3\xbc\xc3\x9f\xf0\x9f\x98\x80\"");
    EXPECT_EQ(text(std::string(200, '\n')).size(), 402u);
    EXPECT_EQ(parse<std::string>(text(std::string(1 << 20, '"') + "\xc3\xa9")),
              std::string(1 << 20, '"') + "\xc3\xa9");
}

TYPED_TEST(string, that_is_not_utf8_is_not_written) {
    for (const char* bad : {"\x80", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xff", "0123456789abcdef\xc0\x80"}) {
        output out;
        EXPECT_THROW(encode_with<TypeParam>(out, std::string{bad}), error) << bad;
    }
}

TEST(scratch, allocates_nothing_before_it_is_needed_and_keeps_its_largest_chunk) {
    scratch s;
    EXPECT_EQ(s.capacity(), 0u);
    s.clear();
    EXPECT_EQ(s.capacity(), 0u);
    char* const first = s.reserve(10);
    s.commit(10);
    EXPECT_EQ(s.capacity(), scratch::first_chunk);
    EXPECT_EQ(s.reserve(10), first + 10);
    s.reserve(5000);
    s.commit(5000);
    EXPECT_GE(s.capacity(), 5000u + scratch::first_chunk);
    std::fill_n(first, 10, 'x');  // still ours
    s.clear();
    const std::size_t kept = s.capacity();
    EXPECT_GE(kept, 5000u);
    EXPECT_LE(kept, 2 * 5000u);
    s.reserve(5000);
    s.commit(5000);
    EXPECT_EQ(s.capacity(), kept) << "the second round needs nothing new";
}

TEST(scratch, gives_back_what_is_too_large_to_keep) {
    scratch s;
    s.reserve(scratch::largest_kept + 1);
    s.commit(1);
    s.clear();
    EXPECT_EQ(s.capacity(), 0u);
    s.reserve(1);
    EXPECT_EQ(s.capacity(), scratch::first_chunk);
}

TEST(scratch, can_be_moved) {
    scratch a;
    char* const at = a.reserve(4);
    std::memcpy(at, "abc", 4);
    a.commit(4);
    scratch b = std::move(a);
    EXPECT_STREQ(at, "abc");
    a = scratch{};
    a.reserve(1);
    b.clear();
    EXPECT_EQ(b.capacity(), scratch::first_chunk);
}

}  // namespace
}  // namespace weir::json::test
