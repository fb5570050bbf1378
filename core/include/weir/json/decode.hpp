#pragma once
#include "weir/error.hpp"
#include "weir/json/read_object.hpp"

// JSON (RFC 8259, strict) into C++ values, in place.
//
// | C++                              | JSON                                                        |
// | -------------------------------- | ----------------------------------------------------------- |
// | plain struct, type with fields() | object                                                      |
// | bool, integers, float, double    | true, number; an integer takes no fraction, no exponent     |
// | std::string, std::string_view    | string; views point into the document or the scratch        |
// | enumeration                      | name of the enumerator; its number with `as_number`         |
// | std::chrono::duration            | how many of the duration's own unit                         |
// | std::chrono::sys_time            | date and time of RFC 3339; digits too fine are cut          |
// | std::optional, std::unique_ptr   | null or absent when empty                                   |
// | std::vector; std::array, C array | array; with exactly as many elements                        |
// | std::pair, std::tuple            | array with exactly these elements                           |
// | std::map, std::unordered_map     | object; keys are strings, integers or enumerators           |
// | std::variant                     | the only alternative of that kind, else the first that fits |

namespace weir::json {

inline constexpr options default_options{};

/// The same with a chosen kernel; for tests and measurements.
template <class Kernel, class T>
bool decode_with(const char* data, std::size_t size, T& out, scratch& text, decode_failure& failure,
                 const options& rules = default_options) {
    reader<Kernel> in{data, size, text, failure, rules};
    const char* const p = detail::read(in, data, out);
    if (p != nullptr && (p == in.end() || in.finish(p))) [[likely]]
        return true;
    detail::reset(out);
    return false;
}

/// Reads the document `data` of `size` bytes into `out`, of which nothing of an earlier message remains
/// whether it works or not; strings and lists keep their room. `block::tail` readable zero bytes stand behind
/// the document, as they do in every payload block; nothing is written to it. `std::string_view`s in `out`
/// live as long as `data` and until the next `text.clear()`. On false, `failure` says why and `out` is empty.
/// Throws only what allocation throws.
template <class T>
bool decode(const char* data, std::size_t size, T& out, scratch& text, decode_failure& failure) {
    return decode_with<default_kernel>(data, size, out, text, failure, default_options);
}
template <class T>
bool decode(const char* data, std::size_t size, T& out, scratch& text, decode_failure& failure,
            const options& rules) {
    return decode_with<default_kernel>(data, size, out, text, failure, rules);
}

namespace detail {
/// A copy of a text with the zeros behind it.
std::string padded(std::string_view text);
[[noreturn]] void throw_undecodable(const decode_failure& failure);
}  // namespace detail

/// The value of a text, for programs that are in no hurry. Throws weir::error with errc::undecodable and a
/// sentence.
template <class T> T parse(std::string_view text, const options& rules = {}) {
    static_assert(!detail::holds_views<T>(),
                  "weir: parse() cannot return std::string_view members, the text they would point "
                  "into ends with the call - use std::string, or decode()");
    const std::string document = detail::padded(text);
    T value{};
    scratch unescaped;
    decode_failure failure;
    if (!decode(document.data(), text.size(), value, unescaped, failure, rules))
        detail::throw_undecodable(failure);
    return value;
}

}  // namespace weir::json
