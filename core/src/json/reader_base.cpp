#include "../rfc3339.hpp"
#include "weir/json/reader.hpp"

namespace weir::json {

const char* reader_base::skip_space_slow(const char* p) noexcept { return skip_space(p); }

kind reader_base::look(const char*& p) noexcept {
    p = skip_space(p);
    switch (*p) {
    case '{': return kind::object;
    case '[': return kind::array;
    case '"': return kind::string;
    case 't':
    case 'f': return kind::boolean;
    case 'n': return kind::null;
    default: return *p == '-' || (*p >= '0' && *p <= '9') ? kind::number : kind::none;
    }
}

const char* reader_base::fail(reason why, const char* at, kind wanted) {
    // What is wrong at the zeros behind the document is that it ends there.
    failure_->why = at >= end_ && why != reason::missing_member ? reason::truncated : why;
    failure_->offset = at >= begin_ && at <= end_ ? static_cast<std::size_t>(at - begin_)
                                                  : static_cast<std::size_t>(end_ - begin_);
    failure_->wanted_ = wanted;
    failure_->path_.clear();
    return nullptr;
}

const char* reader_base::wrong(const char* at, kind wanted) {
    at = skip_space(at);
    if (at >= end_) {
        fail(reason::truncated, at);
        if (skip_space(begin_) >= end_) failure_->why = reason::empty;
        return nullptr;
    }
    if (at == begin_ && (std::memcmp(at, "\xef\xbb\xbf", 3) == 0 || std::memcmp(at, "\xfe\xff", 2) == 0 ||
                         std::memcmp(at, "\xff\xfe", 2) == 0))
        return fail(reason::byte_order_mark, at);
    const char* p = at;
    const kind found = look(p);
    if (found == kind::none || found == wanted) return fail(reason::syntax, at);
    return fail(wanted == kind::none ? reason::no_alternative : reason::wrong_type, at, wanted);
}

const char* reader_base::unexpected(const char* at) {
    at = skip_space(at);
    if (*at == '.' || *at == 'e' || *at == 'E') {
        // Directly behind the digits of an integer?
        const char* before = at;
        while (before > begin_ && before[-1] >= '0' && before[-1] <= '9') --before;
        const char c = before > begin_ ? before[-1] : ' ';
        if (before != at && c != '.' && c != 'e' && c != 'E' && c != '+') return fail(reason::not_whole, at);
    }
    return fail(reason::syntax, at);
}

bool reader_base::finish(const char* p) {
    p = skip_space(p);
    if (p == end_) return true;
    if (*p == '.' || *p == 'e' || *p == 'E') unexpected(p);
    else fail(reason::trailing, p);
    return false;
}

const char* reader_base::within(std::string_view member) {
    failure_->enter(member);
    return nullptr;
}
const char* reader_base::within(std::size_t element) {
    failure_->enter(element);
    return nullptr;
}
void reader_base::forget_failure() noexcept {
    failure_->why = reason::none;
    failure_->offset = 0;
    failure_->path_.clear();
}

const char* reader_base::open(const char* p, char bracket) {
    p = skip_space(p);
    return *p == bracket ? p + 1 : wrong(p, bracket == '{' ? kind::object : kind::array);
}

const char* reader_base::next_element(const char* p, bool& closed) {
    p = skip_space(p);
    if (*p == ',') return p + 1;
    if (*p != ']') return unexpected(p);
    closed = true;
    return p + 1;
}
const char* reader_base::next_member(const char* p, bool& closed) {
    p = skip_space(p);
    if (*p == ',') return p + 1;
    if (*p != '}') return unexpected(p);
    closed = true;
    return p + 1;
}

const char* reader_base::boolean(const char* p, bool& value) {
    p = skip_space(p);
    if (std::memcmp(p, "true", 4) == 0) {
        value = true;
        return p + 4;
    }
    if (std::memcmp(p, "false", 5) == 0) {
        value = false;
        return p + 5;
    }
    return wrong(p, kind::boolean);
}

const char* reader_base::null(const char* p) {
    p = skip_space(p);
    return std::memcmp(p, "null", 4) == 0 ? p + 4 : wrong(p, kind::null);
}

const char* reader_base::time(const char* p, std::string_view text, std::int64_t& seconds,
                              std::int32_t& nanoseconds) {
    return weir::detail::parse_rfc3339(text, seconds, nanoseconds) ? p : fail(reason::invalid_time, p);
}

const char* reader_base::escape(const char* p, char*& to) {
    const auto hex = [](const char* digits, unsigned& value) {
        value = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = digits[i], lower = static_cast<char>(c | 0x20);
            if (c >= '0' && c <= '9') value = value << 4 | static_cast<unsigned>(c - '0');
            else if (lower >= 'a' && lower <= 'f')
                value = value << 4 | static_cast<unsigned>(lower - 'a' + 10);
            else return false;
        }
        return true;
    };
    switch (p[1]) {
    case '"':
    case '\\':
    case '/': *to++ = p[1]; return p + 2;
    case 'b': *to++ = '\b'; return p + 2;
    case 'f': *to++ = '\f'; return p + 2;
    case 'n': *to++ = '\n'; return p + 2;
    case 'r': *to++ = '\r'; return p + 2;
    case 't': *to++ = '\t'; return p + 2;
    case 'u': break;
    default: return p + 1 >= end_ ? fail(reason::truncated, end_) : fail(reason::invalid_escape, p);
    }
    unsigned code;
    if (!hex(p + 2, code)) return fail(reason::invalid_escape, p);
    const auto add = [&](unsigned c) { *to++ = static_cast<char>(c); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else if (code < 0xd800 || code > 0xdfff) {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    } else {
        unsigned low;
        if (code > 0xdbff || p[6] != '\\' || p[7] != 'u' || !hex(p + 8, low) || low < 0xdc00 || low > 0xdfff)
            return fail(reason::lone_surrogate, p);
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
        return p + 12;
    }
    return p + 6;
}

}  // namespace weir::json
