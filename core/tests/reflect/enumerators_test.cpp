#include "weir/reflect/enumerators.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace paint {

enum class color { red, green = 7, blue };
enum class byte_sized : std::uint8_t { none, most = 255 };
enum class negative : std::int8_t { lowest = -128, zero = 0, highest = 127 };
enum class two : bool { no, yes };
enum old_style { first, second, hundredth = 100 };
enum old_style_with_a_sign { minus = -3, plus = 4 };
enum class far : std::uint64_t { near = 255, beyond = 256, farthest = ~std::uint64_t{0} };
enum class same { a = 1, b = 1, c = 2 };
enum class empty {};
enum class renamed { up, down };
struct owner {
    enum class state { open, closed };
};

}  // namespace paint

template <>
inline constexpr auto weir::names_of<paint::renamed> =
    std::array{weir::enumerator{paint::renamed::up, "UP"}, weir::enumerator{paint::renamed::down, "DOWN"}};

namespace weir::reflect {
namespace {

enum class hidden { here, there };

template <class E> std::string listed() {
    std::string all;
    for (const auto& e : enumerators<E>) {
        all += std::string{e.name} + "=" + std::to_string(static_cast<long long>(e.value)) + " ";
    }
    return all;
}

TEST(enumerators, are_found_with_their_names_and_values) {
    EXPECT_EQ(listed<paint::color>(), "red=0 green=7 blue=8 ");
    EXPECT_EQ(listed<paint::owner::state>(), "open=0 closed=1 ");
    EXPECT_EQ(listed<hidden>(), "here=0 there=1 ");
    EXPECT_EQ(listed<paint::empty>(), "");
    enum class local { inside };
    EXPECT_EQ(listed<local>(), "inside=0 ");
}

TEST(enumerators, are_found_to_the_ends_of_their_type_and_of_the_range) {
    EXPECT_EQ(listed<paint::byte_sized>(), "none=0 most=255 ");
    EXPECT_EQ(listed<paint::negative>(), "lowest=-128 zero=0 highest=127 ");
    EXPECT_EQ(listed<paint::two>(), "no=0 yes=1 ");
    EXPECT_EQ(listed<paint::far>(), "near=255 ") << "what lies beyond the range needs names_of";
}

TEST(enumerators, of_enumerations_without_a_fixed_type_are_found) {
    EXPECT_EQ(listed<paint::old_style>(), "first=0 second=1 hundredth=100 ");
    EXPECT_EQ(listed<paint::old_style_with_a_sign>(), "minus=-3 plus=4 ");
}

TEST(enumerators, of_one_value_are_one) { EXPECT_EQ(enumerators<paint::same>.size(), 2u); }

TEST(enumerators, have_the_names_that_are_listed) {
    EXPECT_EQ(listed<paint::renamed>(), "UP=0 DOWN=1 ");
    EXPECT_EQ(enum_name(paint::renamed::down), "DOWN");
}

TEST(enum_name, is_empty_for_a_value_without_a_name) {
    static_assert(enum_name(paint::color::blue) == "blue");
    EXPECT_EQ(enum_name(static_cast<paint::color>(3)), "");
}

}  // namespace
}  // namespace weir::reflect
