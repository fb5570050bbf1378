#include "rfc3339.hpp"

namespace weir::detail {
namespace {

/// Two digits, or something above 99.
unsigned two(const char* p) {
    const unsigned tens = static_cast<unsigned char>(p[0]) - unsigned{'0'},
                   ones = static_cast<unsigned char>(p[1]) - unsigned{'0'};
    return tens < 10 && ones < 10 ? tens * 10 + ones : 100;
}

constexpr std::size_t shortest = std::string_view{"2024-05-01T12:34:56Z"}.size();
constexpr std::int64_t seconds_a_day = 86'400;

}  // namespace

bool parse_rfc3339(std::string_view text, std::int64_t& seconds, std::int32_t& nanoseconds) noexcept {
    if (text.size() < shortest) return false;
    const char* p = text.data();
    const char* const end = p + text.size();
    const unsigned century = two(p), year = two(p + 2), month = two(p + 5), day = two(p + 8);
    const unsigned hour = two(p + 11), minute = two(p + 14), second = two(p + 17);
    if (century > 99 || year > 99 || p[4] != '-' || p[7] != '-' || (p[10] | 0x20) != 't' || hour > 23 ||
        p[13] != ':' || minute > 59 || p[16] != ':' || second > 60)
        return false;
    const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(century * 100 + year)},
                                           std::chrono::month{month}, std::chrono::day{day}};
    if (!date.ok()) return false;
    p += 19;

    std::int32_t fraction = 0;
    if (*p == '.') {
        const char* const first = ++p;
        std::int32_t unit = 100'000'000;
        for (; p != end && *p >= '0' && *p <= '9'; ++p, unit /= 10) fraction += (*p - '0') * unit;
        if (p == first || p == end) return false;
    }
    std::int64_t offset = 0;
    if ((*p | 0x20) == 'z') {
        ++p;
    } else {
        if ((*p != '+' && *p != '-') || end - p < 6 || p[3] != ':') return false;
        const unsigned hours = two(p + 1), minutes = two(p + 4);
        if (hours > 23 || minutes > 59) return false;
        offset = static_cast<std::int64_t>(hours * 3600 + minutes * 60) * (*p == '-' ? -1 : 1);
        p += 6;
    }
    if (p != end) return false;
    const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
    seconds = days * seconds_a_day + hour * 3600 + minute * 60 + second - offset;
    // A leap second is the last of a day in UTC.
    if (second == 60 && seconds % seconds_a_day != 0) return false;
    nanoseconds = fraction;
    return true;
}

char* write_rfc3339(char* to, std::int64_t seconds, std::int32_t nanoseconds, int digits) noexcept {
    std::int64_t days = seconds / seconds_a_day, rest = seconds % seconds_a_day;
    if (rest < 0) {
        rest += seconds_a_day;
        --days;
    }
    constexpr std::int64_t first = -719'528, last = 2'932'896;  // 0000-01-01 and 9999-12-31
    if (days < first || days > last) return nullptr;
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
    const auto two_digits = [&to](unsigned n, char behind) {
        to[0] = static_cast<char>('0' + n / 10);
        to[1] = static_cast<char>('0' + n % 10);
        to[2] = behind;
        to += 3;
    };
    const auto year = static_cast<unsigned>(static_cast<int>(date.year())),
               of_day = static_cast<unsigned>(rest);
    two_digits(year / 100, ' ');
    --to;
    two_digits(year % 100, '-');
    two_digits(static_cast<unsigned>(date.month()), '-');
    two_digits(static_cast<unsigned>(date.day()), 'T');
    two_digits(of_day / 3600, ':');
    two_digits(of_day / 60 % 60, ':');
    two_digits(of_day % 60, '.');
    if (digits == 0) --to;
    for (std::int32_t unit = 100'000'000; digits > 0; --digits, unit /= 10)
        *to++ = static_cast<char>('0' + nanoseconds / unit % 10);
    *to++ = 'Z';
    return to;
}

std::string rfc3339(std::chrono::system_clock::time_point t) {
    using namespace std::chrono;
    const auto since = t.time_since_epoch();
    const auto whole = floor<seconds>(since);
    const auto rest = static_cast<std::int32_t>(nanoseconds{since - whole}.count());
    char text[rfc3339_room];
    const char* const end = write_rfc3339(text, whole.count(), rest, 3);
    return end != nullptr ? std::string(text, static_cast<std::size_t>(end - text)) : std::string{};
}

}  // namespace weir::detail
