#include <weir/payload/output.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace weir::test {
namespace {

TEST(output, appends_texts_and_characters) {
    output o;
    o.append("abc");
    o.append('d');
    o.append("");
    EXPECT_EQ(o.text(), "abcd");
    EXPECT_EQ(o.size(), 4u);
}

TEST(output, grows_over_every_size_of_block_and_keeps_what_it_has) {
    output o(0);
    std::string expected;
    for (int i = 0; expected.size() < 300'000; ++i) {
        const std::string piece(static_cast<std::size_t>(i) % 97 + 1, static_cast<char>('a' + i % 26));
        o.append(piece);
        expected += piece;
    }
    EXPECT_EQ(o.text(), expected);
}

TEST(output, grows_by_one_large_piece) {
    output o;
    o.append("head");
    const std::string large(10 << 20, 'x');
    o.append(large);
    EXPECT_EQ(o.size(), large.size() + 4);
    EXPECT_EQ(o.text().substr(0, 5), "headx");
}

TEST(output, gives_room_that_counts_only_once_it_is_written) {
    output o;
    char* at = o.room(1000);
    std::fill_n(at, 1000, 'r');
    EXPECT_EQ(o.size(), 0u);
    o.advance(at + 10);
    EXPECT_EQ(o.text(), std::string(10, 'r'));
}

TEST(output, keeps_its_headers_when_it_grows) {
    output o;
    o.head().set("x", "1");
    o.append(std::string(1'000'000, 'a'));
    EXPECT_EQ(o.head().get("x"), "1");
}

TEST(output, is_taken_as_a_block_with_zeros_behind_the_last_byte) {
    output o;
    o.append(std::string(block_pool::smallest, 'z'));  // up to the very end of the block
    const std::size_t size = o.size();
    block* b = o.take();
    EXPECT_EQ(std::string_view(b->data(), size), std::string(block_pool::smallest, 'z'));
    EXPECT_TRUE(std::all_of(b->data() + size, b->data() + size + block::tail, [](char c) { return c == 0; }));
    EXPECT_EQ(b->refs.load(), 1u);
    release(b);
}

TEST(output, that_nobody_takes_gives_its_block_back) {
    const std::size_t before = local_blocks().stats().bytes;
    for (int i = 0; i != 1000; ++i) {
        output o(1000);
        o.append("dropped");
    }
    EXPECT_LE(local_blocks().stats().bytes, before + 2 * (sizeof(block) + 1024 + block::tail));
}

}  // namespace
}  // namespace weir::test
