#pragma once
#include "weir/json/category.hpp"
#include "weir/json/reader.hpp"

#include <limits>

namespace weir::json::detail {

template <class T> const char* read_integer(reader_base& in, const char* p, T& out) {
    if constexpr (std::is_signed_v<T>) {
        std::int64_t value;
        p = in.integer(p, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), value);
        if (p != nullptr) out = static_cast<T>(value);
    } else {
        std::uint64_t value;
        p = in.integer(p, std::numeric_limits<T>::max(), value);
        if (p != nullptr) out = static_cast<T>(value);
    }
    return p;
}

/// Digit by digit: fewer instructions than eight at once, up to about nine digits. What may follow a number
/// is the caller's business, so 1.5 for an integer is refused there.
template <class T>
[[gnu::always_inline]] inline const char* read_integer_inline(reader_base& in, const char* p, T& out) {
    const char* const first = p;
    std::uint64_t value = static_cast<std::uint64_t>(static_cast<unsigned char>(*p)) - '0';
    if (value - 1 > 8) [[unlikely]]  // a zero is rare and must stand alone
        return read_integer(in, p, out);
    for (std::uint64_t digit;
         (digit = static_cast<std::uint64_t>(static_cast<unsigned char>(*++p)) - '0') < 10;)
        value = value * 10 + digit;
    // Nineteen digits fit; a longer run may have wrapped around.
    if (p - first > 19 || value > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) [[unlikely]]
        return read_integer(in, first, out);
    out = static_cast<T>(value);
    return p;
}

template <class Kernel, class E> const char* read_enumeration(reader<Kernel>& in, const char* p, E& out) {
    if constexpr (as_number<E>) {
        std::underlying_type_t<E> number;
        p = read_integer(in, p, number);
        if (p != nullptr) out = static_cast<E>(number);
        return p;
    } else {
        std::string_view name;
        const char* const after = in.string(p, name);
        if (after == nullptr) return nullptr;
        for (const auto& e : reflect::enumerators<E>)
            if (e.name == name) {
                out = e.value;
                return after;
            }
        return in.fail(reason::unknown_enumerator, reader_base::skip_space(p));
    }
}

/// Digits behind the point are cut to what the type can hold, towards the past.
template <class Kernel, class Duration>
const char* read_time(reader<Kernel>& in, const char* p, std::chrono::sys_time<Duration>& out) {
    using rep = typename Duration::rep;
    using period = typename Duration::period;
    static_assert(std::is_integral_v<rep> &&
                      (period::den == 1 || (period::num == 1 && 1'000'000'000 % period::den == 0)),
                  "weir: a time in a message counts whole units of a decimal fraction of a second, or of "
                  "whole seconds - use "
                  "std::chrono::sys_time<std::chrono::milliseconds> or the like");
    std::string_view text;
    const char* const after = in.string(p, text);
    if (after == nullptr) return nullptr;
    std::int64_t seconds, ticks;
    std::int32_t nanoseconds;
    p = reader_base::skip_space(p);
    if (in.time(p, text, seconds, nanoseconds) == nullptr) return nullptr;
    if constexpr (period::den == 1) {
        ticks = seconds / period::num - (seconds % period::num < 0 ? 1 : 0);
    } else if (__builtin_mul_overflow(seconds, std::int64_t{period::den}, &ticks) ||
               __builtin_add_overflow(ticks, nanoseconds / (1'000'000'000 / period::den), &ticks)) {
        return in.fail(reason::out_of_range, p);
    }
    if (ticks > std::numeric_limits<rep>::max() || ticks < std::numeric_limits<rep>::min())
        return in.fail(reason::out_of_range, p);
    out = std::chrono::sys_time<Duration>{Duration{static_cast<rep>(ticks)}};
    return after;
}

}  // namespace weir::json::detail
