#include "support.hpp"

#include <optional>
#include <unordered_map>

namespace weir::json::test {
namespace {

struct item {
    std::string sku;
    int quantity = 3;
};
struct message {
    bool flag;
    int number;
    double ratio;
    std::string text;
    std::string_view view;
    std::optional<std::string> maybe;
    std::vector<item> items;
    std::vector<bool> bits;
    std::map<std::string, item> by_name;
    std::variant<int, std::string> choice;
    std::array<int, 2> fixed;
    std::chrono::sys_seconds at;
    std::unique_ptr<item> owned;
};
constexpr std::string_view full =
    R"({"flag":true,"number":9,"ratio":1.5,"text":"secret","view":"sec\u0072et","maybe":"secret",)"
    R"("items":[{"sku":"secret","quantity":9},)"
    R"({"sku":"secret","quantity":9}],"bits":[true],"by_name":{"secret":{"sku":"secret","quantity":9}},)"
    R"("choice":"secret","fixed":[9,9],)"
    R"("at":"2024-05-01T00:00:00Z","owned":{"sku":"secret","quantity":9}})";
constexpr std::string_view sparse =
    R"({"flag":false,"number":0,"ratio":0,"text":"","view":"","items":[{"sku":"","quantity":1}],)"
    R"("choice":0,"fixed":[0,0],)"
    R"("at":"1970-01-01T00:00:00Z"})";

template <class Kernel> class reuse : public ::testing::Test {
protected:
    message last{};
    scratch unescaped;
    decode_failure failure;
    bool decode(const document& from) {
        unescaped.clear();
        return decode_with<Kernel>(from.data(), from.size(), last, unescaped, failure);
    }
};
TYPED_TEST_SUITE(reuse, kernels);

TYPED_TEST(reuse, a_message_has_nothing_of_the_one_before) {
    const document before{full}, after{sparse};
    ASSERT_TRUE(this->decode(before)) << this->failure.text();
    ASSERT_TRUE(this->decode(after)) << this->failure.text();
    EXPECT_EQ(to_string(this->last),
              R"({"flag":false,"number":0,"ratio":0,"text":"","view":"","maybe":null,"items":[{"sku":"",)"
              R"("quantity":1}],"bits":[],"by_name":{},)"
              R"("choice":0,"fixed":[0,0],"at":"1970-01-01T00:00:00Z","owned":null})");
}

// Whatever the reason, and however far decoding came.
TYPED_TEST(reuse, a_refused_message_is_empty) {
    const document before{full};
    const std::string empty =
        R"({"flag":false,"number":0,"ratio":0,"text":"","view":"","maybe":null,"items":[],"bits":[],)"
        R"("by_name":{},"choice":0,"fixed":[0,0],)"
        R"("at":"1970-01-01T00:00:00Z","owned":null})";
    for (std::size_t size = 0; size < full.size(); ++size) {
        ASSERT_TRUE(this->decode(before));
        const document cut{full.substr(0, size)};
        ASSERT_FALSE(this->decode(cut)) << cut.text();
        ASSERT_EQ(to_string(this->last), empty) << cut.text();
    }
}

TYPED_TEST(reuse, strings_and_lists_keep_their_room) {
    struct lists {
        std::string text;
        std::vector<std::string> many;
        std::map<std::string, std::string> by_name;
    };
    const std::string large(1000, 'x');
    const document first{"{\"text\":\"" + large + "\",\"many\":[\"" + large + "\",\"" + large +
                         "\"],\"by_name\":{\"" + large + "\":\"" + large + "\"}}"};
    const document second{R"({"text":"a","many":["b"],"by_name":{"c":"d"}})"};
    lists value;
    ASSERT_TRUE(decode_with<TypeParam>(first.data(), first.size(), value, this->unescaped, this->failure));
    const char *const text = value.text.data(), *const element = value.many[0].data(),
                      *const mapped = value.by_name.begin()->second.data();
    ASSERT_TRUE(decode_with<TypeParam>(second.data(), second.size(), value, this->unescaped, this->failure));
    EXPECT_EQ(value.text, "a");
    EXPECT_EQ(value.many, std::vector<std::string>{"b"});
    EXPECT_EQ(value.by_name, (std::map<std::string, std::string>{{"c", "d"}}));
    EXPECT_EQ(value.text.data(), text);
    EXPECT_EQ(value.many[0].data(), element);
    EXPECT_EQ(value.by_name.begin()->second.data(), mapped) << "nodes of maps are used again";
    EXPECT_GE(value.text.capacity(), 1000u);
}

TYPED_TEST(reuse, nodes_of_maps_are_used_again_whatever_the_keys) {
    std::map<std::string, int> value;
    const auto decode_map = [&](std::string_view text) {
        const document from{text};
        return decode_with<TypeParam>(from.data(), from.size(), value, this->unescaped, this->failure,
                                      {.duplicate = duplicate_members::last_wins});
    };
    std::string many = "{";
    std::map<std::string, int> expected;
    for (int i = 0; i < 30; ++i) {
        many += '"' + std::to_string(i) + "\":" + std::to_string(i) + ',';
        expected[std::to_string(i)] = i;
    }
    many.back() = '}';
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(decode_map(many));
        EXPECT_EQ(value, expected);
        ASSERT_TRUE(decode_map(R"({"a":1,"b":2,"a":3,"c":4,"b":5})"));
        EXPECT_EQ(value, (std::map<std::string, int>{{"a", 3}, {"b", 5}, {"c", 4}}));
        ASSERT_TRUE(decode_map("{}"));
        EXPECT_TRUE(value.empty());
    }
}

}  // namespace
}  // namespace weir::json::test
