#include "weir/json/writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace weir::json {
namespace {

constexpr auto pairs = [] {
    std::array<char, 200> all{};
    for (std::size_t i = 0; i < 100; ++i) {
        all[2 * i] = static_cast<char>('0' + i / 10);
        all[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return all;
}();

unsigned digits_of(std::uint64_t value) {
    unsigned n = 1;
    for (;; value /= 10'000, n += 4) {
        if (value < 10) return n;
        if (value < 100) return n + 1;
        if (value < 1'000) return n + 2;
        if (value < 10'000) return n + 3;
    }
}

/// `whole` and, unless they are zero, four digits behind the point without the zeros at their end.
char* put_decimal(char* at, std::uint64_t whole, unsigned ten_thousandths) {
    at = writer_base::number(at, whole);
    if (ten_thousandths == 0) return at;
    *at++ = '.';
    std::memcpy(at, &pairs[ten_thousandths / 100 * 2], 2);
    std::memcpy(at + 2, &pairs[ten_thousandths % 100 * 2], 2);
    at += 4;
    while (at[-1] == '0') --at;
    return at;
}

// Most numbers in messages have few decimals. For those, n / 10^4 is the number exactly as the division
// rounds it, which is how a reader has to round the text of n / 10^4 too: numerator and denominator are both
// floating-point numbers. So the text is read as the same number. And it is the shortest: a number has at
// most one text of no more digits than the type always keeps (15 for double, 6 for float), zeros at the end
// aside.
template <class F> struct kept;
template <> struct kept<double> {
    static constexpr double most = 1e15;
};
template <> struct kept<float> {
    static constexpr float most = 1e6f;
};

template <class F> char* put_floating(char* at, F value) {
    if (!std::isfinite(value)) return nullptr;
    if (std::signbit(value)) {
        *at++ = '-';
        value = -value;
    }
    constexpr F most = kept<F>::most, scale = 10'000;
    if (value < most) {
        const auto whole = static_cast<std::uint64_t>(value);
        if (static_cast<F>(whole) == value) return writer_base::number(at, whole);
        if (value < most / scale) {
            const auto n = static_cast<std::uint64_t>(value * scale + F{0.5});
            if (n < static_cast<std::uint64_t>(most) && static_cast<F>(n) / scale == value)
                return put_decimal(at, n / 10'000, static_cast<unsigned>(n % 10'000));
        }
    }
    return std::to_chars(at, at + writer_base::number_room - 1, value).ptr;
}

}  // namespace

char* writer_base::number(char* at, std::uint64_t value) noexcept {
    char* const end = at + digits_of(value);
    char* p = end;
    while (value >= 100) {
        p -= 2;
        std::memcpy(p, &pairs[value % 100 * 2], 2);
        value /= 100;
    }
    if (value >= 10) std::memcpy(p - 2, &pairs[value * 2], 2);
    else p[-1] = static_cast<char>('0' + value);
    return end;
}
char* writer_base::number(char* at, std::int64_t value) noexcept {
    if (value >= 0) return number(at, static_cast<std::uint64_t>(value));
    *at = '-';
    return number(at + 1, std::uint64_t{0} - static_cast<std::uint64_t>(value));
}
char* writer_base::number(char* at, double value) noexcept { return put_floating(at, value); }
char* writer_base::number(char* at, float value) noexcept { return put_floating(at, value); }

}  // namespace weir::json
