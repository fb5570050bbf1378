#pragma once
#include <weir/error.hpp>
#include <weir/runtime/when_all.hpp>

#include <optional>

namespace weir {

/// Who was first, and with what. For tasks of several types `value` is a variant whose index is `index`.
template <class T> struct any_result {
    std::size_t index;
    T value;
};

namespace detail {

template <class... T> using any_value = std::variant<joined_value<T>...>;

template <class... T, std::size_t... I>
any_result<any_value<T...>> take_any_joined(std::tuple<task<T>...>& tasks, std::size_t which,
                                            std::index_sequence<I...>) {
    std::optional<any_value<T...>> value;
    static_cast<void>(
        ((I == which ? (value.emplace(std::in_place_index<I>, take_joined(std::get<I>(tasks))), true)
                     : false) ||
         ...));
    return any_result<any_value<T...>>{which, std::move(*value)};
}

template <class... T> task<any_result<any_value<T...>>> any_of(std::tuple<task<T>...> given) {
    const stop_token outer = co_await this_task::stop_token();
    std::array<join_leg, sizeof...(T)> legs;
    join j(outer, sizeof...(T), true);
    std::tuple<task<T>...> tasks(std::move(given));
    start_joined(j, tasks, legs, std::index_sequence_for<T...>{});
    co_await j.all_ended();
    co_return take_any_joined(tasks, j.first(), std::index_sequence_for<T...>{});
}

[[noreturn]] void throw_any_of_none();

template <class T> task<any_result<joined_value<T>>> any_of(std::vector<task<T>> given) {
    if (given.empty()) throw_any_of_none();
    const stop_token outer = co_await this_task::stop_token();
    std::vector<join_leg> legs(given.size());
    join j(outer, given.size(), true);
    std::vector<task<T>> tasks(std::move(given));
    for (std::size_t i = 0; i < tasks.size(); ++i) j.start(tasks[i], legs[i], i);
    co_await j.all_ended();
    any_result<joined_value<T>> result{j.first(), take_joined(tasks[j.first()])};
    co_return result;
}

}  // namespace detail

/// Runs the tasks side by side and returns the result of the one that ends first (or throws its exception). The others
/// are stopped, and waited for: when this returns, none of them is left, and what they threw is dropped. A task that
/// does not wait, or catches its stop, delays the answer.
template <class... T>
    requires(sizeof...(T) != 0)
task<any_result<detail::any_value<T...>>> when_any(task<T>... tasks) {
    return detail::any_of(std::tuple<task<T>...>(std::move(tasks)...));
}
/// The same for any number of tasks of one type; throws `errc::misuse` for none.
template <class T> task<any_result<detail::joined_value<T>>> when_any(std::vector<task<T>> tasks) {
    return detail::any_of(std::move(tasks));
}

}  // namespace weir
