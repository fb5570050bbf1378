#pragma once
#include <weir/error.hpp>

#include <exception>
#include <utility>
#include <variant>

namespace weir {

/// A value, or what came instead. A handler that returns `result<Reply, outcome>` either replies or says how its input is
/// settled.
template <class T, class E = error> class [[nodiscard]] result {
public:
    using value_type = T;
    using error_type = E;
    result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
    result(E e) : held_(std::in_place_index<1>, std::move(e)) {}
    /// From anything that converts to the error, such as the words `weir::retry` and `weir::discard`.
    template <class U>
        requires(std::is_convertible_v<U, E> && !std::is_convertible_v<U, T> && !std::is_same_v<U, E>)
    result(U&& e) : held_(std::in_place_index<1>, static_cast<E>(std::forward<U>(e))) {}

    bool has_value() const noexcept { return held_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }
    /// Undefined unless there is a value.
    T& operator*() & noexcept { return *std::get_if<0>(&held_); }
    T&& operator*() && noexcept { return std::move(*std::get_if<0>(&held_)); }
    const T& operator*() const& noexcept { return *std::get_if<0>(&held_); }
    T* operator->() noexcept { return std::get_if<0>(&held_); }
    const T* operator->() const noexcept { return std::get_if<0>(&held_); }
    /// Undefined if there is a value.
    E& error() & noexcept { return *std::get_if<1>(&held_); }
    E&& error() && noexcept { return std::move(*std::get_if<1>(&held_)); }
    const E& error() const& noexcept { return *std::get_if<1>(&held_); }
    /// The value; throws the error where there is none.
    T& value() & {
        if (!has_value()) throw std::as_const(*this).error();
        return **this;
    }
    T&& value() && {
        if (!has_value()) throw std::as_const(*this).error();
        return *std::move(*this);
    }

private:
    std::variant<T, E> held_;
};

}  // namespace weir
