#include "support.hpp"
#include "support/heap_count.hpp"

#include <optional>
#include <tuple>
#include <unordered_map>

namespace weir::json::test {
namespace {

struct item {
    std::string sku;
    std::vector<std::string> tags;
};
struct message {
    std::uint64_t id;
    std::string text, escaped;
    std::string_view view, escaped_view;
    std::optional<std::string> maybe;
    std::vector<item> items;
    std::vector<std::vector<double>> matrix;
    std::map<std::string, std::string> names;
    std::unordered_map<std::string, int> counts;
    std::unique_ptr<item> owned;
    std::variant<int, std::string, item> choice;
    std::pair<std::string, int> pair;
    std::chrono::sys_seconds at;
};

template <class Kernel> class allocation : public ::testing::Test {};
TYPED_TEST_SUITE(allocation, kernels);

TYPED_TEST(allocation, happens_only_for_the_first_message_of_a_shape) {
    if (!weir::test::heap_is_counted) GTEST_SKIP() << "heap blocks cannot be counted under sanitizers";
    std::vector<document> documents;
    for (int i = 0; i < 4; ++i) {
        const std::string n = std::to_string(i),
                          text = "a text that is too long to be stored in place, number " + n;
        documents.emplace_back(R"({"id":)" + n + R"(,"text":")" + text + R"(","escaped":"\u20ac)" + text +
                               R"(","view":")" + text + R"(","escaped_view":"\n)" + text + R"(","maybe":")" +
                               text + R"(","items":[{"sku":")" + text + R"(","tags":[")" + text +
                               R"(","x"]},{"sku":"y","tags":[]}],"matrix":[[1,2.5],[3]],"names":{")" + text +
                               R"(":")" + text + R"(","k)" + n + R"(":"v"},"counts":{")" + text +
                               R"(":1},"owned":{"sku":")" + text + R"(","tags":[]},"choice":")" + text +
                               R"(","pair":[")" + text +
                               R"(",1],"at":"2024-05-01T12:34:56Z","ignored":[{"x":")" + text + R"("}]})");
    }
    message value{};
    scratch unescaped;
    decode_failure failure;
    const auto round = [&] {
        for (const document& from : documents) {
            unescaped.clear();
            if (!decode_with<TypeParam>(from.data(), from.size(), value, unescaped, failure)) return false;
        }
        return true;
    };
    ASSERT_TRUE(round()) << failure.text();
    ASSERT_TRUE(round());
    const std::size_t before = weir::test::heap_blocks();
    bool good = true;
    for (int i = 0; i < 2'500; ++i) good = round() && good;
    const std::size_t after = weir::test::heap_blocks();
    EXPECT_TRUE(good);
    EXPECT_EQ(after - before, 0u) << "in 10,000 messages";
}

TYPED_TEST(allocation, does_not_happen_for_encoding_into_a_pooled_block) {
    if (!weir::test::heap_is_counted) GTEST_SKIP() << "heap blocks cannot be counted under sanitizers";
    const std::tuple<int, double, std::string, std::vector<int>> value{
        1, 129.95, "a text that is too long to be stored in place \n", {1, 2, 3}};
    const auto once = [&] {
        output out;
        encode_with<TypeParam>(out, value);
        return out.size();
    };
    const std::size_t size = once();
    const std::size_t before = weir::test::heap_blocks();
    std::size_t all = 0;
    for (int i = 0; i < 10'000; ++i) all += once();
    const std::size_t after = weir::test::heap_blocks();
    EXPECT_EQ(after - before, 0u);
    EXPECT_EQ(all, 10'000 * size);
}

TEST(allocation_count, sees_allocations) {
    if (!weir::test::heap_is_counted) GTEST_SKIP() << "heap blocks cannot be counted under sanitizers";
    const std::size_t before = weir::test::heap_blocks();
    const auto p = std::make_unique<std::string>(100, 'x');
    EXPECT_GE(weir::test::heap_blocks() - before, 2u);
    EXPECT_EQ(p->size(), 100u);
}

}  // namespace
}  // namespace weir::json::test
