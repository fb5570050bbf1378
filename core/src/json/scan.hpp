#pragma once
#include "weir/json/kernel.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace weir::json {

// Each kernel finds the end of a run of text, past which at least sixteen bytes are readable:
//   plain    the first quote, backslash, control character or byte outside ASCII
//   special  the same, without regard to bytes outside ASCII
// A zero is a control character, so every search ends in the zeros behind the document.

struct portable_kernel {
    static const char* plain(const char* p) noexcept { return find<true>(p); }
    static const char* special(const char* p) noexcept { return find<false>(p); }

private:
    static_assert(std::endian::native == std::endian::little, "the lowest byte of a word must be the first");
    static constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;

    template <bool StopsOutsideAscii> static const char* find(const char* p) noexcept {
        for (;; p += 8) {
            std::uint64_t v;
            std::memcpy(&v, p, 8);
            const std::uint64_t quote = v ^ ones * '"', backslash = v ^ ones * '\\';
            // A byte that is zero, or less than a space, borrows its top bit. It borrows from the byte above
            // it too, but only the lowest hit counts. Bytes outside ASCII have the bit already, and lose it
            // where they do not count.
            std::uint64_t hits = (quote - ones) | (backslash - ones) | (v - ones * 0x20);
            if constexpr (StopsOutsideAscii) hits |= v;
            else hits &= ~v;
            hits &= tops;
            if (hits != 0) return p + std::countr_zero(hits) / 8;
        }
    }
};

#if defined(__SSE2__)
struct sse2_kernel {
    static const char* plain(const char* p) noexcept {
        const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'),
                      space = _mm_set1_epi8(0x20);
        for (;; p += 16) {
            const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
            // As signed bytes both the control characters and everything outside ASCII are less than a space,
            // and only the signs are gathered.
            const __m128i hits =
                _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)),
                             _mm_subs_epi8(v, space));
            if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits)); mask != 0)
                return p + first(mask);
        }
    }
    static const char* special(const char* p) noexcept {
        const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1f);
        for (;; p += 16) {
            const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
            const __m128i hits =
                _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)),
                             _mm_cmpeq_epi8(_mm_min_epu8(v, last), v));
            if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits)); mask != 0)
                return p + first(mask);
        }
    }

private:
    static unsigned first(unsigned mask) noexcept { return static_cast<unsigned>(std::countr_zero(mask)); }
};
#endif

}  // namespace weir::json
