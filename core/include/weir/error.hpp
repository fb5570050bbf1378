#pragma once
#include <stdexcept>
#include <string>
#include <system_error>

namespace weir {

/// What went wrong, in the terms of the framework. Every component that has errors of its own adds a category beside
/// this one.
enum class errc {
    closed = 1,      ///< the connection, broker or application behind the handle has been shut down
    not_started,     ///< the application has not been started yet, so there is no connection to publish on
    queue_full,      ///< a bounded queue had no room, and waiting would never have made any
    timed_out,       ///< the deadline passed first; the operation may still have had its effect
    cancelled,       ///< a stop was requested while the operation waited
    too_large,       ///< the message is larger than the broker, or the format, can carry
    invalid_name,    ///< a topic or subscription name that the broker cannot have
    not_supported,   ///< the broker lacks the capability
    unencodable,     ///< a value that the codec cannot write, such as NaN in JSON
    undecodable,     ///< bytes that are not what the handler's message type says
    failed_fast,     ///< the application stopped itself because a failure policy said so
    already_waited,  ///< a second waiter where there can be only one
    misuse,          ///< the program broke a rule of the interface; the text says which
};

const std::error_category& error_category() noexcept;
inline std::error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), error_category()}; }

/// The exception of the framework: a code to branch on, and a text that names the subscription, the destination and
/// the cause.
class error : public std::runtime_error {
public:
    error(std::error_code code, const std::string& text) : std::runtime_error(text), code_(code) {}
    error(errc code, const std::string& text) : error(make_error_code(code), text) {}
    explicit error(std::error_code code) : error(code, code.message()) {}
    const std::error_code& code() const noexcept { return code_; }

private:
    std::error_code code_;
};

}  // namespace weir

template <> struct std::is_error_code_enum<weir::errc> : std::true_type {};
