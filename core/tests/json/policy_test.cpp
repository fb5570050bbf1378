#include "support.hpp"

#include <optional>

namespace weir::json::test {

struct relaxed {
    int a;
    int b = 7;
};

}  // namespace weir::json::test

template <> inline constexpr bool weir::json::keeps_defaults<weir::json::test::relaxed> = true;

namespace weir::json::test {
namespace {

struct order {
    std::uint64_t id;
    std::string customer;
    std::optional<double> total;
};
struct with_defaults {
    int a = 1;
    std::string b = "two";
    std::optional<int> c = 3;
    std::vector<int> d = {4};
    struct inner {
        int e = 5;
    } f;
};

template <class Kernel> class policy : public ::testing::Test {};
TYPED_TEST_SUITE(policy, kernels);

TYPED_TEST(policy, members_come_in_any_order_and_with_any_whitespace) {
    for (const char* text :
         {R"({"id":1,"customer":"x","total":2})", R"({"id": 1, "customer": "x", "total": 2})",
          R"({"total":2,"customer":"x","id":1})", R"({"customer":"x","id":1,"total":2})",
          " {\n  \"id\" : 1 ,\n  \"customer\" : \"x\" ,\n  \"total\" : 2\n}\n",
          "{\"total\"\t:2\r,\"id\":\t1,\"customer\":\"x\"}",
          R"({"\u0069d":1,"cust\u006fmer":"x","tot\u0061l":2})",
          R"({"z":[],"id":1,"y":{},"customer":"x","w":"","v":"","total":2,"u":null})"}) {
        const auto r = read<TypeParam, order>(text);
        ASSERT_TRUE(r) << text << ": " << r.failure.text();
        EXPECT_EQ(r.value.id, 1u);
        EXPECT_EQ(r.value.customer, "x");
        EXPECT_EQ(r.value.total, 2.0);
    }
}

TYPED_TEST(policy, names_that_only_resemble_a_declared_one_are_unknown) {
    for (const char* name : {"i", "idd", "Id", "ID", "", "customeR", "customer ", "custome",
                             "customer\\u0000", "xustomer", "id\\u0000"}) {
        const auto r = read<TypeParam, order>(std::string{"{\""} + name + R"(":[1],"id":1,"customer":"x"})");
        EXPECT_TRUE(r) << name << ": " << r.failure.text();
    }
}

TYPED_TEST(policy, unknown_members_are_ignored_or_refused) {
    constexpr options strict{.unknown = unknown_members::refuse};
    const std::string_view documents[] = {R"({"id":1,"customer":"x","more":{"a":[1]}})",
                                          R"({"more":1,"id":1,"customer":"x"})",
                                          R"({"id":1,"more":"x","customer":"x"})"};
    for (std::string_view text : documents) {
        EXPECT_TRUE((read<TypeParam, order>(text)));
        const auto r = read<TypeParam, order>(text, strict);
        EXPECT_FALSE(r);
        EXPECT_EQ(r.failure.why, reason::unknown_member);
        EXPECT_EQ(r.failure.path(), "more");
        EXPECT_EQ(r.failure.offset, text.find("\"more"));
    }
    EXPECT_TRUE((read<TypeParam, order>(R"({"id":1,"customer":"x"})", strict)));
}

TYPED_TEST(policy, runs_of_unknown_members_hide_no_declared_one) {
    const auto r = read<TypeParam, order>(
        R"({"a":"1","bb":"2","ccc":"3","id":4,"dddd":"5","customer":"six","e":"7","f":"8","total":9,)"
        R"("g":"10","h":"11"})");
    ASSERT_TRUE(r) << r.failure.text();
    EXPECT_EQ(r.value.id, 4u);
    EXPECT_EQ(r.value.customer, "six");
    EXPECT_EQ(r.value.total, 9.0);
    EXPECT_FALSE(
        (read<TypeParam, order>(R"({"a":"1","b":"2","id":4,"c":"5","d":"6","id":5,"customer":"x"})")))
        << "not a second id either";
}

TYPED_TEST(policy, a_second_member_of_the_same_name_is_refused_or_wins) {
    for (const char* text :
         {R"({"id":1,"customer":"x","id":2})", R"({"id":1,"id":2,"customer":"x"})",
          R"({"customer":"x","\u0069d":1,"id":2})", R"({"id":1,"customer":"x","z":"z","id":2})"}) {
        const auto refused = read<TypeParam, order>(text);
        EXPECT_EQ(refused.failure.why, reason::duplicate_member) << text;
        EXPECT_EQ(refused.failure.path(), "id");
        const auto last = read<TypeParam, order>(text, {.duplicate = duplicate_members::last_wins});
        ASSERT_TRUE(last) << last.failure.text();
        EXPECT_EQ(last.value.id, 2u);
    }
    using lists = std::map<std::string, std::vector<int>>;
    EXPECT_EQ((read<TypeParam, lists>(R"({"a":[1,2],"a":[3]})").failure.why), reason::duplicate_member);
    EXPECT_EQ(
        (read<TypeParam, lists>(R"({"a":[1,2],"a":[3]})", {.duplicate = duplicate_members::last_wins}).value),
        (lists{{"a", {3}}}));
    EXPECT_TRUE((read<TypeParam, order>(R"({"id":1,"customer":"x","z":1,"z":2})")))
        << "what is ignored is not compared";
}

TYPED_TEST(policy, a_missing_member_is_refused_unless_it_may_be_empty) {
    const auto missing = [](std::string_view text, std::string_view path) {
        const auto r = read<TypeParam, order>(text);
        EXPECT_EQ(r.failure.why, reason::missing_member) << text;
        EXPECT_EQ(r.failure.path(), path) << text;
        EXPECT_EQ(r.failure.offset, text.rfind('}')) << text;
    };
    missing("{}", "id");
    missing(R"({"id":1})", "customer");
    missing(R"({"customer":"x","total":1})", "id");
    missing(R"({"id":1,"total":1,"more":"x","more2":"y"})", "customer");
    EXPECT_TRUE((read<TypeParam, order>(R"({"id":1,"customer":"x"})")));
    using nested = std::map<std::string, std::vector<order>>;
    EXPECT_EQ((read<TypeParam, nested>(R"({"a":[{"id":1,"customer":"x"},{"id":1}]})").failure.path()),
              "a[1].customer");
}

TYPED_TEST(policy, a_missing_member_keeps_the_default_of_its_type_where_that_is_asked_for) {
    reading<with_defaults> r{document{R"({"c":30,"f":{}})"}};
    constexpr options keep{.missing = missing_members::keep_default};
    r.value = {100, "old", 300, {400}, {500}};
    ASSERT_TRUE(decode_with<TypeParam>(r.from.data(), r.from.size(), r.value, r.unescaped, r.failure, keep))
        << r.failure.text();
    EXPECT_EQ(r.value.a, 1);
    EXPECT_EQ(r.value.b, "two");
    EXPECT_EQ(r.value.c, 30);
    EXPECT_EQ(r.value.d, std::vector{4});
    EXPECT_EQ(r.value.f.e, 5);
    EXPECT_FALSE((read<TypeParam, with_defaults>("{}")));
}

TYPED_TEST(policy, a_type_can_keep_its_defaults_for_itself) {
    const auto r = read<TypeParam, std::vector<relaxed>>(R"([{"a":1},{"b":2},{}])");
    ASSERT_TRUE(r) << r.failure.text();
    EXPECT_EQ(to_string(r.value), R"([{"a":1,"b":7},{"a":0,"b":2},{"a":0,"b":7}])");
}

}  // namespace
}  // namespace weir::json::test
