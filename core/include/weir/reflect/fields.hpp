#pragma once
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace weir {

/// One member of a message under the name it has in documents. `name` is a literal.
template <class Class, class Member> struct field {
    using owner = Class;
    std::string_view name;
    Member Class::* member;

    constexpr field(const char* n, Member Class::* m) : name(n), member(m) {}
};

template <class Base> struct base_fields {
    using owner = Base;
};
/// In a list of fields: all members of that base, in its own order and under its own names.
template <class Base> inline constexpr base_fields<Base> base{};

template <class... Entry> struct field_list {
    static constexpr std::size_t size = sizeof...(Entry);
    std::tuple<Entry...> entries;
};

/// The members that belong to the message, in the order in which they are written. What is not listed is left
/// alone by codecs. For renames, C arrays and bases:
///
///     struct order : event {
///         std::uint64_t number;
///         int codes[3];
///         static constexpr auto fields() {
///             return weir::fields(weir::base<event>, weir::field("no", &order::number),
///                                 weir::field("codes", &order::codes));
///         }
///     };
template <class... Entry> constexpr field_list<Entry...> fields(Entry... entry) { return {{entry...}}; }

/// The same for a type that cannot be changed; specialise it beside the type:
///
///     template <> inline constexpr auto weir::fields_of<lib::point> =
///         weir::fields(weir::field("x", &lib::point::x), weir::field("y", &lib::point::y));
template <class T> inline constexpr auto fields_of = nullptr;

namespace reflect::detail {

template <class T> inline constexpr bool is_field_list = false;
template <class... Entry> inline constexpr bool is_field_list<field_list<Entry...>> = true;
template <class T> inline constexpr bool is_base_entry = false;
template <class Base> inline constexpr bool is_base_entry<base_fields<Base>> = true;

template <class T>
concept describes_itself = requires { requires is_field_list<decltype(T::fields())>; };
template <class T>
concept described = describes_itself<T> || is_field_list<std::remove_cvref_t<decltype(fields_of<T>)>>;

template <class T> consteval auto description() {
    if constexpr (is_field_list<std::remove_cvref_t<decltype(fields_of<T>)>>) return fields_of<T>;
    else return T::fields();
}

}  // namespace reflect::detail
}  // namespace weir
