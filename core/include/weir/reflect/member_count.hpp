#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace weir::reflect {

/// The most members a plain struct may have without `fields()`.
inline constexpr std::size_t most_members = 64;

namespace detail {

// Stands for a value of any type where only the form of an initialisation is asked for.
struct anything {
    template <class T> operator T() const noexcept { __builtin_unreachable(); }
};
template <class T> struct any_base_of {
    template <class Base>
        requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
    operator Base() const noexcept {
        __builtin_unreachable();
    }
};

template <class T, std::size_t... I> consteval bool takes(std::index_sequence<I...>) {
    return requires { T{((void)I, anything{})...}; };
}
template <class T, std::size_t... Before, std::size_t... After>
consteval bool takes_braces_between(std::index_sequence<Before...>, std::index_sequence<After...>) {
    return requires { T{((void)Before, anything{})..., {}, ((void)After, anything{})...}; };
}

/// How many initialisers T takes: one a member, except that a C array takes one an element and a base takes
/// one.
template <class T, std::size_t N = 0> consteval std::size_t initialisers() {
    if constexpr (N > most_members) return N;
    else if constexpr (takes<T>(std::make_index_sequence<N>{}) &&
                       !takes<T>(std::make_index_sequence<N + 1>{}))
        return N;
    else return initialisers<T, N + 1>();
}
template <class T> consteval bool has_base() {
    return requires { T{any_base_of<T>{}}; };
}

/// A C array is where empty braces leave room for fewer members behind them than one value does.
template <class T, std::size_t N> consteval bool has_c_array() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((takes_braces_between<T>(std::make_index_sequence<I>{}, std::index_sequence<>{}) &&
                 !takes_braces_between<T>(std::make_index_sequence<I>{},
                                          std::make_index_sequence<N - I - 1>{})) ||
                ...);
    }(std::make_index_sequence<N>{});
}

/// The number of members of a plain struct. Where the language does not let us count, one sentence says what
/// to do.
template <class T> consteval std::size_t count_members() {
    constexpr std::size_t n = initialisers<T>();
    if constexpr (has_base<T>()) {
        static_assert(!has_base<T>(),
                      "weir: this struct has a base class - list its members in a static fields(), with "
                      "weir::base<Base> for what it inherits");
        return 0;
    } else if constexpr (n > most_members) {
        static_assert(n <= most_members,
                      "weir: this struct has more than 64 members, or a long C array - split it into "
                      "nested structs, or list up to 64 members in a static fields()");
        return 0;
    } else if constexpr (has_c_array<T, n>()) {
        static_assert(!has_c_array<T, n>(),
                      "weir: this struct has a C array - use std::array, or list its members in a "
                      "static fields()");
        return 0;
    } else {
        return n;
    }
}

}  // namespace detail
}  // namespace weir::reflect
