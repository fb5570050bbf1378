#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::detail {

/// "2024-05-01T12:34:56.789+02:00" into the seconds since 1970 and the nanoseconds behind them (0 to
/// 999,999,999); digits beyond those are cut. T and Z may be small letters. A leap second is the first of the
/// next minute. False when the text is anything else.
bool parse_rfc3339(std::string_view text, std::int64_t& seconds, std::int32_t& nanoseconds) noexcept;

/// The longest text that `write_rfc3339` writes.
inline constexpr std::size_t rfc3339_room = 32;
/// The same backwards, in UTC, with exactly `digits` digits (0 to 9) behind the point. The end of the text,
/// or nullptr for a year before 0 or after 9999.
char* write_rfc3339(char* to, std::int64_t seconds, std::int32_t nanoseconds, int digits) noexcept;
/// With milliseconds, as log lines and headers have it; empty for a year before 0 or after 9999.
std::string rfc3339(std::chrono::system_clock::time_point t);

}  // namespace weir::detail
