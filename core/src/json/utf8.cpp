#include "utf8.hpp"

#include <cstdint>
#include <cstring>

namespace weir::json {

const char* invalid_utf8(const char* from, const char* to) noexcept {
    const auto* p = reinterpret_cast<const unsigned char*>(from);
    const auto* const end = reinterpret_cast<const unsigned char*>(to);
    const auto continues = [](unsigned char c) { return (c & 0xc0) == 0x80; };
    while (p != end) {
        if (*p < 0x80) {
            std::uint64_t v;
            while (end - p >= 8 && (std::memcpy(&v, p, 8), (v & 0x8080808080808080) == 0)) p += 8;
            while (p != end && *p < 0x80) ++p;
            continue;
        }
        const auto left = end - p;
        if (*p >= 0xc2 && *p <= 0xdf) {
            if (left < 2 || !continues(p[1])) break;
            p += 2;
        } else if ((*p & 0xf0) == 0xe0) {
            if (left < 3 || !continues(p[1]) || !continues(p[2])) break;
            if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f)) break;  // overlong, surrogate
            p += 3;
        } else if (*p >= 0xf0 && *p <= 0xf4) {
            if (left < 4 || !continues(p[1]) || !continues(p[2]) || !continues(p[3])) break;
            if ((*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
                break;  // overlong, beyond the last plane
            p += 4;
        } else {
            break;
        }
    }
    return p == end ? nullptr : reinterpret_cast<const char*>(p);
}

}  // namespace weir::json
