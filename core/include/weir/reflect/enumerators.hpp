#pragma once
#include "weir/reflect/type_name.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

// Enumerators by name, without macros. The compiler is asked for the names of all values in a range at once,
// which is one instantiation an enumeration.

namespace weir {

template <class E> struct enumerator {
    E value;
    std::string_view name;
};

/// Names of an enumeration in documents, for renames and for values outside of -128 to 255; specialise it
/// beside the type:
///
///     template <> inline constexpr auto weir::names_of<color> =
///         std::array{weir::enumerator{color::red, "RED"}, weir::enumerator{color::green, "GREEN"}};
template <class E> inline constexpr auto names_of = nullptr;

/// Specialise as true for an enumeration that is a number in documents.
template <class E> inline constexpr bool as_number = false;

namespace reflect {

/// The values that are asked for a name. Further ones need `names_of`.
inline constexpr int first_enumerator = -128, last_enumerator = 255;

namespace detail {

// Not a static_cast: an enumeration without a fixed underlying type has only the values that its enumerators
// span.
template <class E> consteval E with_number(int n) {
    return __builtin_bit_cast(E, static_cast<std::underlying_type_t<E>>(n));
}

#if defined(__clang__)
#pragma clang diagnostic push
#if __clang_major__ < 20
#pragma clang diagnostic ignored "-Wenum-constexpr-conversion"
#endif
#endif
// Newer compilers refuse such values as template arguments; the range is halved until they do not.
template <class E, int N, class = void> inline constexpr bool can_be = false;
template <class E, int N>
inline constexpr bool can_be<E, N, std::void_t<std::integral_constant<E, with_number<E>(N)>>> = true;

template <class E, int N> consteval int nearest() {
    if constexpr (N == 0 || can_be<E, N>) return N;
    else return nearest<E, N / 2>();
}
template <class E> consteval int range_begin() {
    return nearest<E, std::is_signed_v<std::underlying_type_t<E>> ? first_enumerator : 0>();
}
template <class E> consteval int range_end() {
    constexpr auto top = static_cast<std::uintmax_t>(std::numeric_limits<std::underlying_type_t<E>>::max());
    return nearest < E,
           top<static_cast<std::uintmax_t>(last_enumerator) ? static_cast<int>(top) : last_enumerator>();
}

template <auto... Value> consteval std::string_view spelled_values() { return __PRETTY_FUNCTION__; }

template <class E, int First, int... I> consteval std::string_view spell(std::integer_sequence<int, I...>) {
    return spelled_values<with_number<E>(First + I)...>();
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

constexpr bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c & 0x80) != 0;
}

template <std::size_t N> struct found_names {
    std::array<std::string_view, N> name{};  // empty: no enumerator has this value
    std::size_t count = 0;
};

/// Takes "... Value = {ns::color::red, (ns::color)1, ...}]" apart. `type` is how the enumeration is spelled.
template <std::size_t N> consteval found_names<N> split(std::string_view text, std::string_view type) {
    found_names<N> found;
    std::size_t at = text.find("Value = ") + 8;
    at = text.find_first_of("{<", at) + 1;
    int depth = 0;
    std::size_t n = 0;
    for (; at < text.size() && n < N; ++at) {
        // Most values have no name; they are jumped over, which saves most of the time that compilers take
        // here.
        const std::size_t number = at + type.size() + 2;
        if (depth == 0 && text[at] == '(' && number < text.size() && text[number - 1] == ')') at = number;
        const char c = text[at];
        const bool closes = c == ')' || c == '>' || c == '}';
        if (depth == 0 && (c == ',' || closes)) {
            std::size_t begin = at;
            while (in_name(text[begin - 1])) --begin;
            if (begin < at && !(text[begin] >= '0' && text[begin] <= '9')) {
                found.name[n] = text.substr(begin, at - begin);
                ++found.count;
            }
            ++n;
        } else if (c == '(' || c == '<' || c == '{') {
            ++depth;
        } else if (closes) {
            --depth;
        }
    }
    return found;
}

template <class E> consteval auto scan_enumerators() {
    constexpr int first = range_begin<E>(), size = range_end<E>() - first + 1;
    constexpr auto found = split<static_cast<std::size_t>(size)>(
        spell<E, first>(std::make_integer_sequence<int, size>{}), type_name<E>());
    std::array<enumerator<E>, found.count> all{};
    std::size_t at = 0;
    for (int i = 0; i < size; ++i)
        if (!found.name[static_cast<std::size_t>(i)].empty())
            all[at++] = {with_number<E>(first + i), found.name[static_cast<std::size_t>(i)]};
    return all;
}

template <class E> consteval auto list_enumerators() {
    if constexpr (std::is_null_pointer_v<std::remove_cv_t<decltype(names_of<E>)>>)
        return scan_enumerators<E>();
    else return names_of<E>;
}

}  // namespace detail

/// All named values of E (each under one name), from its `names_of` or, without one, from a scan of -128 to
/// 255. clang does not know the enumerators of an enumeration inside a class template before one is used:
/// those need `names_of`.
template <class E>
    requires std::is_enum_v<E>
inline constexpr auto enumerators = detail::list_enumerators<E>();

/// The name of a value, or an empty view.
template <class E>
    requires std::is_enum_v<E>
constexpr std::string_view enum_name(E value) {
    for (const auto& e : enumerators<E>)
        if (e.value == value) return e.name;
    return {};
}

}  // namespace reflect
}  // namespace weir
