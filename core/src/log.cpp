#include "rfc3339.hpp"

#include <weir/log.hpp>

#include <cerrno>

#include <unistd.h>

namespace weir {
namespace {

/// Values with blanks, quotes or control characters are quoted, so that a line stays one line and can be taken apart.
void append_value(std::string& line, std::string_view value) {
    bool plain = !value.empty();
    for (const char c : value)
        if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\\' || c == '=' || c == '\x7f')
            plain = false;
    if (plain) {
        line += value;
        return;
    }
    static constexpr char hex[] = "0123456789abcdef";
    line += '"';
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') (line += '\\') += c;
        else if (byte < ' ' || byte == 0x7f) ((line += "\\x") += hex[byte >> 4]) += hex[byte & 15];
        else line += c;
    }
    line += '"';
}

class standard_error_sink final : public log_sink {
public:
    void write(const log_record& record) noexcept override {
        try {
            std::string line = format_line(record);
            line += '\n';
            // One write a line: lines of several threads do not mix, and a signal does not cut one.
            std::string_view rest = line;
            while (!rest.empty()) {
                const ssize_t n = ::write(STDERR_FILENO, rest.data(), rest.size());
                if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
                else if (n < 0 && errno != EINTR) return;  // nowhere left to complain
            }
        } catch (const std::bad_alloc&) {
            return;
        }  // a log line is the first thing to do without
    }
};

}  // namespace

std::string_view to_string(log_level level) noexcept {
    switch (level) {
    case log_level::debug: return "debug";
    case log_level::info: return "info";
    case log_level::warning: return "warning";
    case log_level::error: return "error";
    case log_level::off: return "off";
    }
    return "?";
}

std::string format_line(const log_record& record) {
    std::string line = detail::rfc3339(record.time);
    line += ' ';
    line += to_string(record.level);
    line += ' ';
    for (const char c : record.text) line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    for (const log_field& f : record.fields) {
        line += ' ';
        line += f.name();
        line += '=';
        append_value(line, f.value());
    }
    return line;
}

log_sink& standard_error_log() noexcept {
    static standard_error_sink sink;
    return sink;
}

void logger::write(log_level level, std::string_view text,
                   std::initializer_list<log_field> fields) const noexcept {
    if (!enabled(level)) return;
    sink_->write({level, std::chrono::system_clock::now(), text, {fields.begin(), fields.size()}});
}

}  // namespace weir
