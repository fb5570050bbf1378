#include "weir/json/reader.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace weir::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A number taken apart by the grammar.
struct parts {
    std::uint64_t digits = 0;  // of the integer and the fraction; wrapped around when there are more than 19
    std::ptrdiff_t whole = 0, fraction = 0;  // how many
    std::int64_t exponent = 0;               // what stands behind the e, cut to about a million
    const char* end = nullptr;               // nullptr: this is no number, and that is why
    const char* bad = nullptr;
};

[[gnu::noinline]] parts take_apart(const char* p) {
    parts n;
    const auto run = [&n, &p] {
        const char* const first = p;
        for (; is_digit(*p); ++p) n.digits = n.digits * 10 + static_cast<unsigned>(*p - '0');
        return p - first;
    };
    const char* const first = p;
    n.whole = run();
    if (n.whole == 0 || (*first == '0' && n.whole > 1)) {
        n.bad = n.whole == 0 ? p : first;
        return n;
    }
    if (*p == '.') {
        ++p;
        n.fraction = run();
        if (n.fraction == 0) {
            n.bad = p;
            return n;
        }
    }
    if (*p == 'e' || *p == 'E') {
        ++p;
        const bool negative = *p == '-';
        if (*p == '-' || *p == '+') ++p;
        if (!is_digit(*p)) {
            n.bad = p;
            return n;
        }
        for (; is_digit(*p); ++p)
            if (n.exponent < 1'000'000) n.exponent = n.exponent * 10 + (*p - '0');
        if (negative) n.exponent = -n.exponent;
    }
    n.end = p;
    return n;
}

/// Where the first digit that counts stands: 0 for 1 to 9.99, -1 for 0.1.
std::int64_t magnitude(const char* p, const parts& n) {
    std::int64_t at = n.whole - 1;
    for (;; ++p) {
        if (*p == '.') continue;
        if (!is_digit(*p)) return std::numeric_limits<std::int64_t>::min();  // nothing but zeros
        if (*p != '0') return at + n.exponent;
        --at;
    }
}

// Clinger's exact case: both the digits and the power of ten are floating-point numbers, so one rounding
// remains.
template <class F> struct exact_case;
template <> struct exact_case<double> {
    static constexpr std::uint64_t most = std::uint64_t{1} << 53;
    static constexpr std::int64_t powers = 22;
    static constexpr double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
};
template <> struct exact_case<float> {
    static constexpr std::uint64_t most = std::uint64_t{1} << 24;
    static constexpr std::int64_t powers = 10;
    static constexpr float power[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
};

/// False when the number is too large for F. Too small ones are zero.
template <class F>
[[gnu::noinline]] bool convert(const char* first, const char* p, const parts& n, F& value) {
    const auto [end, error] = std::from_chars(first, n.end, value);
    if (error == std::errc{} && std::isfinite(value)) return true;
    if (magnitude(p, n) > 0) return false;
    value = *first == '-' ? -F{0} : F{0};
    return true;
}

}  // namespace

const char* reader_base::integer(const char* p, std::uint64_t most, std::uint64_t& value) {
    if (static_cast<unsigned char>(*p) <= ' ') p = skip_space(p);
    const char* const first = p;
    if (*p == '-') ++p;
    if (!is_digit(*p)) [[unlikely]]
        return p != first ? fail(reason::invalid_number, p) : wrong(p, kind::number);
    if (*p == '0' && is_digit(p[1])) return fail(reason::invalid_number, p);
    const char* const digits = p;
    std::uint64_t n = 0;
    for (; is_digit(*p); ++p) n = n * 10 + static_cast<unsigned>(*p - '0');
    // Nineteen digits always fit, and a twentieth fits as long as the sum has not wrapped around.
    const bool fits =
        p - digits <= 19 || (p - digits == 20 && *digits == '1' && n >= 10'000'000'000'000'000'000u);
    if (*p == '.' || *p == 'e' || *p == 'E') return fail(reason::not_whole, p);
    if (!fits || n > most || (*first == '-' && n != 0)) return fail(reason::out_of_range, first);
    value = n;
    return p;
}

const char* reader_base::integer(const char* p, std::int64_t least, std::int64_t most, std::int64_t& value) {
    p = skip_space(p);
    const bool negative = *p == '-';
    // A minus sign is read here, a second one is none of a number.
    if (negative && !is_digit(p[1])) return fail(reason::invalid_number, p + 1);
    std::uint64_t n;
    const auto limit =
        negative ? std::uint64_t{0} - static_cast<std::uint64_t>(least) : static_cast<std::uint64_t>(most);
    const char* const after = integer(p + (negative ? 1 : 0), limit, n);
    if (after != nullptr) value = static_cast<std::int64_t>(negative ? std::uint64_t{0} - n : n);
    return after;
}

namespace {
template <class F, class Wrong, class Fail>
const char* read_number(const char* p, F& value, Wrong&& wrong, Fail&& fail) {
    const char* const first = p;
    const bool negative = *p == '-';
    if (negative) ++p;
    if (!is_digit(*p)) [[unlikely]]
        return negative ? fail(reason::invalid_number, p) : wrong(p);

    // Nearly all numbers: some digits, perhaps a point and some more.
    using exact = exact_case<F>;
    const char* q = p;
    std::uint64_t digits = 0;
    for (std::uint64_t digit; (digit = static_cast<std::uint64_t>(static_cast<unsigned char>(*q)) - '0') < 10;
         ++q)
        digits = digits * 10 + digit;
    const char* const point = q;
    if (*q == '.')
        for (std::uint64_t digit;
             (digit = static_cast<std::uint64_t>(static_cast<unsigned char>(*++q)) - '0') < 10;)
            digits = digits * 10 + digit;
    const std::ptrdiff_t fraction = q == point ? 0 : q - point - 1;
    if (q - p <= 19 && digits <= exact::most && fraction <= exact::powers && (fraction != 0 || q == point) &&
        (*q | 0x20) != 'e' && (*p != '0' || point - p == 1)) [[likely]] {
        const F size = static_cast<F>(digits) / exact::power[fraction];
        value = negative ? -size : size;
        return q;
    }

    const parts n = take_apart(p);
    if (n.end == nullptr) [[unlikely]]
        return fail(reason::invalid_number, n.bad);
    const std::int64_t power = n.exponent - n.fraction;
    if (n.whole + n.fraction <= 19 && n.digits <= exact::most && power <= exact::powers &&
        power >= -exact::powers) {
        const F whole = static_cast<F>(n.digits);
        const F size = power < 0 ? whole / exact::power[-power] : whole * exact::power[power];
        value = negative ? -size : size;
        return n.end;
    }
    return convert(first, p, n, value) ? n.end : fail(reason::out_of_range, first);
}
}  // namespace

const char* reader_base::number(const char* p, double& value) {
    return read_number(
        skip_space(p), value, [this](const char* at) { return wrong(at, kind::number); },
        [this](reason why, const char* at) { return fail(why, at); });
}
const char* reader_base::number(const char* p, float& value) {
    return read_number(
        skip_space(p), value, [this](const char* at) { return wrong(at, kind::number); },
        [this](reason why, const char* at) { return fail(why, at); });
}

const char* reader_base::skip_number(const char* p) {
    if (*p == '-') ++p;
    const parts n = take_apart(p);
    return n.end != nullptr ? n.end : fail(reason::invalid_number, n.bad);
}

}  // namespace weir::json
