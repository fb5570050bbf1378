#include "support.hpp"

#include <optional>
#include <tuple>

namespace weir::json::test {
namespace {

struct item {
    std::string sku;
    int quantity;
};
struct order {
    std::uint64_t id;
    std::vector<item> items;
    std::map<std::string, std::array<double, 2>> prices;
    std::optional<item> gift;
    std::tuple<int, item> pair;
};
struct envelope {
    order body;
};

template <class Kernel> class failure : public ::testing::Test {
protected:
    static void fails(std::string_view text, reason why, std::string_view path, std::string_view at) {
        const auto r = read<Kernel, envelope>(text);
        EXPECT_FALSE(r) << text;
        EXPECT_EQ(r.failure.why, why) << text;
        EXPECT_EQ(r.failure.path(), path) << text;
        EXPECT_EQ(r.failure.offset, text.find(at)) << text;
    }
};
TYPED_TEST_SUITE(failure, kernels);

TYPED_TEST(failure, names_the_member_from_the_outside_to_the_inside) {
    const auto wrong = reason::wrong_type;
    this->fails(R"({"body":!})", reason::syntax, "body", "!");
    this->fails(R"({"body":{"id":"x"}})", wrong, "body.id", "\"x\"");
    this->fails(R"({"body":{"id":1,"items":[{"sku":"a","quantity":1},{"sku":"b","quantity":"x"}]}})", wrong,
                "body.items[1].quantity", "\"x\"");
    this->fails(R"({"body":{"items":[{"quantity":1,"sku":7}]}})", wrong, "body.items[0].sku", "7}]");
    this->fails(R"({"body":{"prices":{"EUR":[1,2],"USD":[1,"x"]}}})", wrong, "body.prices.USD[1]", "\"x\"");
    this->fails(R"({"body":{"prices":{"EUR":[1,2],"EUR":[1,2]}}})", reason::duplicate_member,
                "body.prices.EUR", "\"EUR\":[1,2]}");
    this->fails(R"({"body":{"gift":{"sku":"x","quantity":1.5}}})", reason::not_whole, "body.gift.quantity",
                ".5");
    this->fails(R"({"body":{"pair":[1,{"sku":true}]}})", wrong, "body.pair[1].sku", "true");
    this->fails(R"({"body":{"pair":[1,2,3]}})", wrong, "body.pair[1]", "2,3");
    this->fails(R"({"body":{"ignored":{"a":[1,tru]}}})", reason::syntax, "body.ignored", "tru]");
    this->fails("{\"body\":{\"items\":[{\"sku\":\"\xff\"}]}}", reason::invalid_utf8, "body.items[0].sku",
                "\xff");
}

TYPED_TEST(failure, is_a_sentence) {
    const auto text = [](std::string_view document) {
        return read<TypeParam, envelope>(document).failure.text();
    };
    EXPECT_EQ(text(""), "the document is empty, at byte 0");
    EXPECT_EQ(text(R"({"body":{"id":1)"), "the document ends too early, in body, at byte 15");
    EXPECT_EQ(text(R"({"body":{"id":-1}})"), "a number that the member cannot hold, in body.id, at byte 14");
    EXPECT_EQ(text(R"({"body":[]})"),
              "a value of another type where an object is needed, in body, at byte 8");
    EXPECT_EQ(text(R"({"body":{}})"), "a member is missing, in body.id, at byte 9");
    EXPECT_EQ(text("\xef\xbb\xbf{}"),
              "the document begins with a byte order mark, which JSON does not allow, at byte 0");
}

TYPED_TEST(failure, keeps_untrusted_names_short_and_printable) {
    const auto r = read<TypeParam, std::map<std::string, int>>("{\"" + std::string(10'000, 'k') + "\":x}");
    EXPECT_EQ(r.failure.path(), std::string(64, 'k') + "...");
    const auto control = read<TypeParam, std::map<std::string, int>>("{\"a\x7f\":x}");
    EXPECT_EQ(control.failure.path(), "a?");
    std::string nested;
    for (int i = 0; i < 1000; ++i) nested += "{\"" + std::string(40, 'k') + "\":";
    EXPECT_LT((read<TypeParam, any>(nested, {.depth = 1000}).failure.path().size()), 700u);
}

TYPED_TEST(failure, of_an_earlier_document_is_forgotten) {
    decode_failure f;
    scratch s;
    order value;
    const document bad{R"({"items":[{"sku":1}]})"}, worse{"["};
    EXPECT_FALSE(decode_with<TypeParam>(bad.data(), bad.size(), value, s, f));
    EXPECT_EQ(f.path(), "items[0].sku");
    EXPECT_FALSE(decode_with<TypeParam>(worse.data(), worse.size(), value, s, f));
    EXPECT_EQ(f.path(), "");
    EXPECT_EQ(f.offset, 0u);
}

TEST(failure_of_encoding, names_the_member) {
    order o{1, {{"a", 1}, {"\xff", 2}}, {}, {}, {}};
    try {
        (void)to_string(envelope{o});
        FAIL();
    } catch (const error& e) {
        EXPECT_EQ(e.code(), errc::unencodable);
        EXPECT_STREQ(e.what(), "JSON cannot carry text that is not UTF-8, in body.items[1].sku");
    }
    o.items.clear();
    o.prices["EUR"] = {1, std::numeric_limits<double>::quiet_NaN()};
    try {
        (void)to_string(envelope{o});
        FAIL();
    } catch (const error& e) {
        EXPECT_STREQ(e.what(), "JSON cannot carry a number that is not finite, in body.prices.EUR[1]");
    }
}

}  // namespace
}  // namespace weir::json::test
