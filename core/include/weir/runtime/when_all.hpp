#pragma once
#include <weir/runtime/join.hpp>
#include <weir/runtime/task.hpp>
#include <weir/runtime/this_task.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace weir {

namespace detail {

/// What stands for a task's result in a tuple: `void` has no value.
template <class T> using joined_value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class T> joined_value<T> take_joined(task<T>& t) {
    if constexpr (std::is_void_v<T>) {
        t.take();
        return {};
    } else {
        return t.take();
    }
}

template <class... T, std::size_t... I>
void start_joined(join& j, std::tuple<task<T>...>& tasks, std::array<join_leg, sizeof...(T)>& legs,
                  std::index_sequence<I...>) {
    (j.start(std::get<I>(tasks), legs[I], I), ...);
}

template <class... T, std::size_t... I>
std::exception_ptr joined_failure(const std::tuple<task<T>...>& tasks, std::size_t which,
                                  std::index_sequence<I...>) {
    std::exception_ptr why;
    static_cast<void>(((I == which ? (why = std::get<I>(tasks).failure(), true) : false) || ...));
    return why;
}

template <class... T> std::tuple<joined_value<T>...> take_all_joined(std::tuple<task<T>...>& tasks) {
    return std::apply(
        [](task<T>&... each) {
            // Braces: the order of evaluation is that of the tasks.
            return std::tuple<joined_value<T>...>{take_joined(each)...};
        },
        tasks);
}

template <class... T> task<std::tuple<joined_value<T>...>> all_of(std::tuple<task<T>...> given) {
    const stop_token outer = co_await this_task::stop_token();
    std::array<join_leg, sizeof...(T)> legs;
    join j(outer, sizeof...(T), false);
    std::tuple<task<T>...> tasks(std::move(given));  // destroyed before what they refer to
    start_joined(j, tasks, legs, std::index_sequence_for<T...>{});
    co_await j.all_ended();
    if (j.first() != join::none) {
        std::rethrow_exception(joined_failure(tasks, j.first(), std::index_sequence_for<T...>{}));
    }
    co_return take_all_joined(tasks);
}

template <class T> task<std::vector<T>> all_of(std::vector<task<T>> given) {
    const stop_token outer = co_await this_task::stop_token();
    std::vector<join_leg> legs(given.size());
    join j(outer, given.size(), false);
    std::vector<task<T>> tasks(std::move(given));
    for (std::size_t i = 0; i < tasks.size(); ++i) j.start(tasks[i], legs[i], i);
    co_await j.all_ended();
    if (j.first() != join::none) std::rethrow_exception(tasks[j.first()].failure());
    std::vector<T> results;
    results.reserve(tasks.size());
    for (task<T>& t : tasks) results.push_back(t.take());
    co_return results;
}

task<void> all_of(std::vector<task<void>> tasks);

}  // namespace detail

/// Runs the tasks side by side on this loop and returns their results in a tuple (`std::monostate` for `void`). If one
/// fails the others are stopped; when all have ended the first exception is thrown. A stop of the caller reaches all.
template <class... T> task<std::tuple<detail::joined_value<T>...>> when_all(task<T>... tasks) {
    return detail::all_of(std::tuple<task<T>...>(std::move(tasks)...));
}
template <class T> task<std::vector<T>> when_all(std::vector<task<T>> tasks) {
    return detail::all_of(std::move(tasks));
}
inline task<void> when_all(std::vector<task<void>> tasks) { return detail::all_of(std::move(tasks)); }

}  // namespace weir
