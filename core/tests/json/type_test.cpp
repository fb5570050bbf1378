#include "support.hpp"

#include <array>
#include <deque>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace weir::json::test {

enum class color { red, green = 7, blue = -3 };
enum plain { nothing, something };
enum class level : std::uint8_t { low = 1, high = 200 };
enum class wire { up, down };

struct point {
    int x, y;
    bool operator==(const point&) const = default;
};
struct node {
    int value;
    std::vector<node> children;
    std::unique_ptr<node> next;
};
struct event {
    std::uint64_t at;
    std::string source;
};
struct alarm : event {
    int codes[3];
    double strength;
    int private_state = 5;
    static constexpr auto fields() {
        return weir::fields(weir::base<event>, weir::field("codes", &alarm::codes),
                            weir::field("how-strong", &alarm::strength));
    }
};
struct unchangeable {
    unchangeable() = default;
    unchangeable(int a, int b) : a_(a), b_(b) {}
    int a_ = 0, b_ = 0;
};
struct nothing_at_all {};

}  // namespace weir::json::test

template <>
inline constexpr auto weir::fields_of<weir::json::test::unchangeable> =
    weir::fields(weir::field("a", &weir::json::test::unchangeable::a_),
                 weir::field("b", &weir::json::test::unchangeable::b_));
template <> inline constexpr bool weir::as_number<weir::json::test::level> = true;
template <>
inline constexpr auto weir::names_of<weir::json::test::wire> =
    std::array{weir::enumerator{weir::json::test::wire::up, "go up"},
               weir::enumerator{weir::json::test::wire::down, "go \"down\""}};

namespace weir::json::test {
namespace {

template <class Kernel> class type : public ::testing::Test {
protected:
    /// Read from `text`, and written as the same text.
    template <class T> static T both_ways(std::string_view text) {
        auto r = read<Kernel, T>(text);
        EXPECT_TRUE(r) << text << ": " << r.failure.text();
        output out;
        encode_with<Kernel>(out, r.value);
        EXPECT_EQ(out.text(), text);
        return std::move(r.value);
    }
    template <class T> static reason refused(std::string_view text) {
        const auto r = read<Kernel, T>(text);
        EXPECT_FALSE(r) << text;
        return r.failure.why;
    }
};
TYPED_TEST_SUITE(type, kernels);

TYPED_TEST(type, structs_inside_structs) {
    struct line {
        point from, to;
    };
    const auto value = this->template both_ways<line>(R"({"from":{"x":1,"y":2},"to":{"x":-3,"y":0}})");
    EXPECT_EQ(value.from, (point{1, 2}));
    EXPECT_EQ(value.to, (point{-3, 0}));
    this->template both_ways<nothing_at_all>("{}");
}

TYPED_TEST(type, optional_is_empty_for_null_and_for_nothing) {
    struct message {
        std::optional<int> a;
        std::optional<std::string> b;
        std::unique_ptr<point> c;
    };
    const auto full = this->template both_ways<message>(R"({"a":1,"b":"x","c":{"x":1,"y":2}})");
    EXPECT_EQ(full.a, 1);
    EXPECT_EQ(full.b, "x");
    ASSERT_NE(full.c, nullptr);
    EXPECT_EQ(*full.c, (point{1, 2}));
    const auto empty = this->template both_ways<message>(R"({"a":null,"b":null,"c":null})");
    EXPECT_FALSE(empty.a || empty.b || empty.c);
    const auto absent = read<TypeParam, message>("{}");
    ASSERT_TRUE(absent);
    EXPECT_FALSE(absent.value.a || absent.value.b || absent.value.c);
    EXPECT_EQ((this->template refused<message>(R"({"a":"1"})")), reason::wrong_type);
    EXPECT_EQ((this->template refused<int>("null")), reason::wrong_type);
}

TYPED_TEST(type, lists) {
    EXPECT_EQ((this->template both_ways<std::vector<int>>("[1,2,3]")), (std::vector{1, 2, 3}));
    EXPECT_EQ((this->template both_ways<std::vector<int>>("[]")), (std::vector<int>{}));
    EXPECT_EQ((this->template both_ways<std::vector<bool>>("[true,false]")), (std::vector{true, false}));
    EXPECT_EQ((this->template both_ways<std::vector<std::string>>(R"(["a","","b"])")),
              (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ((this->template both_ways<std::vector<std::vector<point>>>(R"([[{"x":1,"y":2}],[]])")),
              (std::vector<std::vector<point>>{{{1, 2}}, {}}));
    EXPECT_EQ((this->template both_ways<std::deque<int>>("[1,2]")), (std::deque{1, 2}));
    EXPECT_EQ((this->template refused<std::vector<int>>("{}")), reason::wrong_type);
    EXPECT_EQ((this->template refused<std::vector<int>>("1")), reason::wrong_type);
}

TYPED_TEST(type, arrays_and_tuples_have_exactly_their_elements) {
    EXPECT_EQ((this->template both_ways<std::array<int, 3>>("[1,2,3]")), (std::array{1, 2, 3}));
    this->template both_ways<std::array<int, 0>>("[]");
    EXPECT_EQ((this->template both_ways<std::pair<int, std::string>>(R"([1,"a"])")),
              (std::pair{1, std::string{"a"}}));
    EXPECT_EQ((this->template both_ways<std::tuple<bool, double, point>>(R"([true,1.5,{"x":1,"y":2}])")),
              (std::tuple{true, 1.5, point{1, 2}}));
    this->template both_ways<std::tuple<>>("[]");
    for (const char* text : {"[]", "[1,2]", "[1,2,3,4]"})
        EXPECT_EQ((this->template refused<std::array<int, 3>>(text)), reason::wrong_count) << text;
    for (const char* text : {"[]", "[1]", "[1,\"a\",2]"})
        EXPECT_EQ((this->template refused<std::pair<int, std::string>>(text)), reason::wrong_count) << text;
}

TYPED_TEST(type, maps) {
    using strings = std::map<std::string, int>;
    EXPECT_EQ((this->template both_ways<strings>(R"({"":0,"a":1,"b\n":2})")),
              (strings{{"", 0}, {"a", 1}, {"b\n", 2}}));
    EXPECT_EQ((this->template both_ways<strings>("{}")), strings{});
    using numbers = std::map<std::int64_t, point>;
    EXPECT_EQ((this->template both_ways<numbers>(R"({"-1":{"x":1,"y":2},"20":{"x":3,"y":4}})")),
              (numbers{{-1, {1, 2}}, {20, {3, 4}}}));
    using colors = std::map<color, int>;
    EXPECT_EQ((this->template both_ways<colors>(R"({"blue":3,"red":1})")),
              (colors{{color::blue, 3}, {color::red, 1}}));
    using levels = std::map<level, int>;
    EXPECT_EQ((this->template both_ways<levels>(R"({"1":3})")), (levels{{level::low, 3}}));
    using unordered = std::unordered_map<std::string, std::vector<int>>;
    const auto r = read<TypeParam, unordered>(R"({"a":[1], "b" : [2,3] })");
    EXPECT_EQ(r.value, (unordered{{"a", {1}}, {"b", {2, 3}}}));
    using views = std::map<std::string_view, int>;
    EXPECT_EQ((read<TypeParam, views>(R"({"plain":1,"esc\u0061ped":2})").value),
              (views{{"plain", 1}, {"escaped", 2}}));
    for (const char* text : {R"({"x":{}})", R"({"1.0":{}})", R"({" 1":{}})", R"({"1 ":{}})", R"({"":{}})",
                             R"({"01":{}})", R"({"1e1":{}})", R"({"99999999999999999999":{}})"})
        EXPECT_EQ((this->template refused<numbers>(text)), reason::invalid_key) << text;
    EXPECT_EQ((this->template refused<colors>(R"({"pink":1})")), reason::invalid_key);
}

TYPED_TEST(type, enumerations_are_their_names) {
    EXPECT_EQ((this->template both_ways<color>(R"("green")")), color::green);
    EXPECT_EQ((this->template both_ways<color>(R"("blue")")), color::blue);
    EXPECT_EQ((this->template both_ways<plain>(R"("something")")), something);
    EXPECT_EQ((read<TypeParam, color>(R"("r\u0065d")").value), color::red);
    EXPECT_EQ((this->template refused<color>(R"("pink")")), reason::unknown_enumerator);
    EXPECT_EQ((this->template refused<color>(R"("Red")")), reason::unknown_enumerator);
    EXPECT_EQ((this->template refused<color>(R"("")")), reason::unknown_enumerator);
    EXPECT_EQ((this->template refused<color>("7")), reason::wrong_type);
    EXPECT_THROW(to_string(static_cast<color>(99)), error) << "a value without a name has no text";
}

TYPED_TEST(type, enumerations_are_what_their_customisation_says) {
    EXPECT_EQ((this->template both_ways<level>("200")), level::high);
    EXPECT_EQ((this->template both_ways<level>("17")), static_cast<level>(17));
    EXPECT_EQ((this->template refused<level>("256")), reason::out_of_range);
    EXPECT_EQ((this->template both_ways<wire>(R"("go \"down\"")")), wire::down);
    EXPECT_EQ((this->template refused<wire>(R"("down")")), reason::unknown_enumerator);
}

TYPED_TEST(type, durations_count_their_own_unit) {
    using namespace std::chrono;
    EXPECT_EQ((this->template both_ways<milliseconds>("1500")), 1500ms);
    EXPECT_EQ((this->template both_ways<seconds>("-3")), -3s);
    EXPECT_EQ((this->template both_ways<duration<double>>("1.5")), duration<double>{1.5});
    EXPECT_EQ((this->template refused<seconds>("1.5")), reason::not_whole);
}

TYPED_TEST(type, the_kind_of_value_chooses_the_alternative) {
    using choice = std::variant<std::monostate, bool, std::int64_t, std::string, std::vector<int>, point>;
    EXPECT_EQ((this->template both_ways<choice>("null").index()), 0u);
    EXPECT_EQ((this->template both_ways<choice>("true").index()), 1u);
    EXPECT_EQ((this->template both_ways<choice>("-7")), choice{std::int64_t{-7}});
    EXPECT_EQ((this->template both_ways<choice>(R"("x")")), choice{"x"});
    EXPECT_EQ((this->template both_ways<choice>("[1,2]")), choice{(std::vector{1, 2})});
    EXPECT_EQ((this->template both_ways<choice>(R"({"x":1,"y":2})")), (choice{point{1, 2}}));
    // Where one alternative is meant, its failure is the failure.
    const auto r = read<TypeParam, choice>(R"({"x":1,"y":"2"})");
    EXPECT_EQ(r.failure.why, reason::wrong_type);
    EXPECT_EQ(r.failure.path(), "y");
    EXPECT_EQ((this->template refused<std::variant<bool, int>>(R"("x")")), reason::no_alternative);
    EXPECT_EQ((this->template refused<std::variant<bool, int>>("x")), reason::syntax);
}

TYPED_TEST(type, among_alternatives_of_one_kind_the_first_that_fits_is_taken) {
    struct circle {
        double radius;
    };
    struct square {
        double side;
    };
    using shape = std::variant<circle, square, std::uint8_t, double, color, std::string>;
    EXPECT_EQ((this->template both_ways<shape>(R"({"side":2})").index()), 1u);
    EXPECT_EQ((this->template both_ways<shape>(R"({"radius":2})").index()), 0u);
    EXPECT_EQ((this->template both_ways<shape>("255").index()), 2u);
    EXPECT_EQ((this->template both_ways<shape>("256").index()), 3u);
    EXPECT_EQ((this->template both_ways<shape>("1.5").index()), 3u)
        << "an integer does not take the 1 of 1.5";
    EXPECT_EQ((this->template both_ways<std::vector<shape>>(R"([1.5,"red","pink",{"side":0.5}])").size()),
              4u);
    EXPECT_EQ((this->template refused<shape>(R"({"edge":2})")), reason::no_alternative);
    EXPECT_EQ((this->template refused<shape>(R"({"side":2)")), reason::no_alternative);
}

TYPED_TEST(type, attempts_at_alternatives_do_not_use_up_the_depth) {
    struct a {
        std::vector<std::vector<int>> deep;
        int only_a;
    };
    struct b {
        std::vector<std::vector<int>> deep;
        int only_b;
    };
    std::string many = "[";
    for (int i = 0; i < 100; ++i) many += R"({"deep":[[1],[2]],"only_b":1},)";
    many.back() = ']';
    const auto r = read<TypeParam, std::vector<std::variant<a, b>>>(many, {.depth = 4});
    EXPECT_TRUE(r) << r.failure.text();
}

TYPED_TEST(type, types_that_contain_themselves) {
    const auto tree = this->template both_ways<node>(
        R"({"value":1,"children":[{"value":2,"children":[],"next":null}],"next":{"value":3,)"
        R"("children":[],"next":null}})");
    EXPECT_EQ(tree.children.at(0).value, 2);
    EXPECT_EQ(tree.next->value, 3);
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += R"({"value":1,"children":[],"next":)";
    EXPECT_EQ((this->template refused<node>(deep)), reason::too_deep);
    this->template both_ways<any>(R"({"a":[1,{"b":null},"c"],"d":true})");
}

TYPED_TEST(type, listed_fields_have_renames_bases_and_c_arrays) {
    const auto value =
        this->template both_ways<alarm>(R"({"at":5,"source":"door","codes":[1,2,3],"how-strong":0.5})");
    EXPECT_EQ(value.at, 5u);
    EXPECT_EQ(value.source, "door");
    EXPECT_EQ(value.codes[2], 3);
    EXPECT_EQ(value.strength, 0.5);
    EXPECT_EQ(value.private_state, 5);
    EXPECT_EQ((this->template refused<alarm>(R"({"at":5,"source":"door","codes":[1,2],"how-strong":0.5})")),
              reason::wrong_count);
    const auto foreign = this->template both_ways<unchangeable>(R"({"a":1,"b":2})");
    EXPECT_EQ(foreign.b_, 2);
}

TYPED_TEST(type, the_longest_structs) {
    struct many {
        int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3,
            c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5, e6, e7,
            e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2, g3;
    };
    static_assert(reflect::member_count<many> == 64);
    std::string forwards = "{", backwards = "{";
    for (std::size_t i = 0; i < 64; ++i) {
        const auto member = [](std::size_t m) {
            return '"' + std::string{reflect::member_names<many>[m]} + "\":" + std::to_string(m) + ',';
        };
        forwards += member(i);
        backwards += member(63 - i);
    }
    forwards.back() = backwards.back() = '}';
    EXPECT_EQ((this->template both_ways<many>(forwards)).g3, 63);
    const auto r = read<TypeParam, many>(backwards);
    ASSERT_TRUE(r) << r.failure.text();
    EXPECT_EQ(to_string(r.value), forwards);
    backwards.erase(backwards.rfind(','), backwards.size());
    EXPECT_EQ((read<TypeParam, many>(backwards + "}").failure.path()), "a0");
}

TYPED_TEST(type, long_member_names) {
    struct message {
        int a_name_that_is_longer_than_the_zeros_behind_a_document_are_and_so_cannot_be_compared_at_once;
        int a_name_that_is_longer_than_the_zeros_behind_a_document_are_and_so_cannot_be_compared_at_all;
    };
    const auto value = this->template both_ways<message>(
        R"({"a_name_that_is_longer_than_the_zeros_behind_a_document_are_and_so_cannot_be_compared_at_once":1,)"
        R"("a_name_that_is_longer_than_the_zeros_behind_a_document_are_and_so_cannot_be_compared_at_all":2})");
    EXPECT_EQ(
        value.a_name_that_is_longer_than_the_zeros_behind_a_document_are_and_so_cannot_be_compared_at_all, 2);
    EXPECT_FALSE((read<TypeParam, message>("{\"a_name_that")));
}

TEST(parse, gives_the_value_or_throws_a_sentence) {
    EXPECT_EQ(parse<point>(R"({"x":1,"y":2})"), (point{1, 2}));
    EXPECT_EQ((parse<point>(R"({"x":1})", {.missing = missing_members::keep_default})), (point{1, 0}));
    try {
        parse<std::vector<point>>(R"([{"x":1,"y":2},{"x":1,"y":true}])");
        FAIL();
    } catch (const error& e) {
        EXPECT_EQ(e.code(), errc::undecodable);
        EXPECT_STREQ(e.what(),
                     "JSON: a value of another type where a number is needed, in [1].y, at byte 26");
    }
}

}  // namespace
}  // namespace weir::json::test
