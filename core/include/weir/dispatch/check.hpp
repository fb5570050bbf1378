#pragma once
#include <weir/dispatch/contract.hpp>
#include <weir/options.hpp>

namespace weir {

/// "No broker yet": what a neutral router subscribes on. `include` looks again, at run time.
struct neutral {
    static constexpr unsigned capabilities = ~0u;
};

namespace detail {

/// A broker's own description of a subscription: `pulsar::subscription("orders", "archive").failover()`.
template <class D>
concept descriptor = requires(const D& d) {
    typename D::broker;
    { d.name() } -> std::convertible_to<std::string_view>;
};
template <class W>
concept name_like = std::is_convertible_v<const W&, std::string_view>;

/// What `subscribe` was given first: a name, a topic, or a descriptor.
template <class W> struct target {
    using message = void;
    static constexpr bool known = name_like<W> || descriptor<W>;
    static std::string_view name(const W& where) {
        if constexpr (descriptor<W>) return where.name();
        else return where;
    }
};
template <class T> struct target<topic<T>> {
    using message = T;
    static constexpr bool known = true;
    static std::string_view name(const topic<T>& where) noexcept { return where.name; }
};

template <class... O> consteval bool distinct() {
    constexpr std::size_t n = sizeof...(O);
    if constexpr (n > 1) {
        constexpr option_slot all[] = {O::fills...};
        for (std::size_t i = 0; i != n; ++i)
            for (std::size_t j = i + 1; j != n; ++j)
                if (all[i] == all[j]) return false;
    }
    return true;
}
template <option_slot S, class... O> consteval bool names() { return ((O::fills == S) || ...); }

/// Whether the reply's type is the one of the topic that reply_to names, where it names one.
template <class Reply, class... O> consteval bool reply_fits() {
    [[maybe_unused]] const auto fits = []<class Option>(const Option*) {
        if constexpr (requires { typename Option::message; })
            return std::is_void_v<typename Option::message> ||
                   std::is_same_v<typename Option::message, Reply>;
        else return true;
    };
    return (fits(static_cast<const O*>(nullptr)) && ...);
}
template <class Broker, class A> consteval bool context_fits() {
    if constexpr (broker_context<std::remove_cvref_t<A>>)
        return std::is_same_v<typename std::remove_cvref_t<A>::broker, Broker>;
    else return true;
}

/// True if everything fits; otherwise exactly one static_assert fires and nothing else is instantiated. `No` is always
/// false: a template parameter, because clang spells any other dependent condition out before the sentence.
template <bool No, class Broker, class Where, class F, class... O> consteval bool accepted() {
#define WEIR_SAY(sentence)                \
    static_assert(No, "weir: " sentence); \
    return false
    if constexpr (!target<Where>::known) {
        WEIR_SAY("subscribe takes a name, a topic or a descriptor of this broker first, then the handler");
    } else if constexpr (!(subscribe_option<O> && ...)) {
        WEIR_SAY(
            "after the handler come options such as batch(64), workers(4), retries{...} or reply_to(\"name\")");
    } else if constexpr (!distinct<O...>()) {
        WEIR_SAY("an option is named twice - give each option once");
    } else if constexpr (!one_signature<F>) {
        WEIR_SAY(
            "this handler is generic or overloaded - name the message type, e.g. [](const Order& order) {...}");
    } else if constexpr (std::tuple_size_v<typename signature<F>::arguments> == 0) {
        WEIR_SAY("a handler takes the message as its first parameter");
    } else {
        using C = contract<F>;
        using A = typename C::first;
        using M = typename C::message;
        if constexpr (std::is_pointer_v<std::remove_cvref_t<A>> || std::is_rvalue_reference_v<A> ||
                      (std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>) ||
                      (std::is_lvalue_reference_v<A> &&
                       message_of<std::remove_cvref_t<A>>::form != input::one)) {
            WEIR_SAY(
                "take the message as const T&, T, std::span<const T> or delivery<T> (not T&, T&& or T*)");
        } else if constexpr (!std::is_void_v<typename target<Where>::message> &&
                             !std::is_same_v<typename target<Where>::message, M>) {
            WEIR_SAY("the handler's message type differs from the topic's");
        } else if constexpr (!std::is_default_constructible_v<M>) {
            WEIR_SAY(
                "a message type needs a default constructor: it is made once and decoded into again and again");
        } else if constexpr (![]<std::size_t... I>(std::index_sequence<I...>) {
                                 return (injectable<typename C::template extra<I>> && ...);
                             }(typename C::extra_indices{})) {
            WEIR_SAY(
                "a further parameter is out<topic>, const context&, const headers&, stop_token, or a T& or const T& "
                "given to app.provide(x)");
        } else if constexpr (![]<std::size_t... I>(std::index_sequence<I...>) {
                                 return (context_fits<Broker, typename C::template extra<I>>() && ...);
                             }(typename C::extra_indices{})) {
            WEIR_SAY(
                "this handler takes the context of another broker - subscribe it there, or through "
                "router<that::broker>");
        } else if constexpr (C::manual && C::gives != verdict_form::by_hand) {
            WEIR_SAY(
                "a handler that takes delivery<T> must return settled - settle the delivery on every path");
        } else if constexpr (!C::manual && C::gives == verdict_form::by_hand) {
            WEIR_SAY("only a handler that takes delivery<T> returns settled - return void or an outcome");
        } else if constexpr (C::gives == verdict_form::other) {
            WEIR_SAY(
                "a handler returns void, outcome, settled, a reply, or a task<> of one of them (not a number, bool, "
                "pointer or error code)");
        } else if constexpr (!C::batch && C::gives == verdict_form::each) {
            WEIR_SAY(
                "one outcome for each message is for handlers that take std::span<const T> - return one outcome");
        } else if constexpr (C::batch && C::replies) {
            WEIR_SAY("a batch handler does not reply - publish with out<topic>");
        } else if constexpr (C::is_task && !std::is_function_v<std::remove_pointer_t<F>> &&
                             !std::is_empty_v<F>) {
            WEIR_SAY(
                "a lambda that captures must not return a task - pass what it needs as a parameter and "
                "app.provide(x)");
        } else if constexpr (C::batch && !names<option_slot::batch, O...>()) {
            WEIR_SAY("a batch handler says how many messages it takes at most - add batch(n)");
        } else if constexpr (!C::batch && names<option_slot::batch, O...>()) {
            WEIR_SAY("batch(n) needs a handler that takes std::span<const T>");
        } else if constexpr (C::replies && !names<option_slot::reply, O...>()) {
            WEIR_SAY("the handler returns a reply, but nothing says where it goes - add reply_to(\"name\")");
        } else if constexpr (!C::replies && names<option_slot::reply, O...>()) {
            WEIR_SAY("reply_to(...) needs a handler that returns the reply");
        } else if constexpr (C::replies && !reply_fits<typename C::reply, O...>()) {
            WEIR_SAY("the reply's type differs from the message type of the topic in reply_to");
        } else if constexpr (!C::is_task && names<option_slot::workers, O...>()) {
            WEIR_SAY(
                "workers(n) helps only a handler that suspends - return a task<>, or run the application on more threads");
        } else if constexpr (((O::needs & ~Broker::capabilities) | ... | 0u) != 0) {
            WEIR_SAY(
                "an option asks for what this broker cannot do - remove it, or use a broker that has the capability");
        } else if constexpr (descriptor<Where>) {
            if constexpr (!std::is_same_v<typename Where::broker, Broker>) {
                WEIR_SAY(
                    "this subscription descriptor belongs to another broker - use it there, or through "
                    "router<that::broker>");
            } else return true;
        } else return true;
    }
#undef WEIR_SAY
}

}  // namespace detail
}  // namespace weir
