#pragma once
#include "weir/reflect/bind_members.hpp"
#include "weir/reflect/fields.hpp"

#include <array>
#include <memory>

// Members of plain structs, without macros: their number, their names and references to them.

namespace weir::reflect {

/// A plain struct (an aggregate without bases and C arrays), or a type that lists its fields.
template <class T>
concept reflected = detail::described<T> || (std::is_aggregate_v<T> && std::is_class_v<T>);

namespace detail {

template <class T> struct holder {
    const T value;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
// Declared and never defined: only the addresses of its members are named, and the compiler spells them out.
template <class T> extern const holder<T> specimen;

// clang spells a pointer to a subobject only inside a class.
template <class T> struct pointer {
    const T* to;
};
template <class T> pointer(const T*) -> pointer<T>;

template <auto P> consteval std::string_view spelled_member() {
    constexpr std::string_view s = __PRETTY_FUNCTION__;
#if defined(__clang__)
    // [P = pointer<...>{&specimen.value.customer}]
    constexpr std::size_t end = s.rfind('}'), before = s.rfind('.', end);
#else
    // [with auto P = (& specimen<order>.holder<order>::value.order::customer); std::string_view = ...]
    constexpr std::size_t end = s.rfind("); std::string_view");
    constexpr std::size_t before = s.rfind(':', end);
#endif
    return s.substr(before + 1, end - before - 1);
}

/// References to the members of one object, by index. Cheaper to compile than a tuple.
template <std::size_t I, class T> struct slot {
    T& to;
};
template <class Indices, class... T> struct slots;
template <std::size_t... I, class... T> struct slots<std::index_sequence<I...>, T...> : slot<I, T>... {};

template <std::size_t I, class T> constexpr T& pick(const slot<I, T>& s) { return s.to; }

struct make_slots {
    template <class... T> constexpr auto operator()(T&... member) const {
        return slots<std::index_sequence_for<T...>, T...>{{member}...};
    }
};

template <class T, class F> constexpr decltype(auto) visit(T& t, F&& f);

template <std::size_t I, class T, class F, class... Done>
constexpr decltype(auto) visit_described(T& t, F&& f, Done&... done) {
    using list = decltype(description<std::remove_const_t<T>>());
    if constexpr (I == list::size) {
        return f(done...);
    } else {
        constexpr auto entry = std::get<I>(description<std::remove_const_t<T>>().entries);
        if constexpr (is_base_entry<std::remove_const_t<decltype(entry)>>) {
            using owner = typename decltype(entry)::owner;
            using base = std::conditional_t<std::is_const_v<T>, const owner, owner>;
            return visit(static_cast<base&>(t), [&](auto&... inherited) -> decltype(auto) {
                return visit_described<I + 1>(t, f, done..., inherited...);
            });
        } else {
            return visit_described<I + 1>(t, f, done..., t.*(entry.member));
        }
    }
}

template <class T> consteval std::size_t count();

template <class T> consteval std::size_t count_described() {
    return std::apply(
        [](auto... entry) {
            return (std::size_t{0} + ... + [&] {
                if constexpr (is_base_entry<decltype(entry)>) return count<typename decltype(entry)::owner>();
                else return std::size_t{1};
            }());
        },
        description<T>().entries);
}
template <class T> consteval std::size_t count() {
    if constexpr (described<T>) return count_described<T>();
    else return count_members<T>();
}

template <class T> consteval auto names();

template <class T> consteval auto names_described() {
    std::array<std::string_view, count<T>()> all{};
    std::size_t at = 0;
    const auto add = [&](auto entry) {
        if constexpr (is_base_entry<decltype(entry)>) {
            for (std::string_view name : names<typename decltype(entry)::owner>()) all[at++] = name;
        } else {
            all[at++] = entry.name;
        }
    };
    std::apply([&](auto... entry) { (add(entry), ...); }, description<T>().entries);
    return all;
}

template <class T, std::size_t I> consteval std::string_view name_at() {
    constexpr auto members = bind_members<count<T>()>(specimen<T>.value, make_slots{});
#if defined(__clang__)
    return spelled_member<pointer{std::addressof(pick<I>(members))}>();
#else
    return spelled_member<std::addressof(pick<I>(members))>();
#endif
}

template <class T> consteval auto names() {
    if constexpr (described<T>) {
        return names_described<T>();
    } else {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<std::string_view, sizeof...(I)>{name_at<T, I>()...};
        }(std::make_index_sequence<count<T>()>{});
    }
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class T, class F> constexpr decltype(auto) visit(T& t, F&& f) {
    using plain = std::remove_const_t<T>;
    if constexpr (described<plain>) return visit_described<0>(t, f);
    else return bind_members<count<plain>()>(t, f);
}

}  // namespace detail

/// How many members a message of type T has.
template <reflected T> inline constexpr std::size_t member_count = detail::count<T>();

/// Their names, in order.
template <reflected T>
inline constexpr std::array<std::string_view, member_count<T>> member_names = detail::names<T>();

/// Calls f(member...) once, with references to all members in order.
template <class T, class F>
    requires reflected<std::remove_const_t<T>>
constexpr decltype(auto) with_members(T& t, F&& f) {
    return detail::visit(t, f);
}

/// References to all members; `get<I>` of it is the member. Lives no longer than `t`.
template <class T>
    requires reflected<std::remove_const_t<T>>
constexpr auto tie(T& t) {
    return detail::visit(t, detail::make_slots{});
}
template <std::size_t I, class Tied> constexpr auto& get(const Tied& tied) { return detail::pick<I>(tied); }

/// The type of member I.
template <reflected T, std::size_t I>
using member_type = std::remove_reference_t<decltype(get<I>(tie(std::declval<T&>())))>;

}  // namespace weir::reflect
