#include "weir/reflect/members.hpp"
#include "weir/reflect/type_name.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shop {

struct line {
    std::string sku;
    unsigned quantity;
};
struct order {
    std::uint64_t id;
    std::string customer;
    double total = 1.5;
    std::optional<std::string> note;
    std::vector<line> lines;
    std::map<std::string, int> tags;
    std::variant<int, std::string, line> choice;
    std::unique_ptr<line> gift;
    std::array<int, 3> codes;
    line nested;
    bool paid;
    enum class state { open, closed } now;
};
template <class A, class B> struct pair_of {
    A left;
    B right;
};
struct node {
    std::vector<node> children;
    std::unique_ptr<node> next;
};
struct nothing {};
struct one {
    std::string only;
};
struct not_ours_to_make {
    explicit not_ours_to_make(int) {}
};
struct without_default {
    int a;
    not_ours_to_make b;
};
struct event {
    int at;
};
struct alarm : event {
    int codes[3];
    int strength;
    static constexpr auto fields() {
        return weir::fields(weir::field("level", &alarm::strength), weir::base<event>,
                            weir::field("codes", &alarm::codes));
    }
};
struct louder_alarm : alarm {
    int volume;
    static constexpr auto fields() {
        return weir::fields(weir::base<alarm>, weir::field("volume", &louder_alarm::volume));
    }
};
class foreign {
public:
    int x = 1, hidden = 2, y = 3;
    foreign() = default;
};
struct has_a_function_of_that_name {
    int a;
    static int fields() { return 3; }
};

}  // namespace shop

template <>
inline constexpr auto weir::fields_of<shop::foreign> =
    weir::fields(weir::field("X", &shop::foreign::x), weir::field("Y", &shop::foreign::y));

namespace weir::reflect {
namespace {

struct hidden {
    int a, b;
};

template <class T> std::vector<std::string> names() {
    return {member_names<T>.begin(), member_names<T>.end()};
}
using list = std::vector<std::string>;

TEST(members, of_plain_structs_have_their_names_in_order) {
    EXPECT_EQ(names<shop::order>(), (list{"id", "customer", "total", "note", "lines", "tags", "choice",
                                          "gift", "codes", "nested", "paid", "now"}));
    EXPECT_EQ(names<shop::line>(), (list{"sku", "quantity"}));
    EXPECT_EQ((names<shop::pair_of<int, std::vector<int>>>()), (list{"left", "right"}));
    EXPECT_EQ(names<shop::node>(), (list{"children", "next"}));
    EXPECT_EQ(names<shop::one>(), list{"only"});
    EXPECT_EQ(names<shop::nothing>(), list{});
    EXPECT_EQ(names<hidden>(), (list{"a", "b"}));
    EXPECT_EQ(names<shop::without_default>(), (list{"a", "b"}));
    struct local {
        int here;
    };
    EXPECT_EQ(names<local>(), list{"here"});
}

TEST(members, are_constants) {
    static_assert(member_count<shop::order> == 12);
    static_assert(member_names<shop::order>[1] == "customer");
    static_assert(std::is_same_v<member_type<shop::order, 2>, double>);
    static_assert(reflected<shop::order> && reflected<shop::foreign> && !reflected<std::string> &&
                  !reflected<int>);
    constexpr shop::event e{7};
    static_assert(get<0>(tie(e)) == 7);
}

TEST(members, are_tied_by_reference) {
    shop::line line{"a", 1};
    const auto tied = tie(line);
    get<1>(tied) = 5;
    get<0>(tied) += "b";
    EXPECT_EQ(line.quantity, 5u);
    EXPECT_EQ(line.sku, "ab");
    const shop::line& constant = line;
    static_assert(std::is_same_v<decltype(get<0>(tie(constant))), const std::string&>);
    EXPECT_EQ(&get<0>(tie(constant)), &line.sku);
}

TEST(members, are_all_given_to_a_visitor_at_once) {
    const shop::pair_of<int, int> value{2, 3};
    EXPECT_EQ(with_members(value, [](auto... member) { return (member * ...); }), 6);
    shop::nothing none;
    EXPECT_TRUE(with_members(none, [](auto&... member) { return sizeof...(member) == 0; }));
}

TEST(members, that_are_listed_replace_those_of_the_struct) {
    EXPECT_EQ(names<shop::alarm>(), (list{"level", "at", "codes"}));
    shop::alarm alarm{{1}, {2, 3, 4}, 5};
    const auto tied = tie(alarm);
    EXPECT_EQ(get<0>(tied), 5);
    EXPECT_EQ(get<1>(tied), 1);
    EXPECT_EQ(get<2>(tied)[2], 4);
    static_assert(std::is_same_v<member_type<shop::alarm, 2>, int[3]>);
}

TEST(members, of_bases_may_be_listed_themselves) {
    EXPECT_EQ(names<shop::louder_alarm>(), (list{"level", "at", "codes", "volume"}));
    const shop::louder_alarm alarm{{{1}, {2, 3, 4}, 5}, 6};
    EXPECT_EQ(get<3>(tie(alarm)), 6);
    EXPECT_EQ(&get<1>(tie(alarm)), &alarm.at);
}

TEST(members, of_a_type_that_cannot_be_changed_are_listed_beside_it) {
    EXPECT_EQ(names<shop::foreign>(), (list{"X", "Y"}));
    shop::foreign value;
    EXPECT_EQ(get<1>(tie(value)), 3);
}

TEST(members, are_not_taken_from_a_function_that_only_has_the_name) {
    EXPECT_EQ(names<shop::has_a_function_of_that_name>(), list{"a"});
}

TEST(members, go_up_to_sixty_four) {
    struct most {
        char a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3, c4, c5, c6, c7,
            d0, d1, d2, d3, d4, d5, d6, d7, e0, e1, e2, e3, e4, e5, e6, e7, f0, f1, f2, f3, f4, f5, f6, f7,
            g0, g1, g2, g3, g4, g5, g6, g7, h0, h1, h2, h3, h4, h5, h6, h7;
    };
    static_assert(member_count<most> == most_members);
    EXPECT_EQ(names<most>().back(), "h7");
    most value{};
    with_members(value, [i = char{}](auto&... member) mutable { ((member = i++), ...); });
    EXPECT_EQ(value.a0, 0);
    EXPECT_EQ(value.e3, 35);
    EXPECT_EQ(value.h7, 63);
}

TEST(type_name, has_its_namespaces) {
    EXPECT_EQ(type_name<shop::order>(), "shop::order");
    EXPECT_EQ(type_name<int>(), "int");
    EXPECT_EQ((type_name<shop::pair_of<int, char>>()), "shop::pair_of<int, char>");
}

}  // namespace
}  // namespace weir::reflect
