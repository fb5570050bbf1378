#pragma once
#include <weir/dispatch/contract.hpp>
#include <weir/dispatch/nothing.hpp>
#include <weir/dispatch/services.hpp>
#include <weir/dispatch/subscription_base.hpp>

#include <optional>

namespace weir::detail {

/// What a handler's further parameters are made from, once, when its slot is made; a message pays a load.
struct slot_setup {
    services& provided;
    publish_port port;
    unsigned thread;
    std::string_view prefix;  // of the router the handler came through: applies to every name it states

    void* open(std::string_view name) const {
        if (prefix.empty()) return port.table->open(port.self, name);
        return port.table->open(port.self, std::string{prefix} + std::string{name});
    }
};

/// A provided T& or const T&.
template <class A> struct injector {
    using T = std::remove_cvref_t<A>;
    using held = T*;
    static void check(start_check& c, const subscription_base& s) {
        check_provided(c, s.name(), &type_key<T>, reflect::type_name<T>(),
                       std::is_const_v<std::remove_reference_t<A>>);
    }
    static held make(const slot_setup& s) { return static_cast<T*>(s.provided.get(&type_key<T>, s.thread)); }
    static A get(held& object, slot&) noexcept { return *object; }
};

template <> struct injector<const context&> {
    using held = context;
    static void check(start_check&, const subscription_base&) noexcept {}
    static held make(const slot_setup&) noexcept { return {}; }
    static const context& get(held& c, slot& s) noexcept { return c = context{s}; }
};

template <> struct injector<const headers&> {
    using held = nothing;
    static void check(start_check&, const subscription_base&) noexcept {}
    static held make(const slot_setup&) noexcept { return {}; }
    static const headers& get(held&, slot& s) noexcept {
        return s.now->head != nullptr ? *s.now->head : no_headers;
    }
};

template <> struct injector<stop_token> {
    using held = nothing;
    static void check(start_check&, const subscription_base&) noexcept {}
    static held make(const slot_setup&) noexcept { return {}; }
    static stop_token get(held&, slot& s) noexcept { return stop_token{&s.stop}; }
};

template <broker_context X> struct injector<const X&> {
    using held = std::optional<X>;
    static void check(start_check&, const subscription_base&) noexcept {}
    static held make(const slot_setup&) { return {}; }
    static const X& get(held& h, slot& s) { return h.emplace(X::from(*s.now)); }
};

template <const auto& Topic> struct injector<out<Topic>> {
    using held = void*;
    static void check(start_check&, const subscription_base&) noexcept {}
    static held make(const slot_setup& s) { return s.open(Topic.name); }
    static out<Topic> get(held& destination, slot& s) noexcept { return {s, destination}; }
};

template <class C, class Indices> struct injected_of;
template <class C, std::size_t... I> struct injected_of<C, std::index_sequence<I...>> {
    using type = std::tuple<typename injector<typename C::template extra<I>>::held...>;
    static type make(const slot_setup& s) {
        return type{injector<typename C::template extra<I>>::make(s)...};
    }
    static void check(start_check& c, const subscription_base& s) {
        (injector<typename C::template extra<I>>::check(c, s), ...);
    }
};

}  // namespace weir::detail
