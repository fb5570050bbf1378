#pragma once
#include <weir/context.hpp>
#include <weir/delivery.hpp>
#include <weir/out.hpp>
#include <weir/result.hpp>

#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace weir::detail {

// ---------------------------------------------------------------- signatures
template <class F> struct signature : signature<decltype(&F::operator())> {};
template <class R, class... A> struct signature<R (*)(A...)> {
    using returned = R;
    using arguments = std::tuple<A...>;
};
template <class R, class... A> struct signature<R (*)(A...) noexcept> : signature<R (*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...)> : signature<R (*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) const> : signature<R (*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) noexcept> : signature<R (*)(A...)> {};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) const noexcept> : signature<R (*)(A...)> {};

template <class F>
concept one_signature = std::is_function_v<std::remove_pointer_t<F>> || requires { &F::operator(); };

// ---------------------------------------------------------------- the first parameter
enum class input : unsigned char { one, batch, manual };

template <class A> struct message_of {
    using type = std::remove_cvref_t<A>;
    static constexpr input form = input::one;
};
template <class T> struct message_of<std::span<const T>> {
    using type = T;
    static constexpr input form = input::batch;
};
template <class T> struct message_of<delivery<T>> {
    using type = T;
    static constexpr input form = input::manual;
};

// ---------------------------------------------------------------- the result
template <class R> struct unwrapped {
    using type = R;
    static constexpr bool is_task = false;
};
template <class R> struct unwrapped<task<R>> {
    using type = R;
    static constexpr bool is_task = true;
};

enum class verdict_form : unsigned char { nothing, outcome, each, by_hand, reply, reply_or_outcome, other };

template <class V> struct result_of {
    static constexpr verdict_form form = std::is_void_v<V>                         ? verdict_form::nothing
                                         : std::is_same_v<V, outcome>              ? verdict_form::outcome
                                         : std::is_same_v<V, std::vector<outcome>> ? verdict_form::each
                                         : std::is_same_v<V, settled>              ? verdict_form::by_hand
                                         : std::is_class_v<V> && !std::is_same_v<V, std::error_code> &&
                                                 !std::is_same_v<V, error> && !std::is_same_v<V, outcome_word>
                                             ? verdict_form::reply
                                             : verdict_form::other;
    using reply = V;
};
template <class R> struct result_of<result<R, outcome>> {
    static constexpr verdict_form form = verdict_form::reply_or_outcome;
    using reply = R;
};

// ---------------------------------------------------------------- further parameters
template <class A> struct is_out : std::false_type {};
template <const auto& Topic> struct is_out<out<Topic>> : std::true_type {};

/// A context type of a broker: made from a record, also from one without its native part.
template <class A>
concept broker_context = requires(const record& r) {
    typename A::broker;
    { A::from(r) } -> std::same_as<A>;
};

/// out<topic>, stop_token, a context, headers, or something provided (any T& or const T&); nothing else can be
/// injected.
template <class A>
concept injectable = is_out<A>::value || std::is_same_v<A, stop_token> ||
                     (std::is_lvalue_reference_v<A> && std::is_class_v<std::remove_cvref_t<A>> &&
                      (std::is_const_v<std::remove_reference_t<A>> ||
                       (!broker_context<std::remove_cvref_t<A>> && !std::is_same_v<A, context&> &&
                        !std::is_same_v<A, headers&>)));

/// A handler taken apart.
template <class F> struct contract {
    using arguments = typename signature<F>::arguments;
    using first = std::tuple_element_t<0, arguments>;
    using message = typename message_of<std::remove_cv_t<first>>::type;
    using returned = typename signature<F>::returned;
    using value = typename unwrapped<returned>::type;
    using reply = typename result_of<value>::reply;

    static constexpr input takes = message_of<std::remove_cv_t<first>>::form;
    static constexpr verdict_form gives = result_of<value>::form;
    static constexpr bool is_task = unwrapped<returned>::is_task;
    static constexpr bool batch = takes == input::batch;
    static constexpr bool manual = takes == input::manual;
    static constexpr bool raw = std::is_same_v<message, bytes>;
    static constexpr bool by_value = takes == input::one && !std::is_reference_v<first>;
    static constexpr bool replies = gives == verdict_form::reply || gives == verdict_form::reply_or_outcome;

    static constexpr std::size_t extras = std::tuple_size_v<arguments> - 1;
    using extra_indices = std::make_index_sequence<extras>;
    template <std::size_t I> using extra = std::tuple_element_t<I + 1, arguments>;
    template <template <class> class Property>
    static constexpr bool any_extra = []<std::size_t... I>(std::index_sequence<I...>) {
        return (Property<extra<I>>::value || ...);
    }(extra_indices{});
    static constexpr bool publishes = replies || any_extra<is_out>;
};

}  // namespace weir::detail
