#pragma once
#include "weir/json/kernel.hpp"
#include "weir/payload/output.hpp"

#include <cstdint>
#include <string>

namespace weir::json {

/// One value while it is encoded. All functions that can fail return false after they have said why; the path
/// of the member is put together on the way out.
class writer_base {
public:
    explicit writer_base(output& to) noexcept : to_(&to) {}
    writer_base(const writer_base&) = delete;

    output& to() noexcept { return *to_; }

    static constexpr std::size_t number_room = 32;  ///< the longest number
    // The end of the text; for doubles and floats nullptr when they are no finite number. The text is the
    // shortest that is read as the same number.
    static char* number(char* at, std::uint64_t value) noexcept;
    static char* number(char* at, std::int64_t value) noexcept;
    static char* number(char* at, double value) noexcept;
    static char* number(char* at, float value) noexcept;
    /// Quoted. Seconds since 1970 and the nanoseconds behind them, of which `digits` digits are written.
    bool time(std::int64_t seconds, std::int32_t nanoseconds, int digits);

    bool fail(const char* why);
    bool within(std::string_view member);
    bool within(std::size_t element);
    [[noreturn]] void throw_failure() const;

private:
    output* to_;
    const char* why_ = nullptr;
    std::string path_;
};

template <class Kernel> class writer : public writer_base {
public:
    using writer_base::writer_base;
    /// Quoted and escaped; fails for text that is not UTF-8.
    bool string(std::string_view text);

private:
    bool string_slow(std::string_view text);
};

extern template class writer<portable_kernel>;
#if defined(__SSE2__)
extern template class writer<sse2_kernel>;
#endif

}  // namespace weir::json
