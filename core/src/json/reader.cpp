#include "scan.hpp"
#include "utf8.hpp"
#include "weir/json/reader.hpp"

#include <bit>

namespace weir::json {
namespace {

// Where the text of a string goes.
struct into_string {
    std::string& text;
    void append(const char* p, std::size_t n) { text.append(p, n); }
};
struct into_buffer {
    char* at;
    void append(const char* p, std::size_t n) {
        std::memcpy(at, p, n);
        at += n;
    }
};
struct into_nothing {
    void append(const char*, std::size_t) {}
};
/// A key; one that does not fit is none that is looked for.
struct into_key {
    static constexpr std::size_t room = 256;
    char text[room + 8];
    std::size_t size = 0;
    bool fits = true;
    void append(const char* p, std::size_t n) {
        fits = fits && n <= room - size;
        if (!fits) return;
        std::memcpy(text + size, p, n);
        size += n;
    }
};

/// The string from `first`, of which everything before `p` is plain, with its escapes undone. The place of
/// the closing quote, or nullptr.
template <class Kernel, class Sink, class Escape, class Fail>
const char* unescape(const char* first, const char* p, Sink& to, Escape&& escape, Fail&& fail) {
    const char* run = first;
    bool outside_ascii = false;
    while (*p != '"') {
        if (*p == '\\') {
            char bytes[4];
            char* end = bytes;
            to.append(run, static_cast<std::size_t>(p - run));
            p = escape(p, end);
            if (p == nullptr) return nullptr;
            to.append(bytes, static_cast<std::size_t>(end - bytes));
            run = p;
        } else if (static_cast<unsigned char>(*p) >= 0x80) {
            outside_ascii = true;
        } else {
            // Bad bytes in front of it are the older fault.
            const char* const bad = outside_ascii ? invalid_utf8(first, p) : nullptr;
            return bad != nullptr ? fail(reason::invalid_utf8, bad) : fail(reason::control_character, p);
        }
        p = outside_ascii ? Kernel::special(p) : Kernel::plain(p);
    }
    to.append(run, static_cast<std::size_t>(p - run));
    // Escapes are ASCII, so the raw text is well-formed exactly when its parts are.
    if (outside_ascii)
        if (const char* const bad = invalid_utf8(first, p); bad != nullptr)
            return fail(reason::invalid_utf8, bad);
    return p;
}

// Members that nobody wants often stand together, and most are plain strings. From the quote of a key to that
// of the first key which is not one of those.
template <class Kernel>
[[gnu::noinline]] const char* skip_plain_members(const char* p, const object_table<Kernel>& table) noexcept {
    const std::uint64_t lengths = table.lengths;
    for (;;) {
        const char* const key_end = Kernel::plain(p + 1);
        if ((lengths >> ((key_end - p - 1) % 64) & 1) != 0 || std::memcmp(key_end, "\":\"", 3) != 0) return p;
        const char* const end = Kernel::plain(key_end + 3);
        if (std::memcmp(end, "\",\"", 3) != 0) return p;
        p = end + 2;
    }
}

}  // namespace

template <class Kernel> const char* reader<Kernel>::string(const char* p, std::string& out) {
    if (*p != '"') [[unlikely]] {
        p = skip_space(p);
        if (*p != '"') return wrong(p, kind::string);
    }
    const char* const first = p + 1;
    p = Kernel::plain(first);
    if (*p != '"') [[unlikely]]
        return string_slow(first, p, out);
    out.assign(first, static_cast<std::size_t>(p - first));
    return p + 1;
}

template <class Kernel> const char* reader<Kernel>::string(const char* p, std::string_view& out) {
    if (*p != '"') [[unlikely]] {
        p = skip_space(p);
        if (*p != '"') return wrong(p, kind::string);
    }
    const char* const first = p + 1;
    p = Kernel::plain(first);
    if (*p != '"') [[unlikely]]
        return string_slow(first, p, out);
    out = {first, static_cast<std::size_t>(p - first)};
    return p + 1;
}

template <class Kernel>
[[gnu::noinline]] const char* reader<Kernel>::string_slow(const char* first, const char* p,
                                                          std::string& out) {
    out.clear();
    into_string to{out};
    p = unescape<Kernel>(
        first, p, to, [this](const char* at, char*& end) { return escape(at, end); },
        [this](reason why, const char* at) { return fail(why, at); });
    return p != nullptr ? p + 1 : nullptr;
}

template <class Kernel>
[[gnu::noinline]] const char* reader<Kernel>::string_slow(const char* first, const char* p,
                                                          std::string_view& out) {
    // The closing quote bounds the length; it is also the end of a text without escapes.
    const char* close = Kernel::special(p);
    const bool escaped = *close == '\\';
    while (*close == '\\') close = Kernel::special(close + 2);
    const auto most = static_cast<std::size_t>(close - first);
    const auto try_escape = [this](const char* at, char*& end) { return escape(at, end); };
    const auto give_up = [this](reason why, const char* at) { return fail(why, at); };
    if (!escaped) {
        into_nothing nowhere;
        p = unescape<Kernel>(first, p, nowhere, try_escape, give_up);
        if (p == nullptr) return nullptr;
        out = {first, most};
        return p + 1;
    }
    into_buffer to{text_->reserve(most + 1)};
    const char* const begin = to.at;
    p = unescape<Kernel>(first, p, to, try_escape, give_up);
    if (p == nullptr) return nullptr;
    *to.at = '\0';  // something that is no digit stands behind every text
    const auto size = static_cast<std::size_t>(to.at - begin);
    text_->commit(size + 1);
    out = {begin, size};
    return p + 1;
}

template <class Kernel> const char* reader<Kernel>::skip_string(const char* first, const char* p) {
    into_nothing nowhere;
    p = unescape<Kernel>(
        first, p, nowhere, [this](const char* at, char*& end) { return escape(at, end); },
        [this](reason why, const char* at) { return fail(why, at); });
    return p != nullptr ? p + 1 : nullptr;
}

template <class Kernel>
[[gnu::noinline]] const char* reader<Kernel>::key_slow(const char* first, const char* p,
                                                       const object_table<Kernel>& table, unsigned& index) {
    into_key name;
    p = unescape<Kernel>(
        first, p, name, [this](const char* at, char*& end) { return escape(at, end); },
        [this](reason why, const char* at) { return fail(why, at); });
    if (p == nullptr) return nullptr;
    index = name.fits && table.has_length(name.size) ? table.find(name.text, name.size) : table.unknown;
    return p;
}

template <class Kernel> [[gnu::noinline]] const char* reader<Kernel>::colon(const char* p) {
    p = skip_space(p);
    return *p == ':' ? p + 1 : fail(reason::syntax, p);
}

template <class Kernel> template <class Text> const char* reader<Kernel>::key(const char* p, Text& out) {
    p = skip_space(p);
    if (*p != '"') return fail(reason::syntax, p);
    p = string(p, out);
    return p != nullptr ? colon(p) : nullptr;
}

template <class Kernel>
[[gnu::noinline, gnu::cold]] const char* reader<Kernel>::refuse_unknown(const char* first, std::size_t size) {
    fail(reason::unknown_member, first - 1);
    return within(std::string_view{first, size});
}

template <class Kernel>
const char* reader<Kernel>::object(const char* p, place at, void* object, const object_table<Kernel>& table,
                                   std::uint64_t seen) {
    const bool refuse = rules_->unknown == unknown_members::refuse;
    // Of the member that was read last, for the failure behind it.
    unsigned index =
        at == place::behind_value ? static_cast<unsigned>(std::countr_one(seen)) - 1 : table.unknown;
    if (at == place::behind_value) goto behind_value;
    p = skip_space(p);
    if (*p == '}' && at == place::first_key) goto closed;
    for (;;) {
        if (*p != '"') [[unlikely]] {
            p = skip_space(p);
            if (*p != '"') return fail(reason::syntax, p);
        }
        {
            const char* const first = p + 1;
            p = Kernel::plain(first);
            index = table.unknown;
            if (*p != '"') [[unlikely]] {
                unsigned found = table.unknown;
                if ((p = key_slow(first, p, table, found)) == nullptr) return nullptr;
                index = found;
            } else if (table.has_length(static_cast<std::size_t>(p - first))) {
                index = table.find(first, static_cast<std::size_t>(p - first));
            }
            const char* const last = p;
            const auto raw_name = [first, last] {
                return std::string_view{first, static_cast<std::size_t>(last - first)};
            };
            if (*++p == ':') [[likely]]
                ++p;
            else if ((p = colon(p)) == nullptr) return within(raw_name());
            if (index == table.unknown) {
                if (refuse) [[unlikely]]
                    return refuse_unknown(first, raw_name().size());
                // Most of what is ignored are plain strings.
                if (*p == '"') {
                    const char* const end = Kernel::plain(p + 1);
                    if (*end == '"') [[likely]] {
                        p = end + 1;
                        if (p[0] == ',' && p[1] == '"' && !refuse) {
                            p = skip_plain_members<Kernel>(p + 1, table);
                            continue;
                        }
                    } else {
                        p = skip_string(p + 1, end);
                    }
                } else {
                    p = skip(p);
                }
                if (p == nullptr) [[unlikely]]
                    return within(raw_name());
            } else {
                const std::uint64_t bit = std::uint64_t{1} << index;
                if ((seen & bit) != 0 && rules_->duplicate == duplicate_members::refuse) [[unlikely]]
                    return fail(reason::duplicate_member, first - 1), within(table.names[index].name);
                seen |= bit;
                p = table.read(*this, p, object, index);
                if (p == nullptr) [[unlikely]]
                    return within(table.names[index].name);
            }
        }
    behind_value:
        if (*p == ',') [[likely]] {
            ++p;
            continue;
        }
        p = skip_space(p);
        if (*p == ',') {
            ++p;
            continue;
        }
        if (*p == '}') break;
        unexpected(p);
        return failure_->why == reason::not_whole && index != table.unknown ? within(table.names[index].name)
                                                                            : nullptr;
    }
closed:
    const std::uint64_t every = table.count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << table.count) - 1;
    for (std::uint64_t missing = every & ~seen; missing != 0; missing &= missing - 1) {
        index = static_cast<unsigned>(std::countr_zero(missing));
        if (!table.absent(object, index, rules_->missing == missing_members::keep_default))
            return fail(reason::missing_member, p), within(table.names[index].name);
    }
    return p + 1;
}

template <class Kernel> const char* reader<Kernel>::skip(const char* p) {
    std::uint64_t is_object[most_levels / 64];  // a bit for each open bracket
    unsigned depth = 0;
    const auto inside_object = [&] { return (is_object[(depth - 1) / 64] >> (depth - 1) % 64 & 1) != 0; };
    for (bool key_next = false;;) {
        p = skip_space(p);
        if (key_next) {
            if (*p != '"') return fail(reason::syntax, p);
            p = skip_string(p + 1, Kernel::plain(p + 1));
            if (p == nullptr || (p = colon(p)) == nullptr) return nullptr;
            p = skip_space(p);
        }
        switch (const char c = *p) {
        case '"': p = skip_string(p + 1, Kernel::plain(p + 1)); break;
        case '{':
        case '[': {
            if (depth == levels_) return fail(reason::too_deep, p);
            std::uint64_t& bits = is_object[depth / 64];
            const std::uint64_t bit = std::uint64_t{1} << depth % 64;
            if (depth % 64 == 0) bits = 0;
            bits = c == '{' ? bits | bit : bits & ~bit;
            ++depth;
            p = skip_space(p + 1);
            if (*p != (c == '{' ? '}' : ']')) {
                key_next = c == '{';
                continue;
            }
            --depth;
            ++p;
            break;
        }
        case 't':
        case 'f': {
            bool ignored;
            p = boolean(p, ignored);
            break;
        }
        case 'n': p = null(p); break;
        default: p = c == '-' || (c >= '0' && c <= '9') ? skip_number(p) : wrong(p, kind::none); break;
        }
        if (p == nullptr) return nullptr;
        for (;;) {
            if (depth == 0) return p;
            p = skip_space(p);
            if (*p == ',') break;
            if (*p != (inside_object() ? '}' : ']')) return fail(reason::syntax, p);
            ++p;
            --depth;
        }
        ++p;
        key_next = inside_object();
    }
}

template class reader<portable_kernel>;
template const char* reader<portable_kernel>::key(const char*, std::string&);
template const char* reader<portable_kernel>::key(const char*, std::string_view&);
#if defined(__SSE2__)
template class reader<sse2_kernel>;
template const char* reader<sse2_kernel>::key(const char*, std::string&);
template const char* reader<sse2_kernel>::key(const char*, std::string_view&);
#endif

}  // namespace weir::json
