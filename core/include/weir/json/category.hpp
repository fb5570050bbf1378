#pragma once
#include "weir/json/decode_failure.hpp"
#include "weir/reflect/enumerators.hpp"
#include "weir/reflect/members.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <type_traits>

// Which form a type has in JSON. Containers are recognised by what they can do, so that the headers of
// containers that a program does not use stay out, and other libraries' vectors and maps work.

namespace weir::json::detail {

enum class category {
    unsupported,
    boolean,
    integer,      // number; range checked
    floating,     // number; float and double
    text,         // std::string
    view,         // std::string_view
    enumeration,  // the name of the enumerator, or its number
    duration,     // how many of its own unit
    time,         // std::chrono::sys_time, as RFC 3339
    null,         // std::monostate
    nullable,     // std::optional, std::unique_ptr: null or absent when empty
    list,         // std::vector
    array,        // std::array and C arrays: exactly that many elements
    tuple,        // std::pair and std::tuple: an array with exactly these elements
    map,          // object with any keys
    variant,      // whichever alternative fits
    object,       // plain structs
};

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
template <class T>
concept number_like = std::is_integral_v<T> && !is_character<T> && sizeof(T) <= 8;

template <class T> inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;
template <class T> inline constexpr bool is_sys_time = false;
template <class Duration> inline constexpr bool is_sys_time<std::chrono::sys_time<Duration>> = true;

template <class T>
concept optional_like = requires(T& t) {
    typename T::value_type;
    t.has_value();
    t.reset();
    t.emplace();
    *t;
};
template <class T>
concept pointer_like = requires(T& t) {
    typename T::element_type;
    typename T::deleter_type;
    t.release();
};
template <class T>
concept map_like = requires(T& t, const T& c) {
    typename T::key_type;
    typename T::mapped_type;
    typename T::node_type;
    t.clear();
    c.begin()->second;
};
template <class T>
concept list_like = requires(T& t, std::size_t n) {
    typename T::value_type;
    t.emplace_back();
    t.resize(n);
    t.clear();
    t[n];
};
template <class T>
concept array_like = std::is_array_v<T> || requires(T& t) {
    std::tuple_size<T>::value;
    t.fill(t[0]);
};
template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; };
template <class T>
concept variant_like = requires(const T& t) {
    t.index();
    t.valueless_by_exception();
};
template <class T>
concept empty_alternative = std::is_empty_v<T> && reflect::type_name<T>() == "std::monostate";

template <class T> consteval category category_of() {
    using enum category;
    if constexpr (reflect::detail::described<T>) return object;
    else if constexpr (std::is_same_v<T, bool>) return boolean;
    else if constexpr (number_like<T>) return integer;
    else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return floating;
    else if constexpr (std::is_same_v<T, std::string>) return text;
    else if constexpr (std::is_same_v<T, std::string_view>) return view;
    else if constexpr (std::is_enum_v<T>) return enumeration;
    else if constexpr (is_duration<T>) return duration;
    else if constexpr (is_sys_time<T>) return time;
    else if constexpr (array_like<T>) return array;
    else if constexpr (!std::is_class_v<T>) return unsupported;
    else if constexpr (variant_like<T>) return variant;
    else if constexpr (optional_like<T> || pointer_like<T>) return nullable;
    else if constexpr (map_like<T>) return map;
    else if constexpr (list_like<T>) return list;
    else if constexpr (tuple_like<T>) return tuple;
    else if constexpr (empty_alternative<T>) return null;
    else if constexpr (reflect::reflected<T>) return object;
    else return unsupported;
}

/// Members of these may be absent and are empty then.
template <class T>
inline constexpr bool may_be_absent = category_of<T>() == category::nullable ||
                                      category_of<T>() == category::list || category_of<T>() == category::map;

template <template <class...> class V, class... A, std::size_t I>
std::tuple_element_t<I, std::tuple<A...>> alternative_of(const V<A...>&,
                                                         std::integral_constant<std::size_t, I>);
template <class V, std::size_t I>
using alternative =
    decltype(alternative_of(std::declval<const V&>(), std::integral_constant<std::size_t, I>{}));
template <template <class...> class V, class... A>
std::integral_constant<std::size_t, sizeof...(A)> alternatives_of(const V<A...>&);
template <class V>
inline constexpr std::size_t alternatives = decltype(alternatives_of(std::declval<const V&>()))::value;

constexpr unsigned bit(kind k) { return 1u << static_cast<unsigned>(k); }

/// The kinds of JSON values that a T is read from, as bits.
template <class T> consteval unsigned kinds_of() {
    constexpr category c = category_of<T>();
    using enum category;
    if constexpr (c == boolean) return bit(kind::boolean);
    else if constexpr (c == integer || c == floating || c == duration) return bit(kind::number);
    else if constexpr (c == text || c == view || c == time) return bit(kind::string);
    else if constexpr (c == enumeration) return as_number<T> ? bit(kind::number) : bit(kind::string);
    else if constexpr (c == null) return bit(kind::null);
    else if constexpr (c == nullable)
        return bit(kind::null) | kinds_of<std::remove_cvref_t<decltype(*std::declval<T&>())>>();
    else if constexpr (c == list || c == array || c == tuple) return bit(kind::array);
    else if constexpr (c == variant) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (0u | ... | kinds_of<alternative<T, I>>());
        }(std::make_index_sequence<alternatives<T>>{});
    } else return bit(kind::object);
}

/// Whether a T may hold views of the document it was read from.
template <class T, class... Above> consteval bool holds_views() {
    constexpr category c = category_of<T>();
    using enum category;
    if constexpr ((std::is_same_v<T, Above> || ...)) return false;
    else if constexpr (c == view) return true;
    else if constexpr (c == nullable)
        return holds_views<std::remove_cvref_t<decltype(*std::declval<T&>())>, T, Above...>();
    else if constexpr (c == list || c == array)
        return holds_views<std::remove_cvref_t<decltype(std::declval<T&>()[0])>, T, Above...>();
    else if constexpr (c == map)
        return holds_views<typename T::key_type, T, Above...>() ||
               holds_views<typename T::mapped_type, T, Above...>();
    else if constexpr (c == tuple)
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (false || ... || holds_views<std::tuple_element_t<I, T>, T, Above...>());
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    else if constexpr (c == variant)
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (false || ... || holds_views<alternative<T, I>, T, Above...>());
        }(std::make_index_sequence<alternatives<T>>{});
    else if constexpr (c == object)
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (false || ... || holds_views<reflect::member_type<T, I>, T, Above...>());
        }(std::make_index_sequence<reflect::member_count<T>>{});
    else return false;
}

/// Instantiated where a type has no form in JSON; gives the one sentence of the compile error.
template <class T> consteval void refuse_type() {
    if constexpr (is_character<T>)
        static_assert(!is_character<T>,
                      "weir: a character type is neither text nor number in JSON - use std::string, or "
                      "std::int8_t/std::uint8_t for a number");
    else if constexpr (std::is_pointer_v<T>)
        static_assert(!std::is_pointer_v<T>,
                      "weir: a message cannot hold a raw pointer - use std::string, std::optional or "
                      "std::unique_ptr");
    else
        static_assert(category_of<T>() != category::unsupported,
                      "weir: this type has no form in JSON - use a plain struct, or list its members in a "
                      "static fields() or "
                      "in weir::fields_of<T>");
}

}  // namespace weir::json::detail
