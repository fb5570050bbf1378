#pragma once
#include <charconv>
#include <chrono>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace weir {

enum class log_level : unsigned char { debug, info, warning, error, off };
std::string_view to_string(log_level) noexcept;

/// One name and value of a log record. Numbers are written into the field itself, text is viewed.
class log_field {
public:
    log_field(std::string_view name, std::string_view value) noexcept : name_(name), text_(value) {}
    log_field(std::string_view name, const std::string& value) noexcept : name_(name), text_(value) {}
    log_field(std::string_view name, const char* value) noexcept : name_(name), text_(value) {}
    template <class Number>
        requires(std::is_arithmetic_v<Number>)
    log_field(std::string_view name, Number value) noexcept : name_(name) {
        if constexpr (std::is_same_v<Number, bool>) text_ = value ? "true" : "false";
        else
            digits_ = static_cast<unsigned char>(std::to_chars(number_, number_ + sizeof number_, value).ptr -
                                                 number_);
    }
    std::string_view name() const noexcept { return name_; }
    std::string_view value() const noexcept {
        return digits_ != 0 ? std::string_view{number_, digits_} : text_;
    }

private:
    std::string_view name_, text_;
    char number_[30];
    unsigned char digits_ = 0;
};

/// What a sink gets. The views live for the call.
struct log_record {
    log_level level;
    std::chrono::system_clock::time_point time;
    std::string_view text;  ///< one sentence
    std::span<const log_field> fields;
};

/// Where the framework's log lines go. `write` may be called by several threads at once and must not throw.
class log_sink {
public:
    virtual ~log_sink() = default;
    virtual void write(const log_record&) noexcept = 0;
};

/// One line a record on standard error: time, level, text, name=value. What the application uses unless told
/// otherwise.
log_sink& standard_error_log() noexcept;
/// "2026-01-31T12:00:00.123Z warning text name=value", without a line end. For sinks of one's own.
std::string format_line(const log_record&);

/// A sink and the level below which nothing is said. Cheap to copy; the sink must outlive it.
class logger {
public:
    logger() noexcept : sink_(&standard_error_log()) {}
    logger(log_sink& sink, log_level from) noexcept : sink_(&sink), from_(from) {}
    bool enabled(log_level level) const noexcept { return level >= from_ && from_ != log_level::off; }
    void write(log_level level, std::string_view text,
               std::initializer_list<log_field> fields = {}) const noexcept;
    void debug(std::string_view text, std::initializer_list<log_field> f = {}) const noexcept {
        write(log_level::debug, text, f);
    }
    void info(std::string_view text, std::initializer_list<log_field> f = {}) const noexcept {
        write(log_level::info, text, f);
    }
    void warning(std::string_view text, std::initializer_list<log_field> f = {}) const noexcept {
        write(log_level::warning, text, f);
    }
    void error(std::string_view text, std::initializer_list<log_field> f = {}) const noexcept {
        write(log_level::error, text, f);
    }

private:
    log_sink* sink_;
    log_level from_ = log_level::info;
};

}  // namespace weir
