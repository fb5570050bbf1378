#pragma once
#include <string_view>

namespace weir::reflect {

/// The name of T as the compiler spells it, with its namespaces: "shop::order". Lives for ever.
template <class T> consteval std::string_view type_name() {
    constexpr std::string_view whole = __PRETTY_FUNCTION__;
    constexpr std::size_t begin = whole.find("T = ") + 4;
#if defined(__clang__)
    constexpr std::size_t end = whole.rfind(']');
#else
    constexpr std::size_t end = whole.find("; std::string_view = ", begin);
#endif
    return whole.substr(begin, end - begin);
}

}  // namespace weir::reflect
