#pragma once
#include "weir/error.hpp"
#include "weir/json/write.hpp"

// C++ values into JSON, in the forms that decode.hpp lists. Members stand in their order without spaces; an
// empty optional is written as null. Times are written in UTC with as many digits as their type has.

namespace weir::json {

/// The same with a chosen kernel; for tests and measurements.
template <class Kernel, class T> void encode_with(output& to, const T& value) {
    writer<Kernel> out{to};
    if (!detail::write(out, value)) [[unlikely]]
        out.throw_failure();
}

/// Appends the document to `to`. Throws weir::error with errc::unencodable and a sentence that names the
/// member for what JSON cannot carry: NaN and infinities, text that is not UTF-8, an enumerator without a
/// name, a year beyond 9999, a variant without a value. What `to` holds after that is unspecified.
template <class T> void encode(output& to, const T& value) { encode_with<default_kernel>(to, value); }

template <class T> std::string to_string(const T& value) {
    output to;
    encode(to, value);
    return std::string{to.text()};
}

}  // namespace weir::json
