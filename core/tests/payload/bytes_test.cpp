#include <weir/payload/bytes.hpp>

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <string>

namespace weir::test {
namespace {

TEST(bytes, view_what_they_are_given) {
    const std::string text("a\0b", 3);
    const bytes b(text.data(), text.size());
    EXPECT_EQ(b.size(), 3u);
    EXPECT_EQ(b.text(), text);
    EXPECT_EQ(b.data(), text.data());
    EXPECT_EQ(std::string(b.begin(), b.end()), text);
    EXPECT_EQ(b.raw().size(), 3u);
    EXPECT_EQ(b.raw()[2], std::byte{'b'});
}

TEST(bytes, come_from_spans_of_bytes) {
    const std::array raw{std::byte{1}, std::byte{255}};
    const bytes b{std::span<const std::byte>{raw}};
    EXPECT_EQ(b.text(), "\x01\xff");
}

TEST(bytes, are_empty_by_default) {
    EXPECT_TRUE(bytes{}.empty());
    EXPECT_EQ(bytes{}, bytes{std::string_view{}});
    EXPECT_EQ(bytes{}.text(), "");
}

TEST(bytes, compare_by_content) {
    const std::string a = "same", b = "same";
    EXPECT_EQ(bytes{std::string_view{a}}, bytes{std::string_view{b}});
    EXPECT_NE(bytes{std::string_view{a}}, bytes{std::string_view{"other"}});
}

// A text is a JSON string; that it is meant raw has to be written.
static_assert(!std::convertible_to<std::string, bytes>);
static_assert(!std::convertible_to<std::string_view, bytes>);
static_assert(!std::convertible_to<const char*, bytes>);

}  // namespace
}  // namespace weir::test
