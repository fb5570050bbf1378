#include "../rfc3339.hpp"
#include "scan.hpp"
#include "utf8.hpp"
#include "weir/error.hpp"
#include "weir/json/writer.hpp"

#include <algorithm>

namespace weir::json {

bool writer_base::time(std::int64_t seconds, std::int32_t nanoseconds, int digits) {
    char* at = to_->room(weir::detail::rfc3339_room + 2);
    *at = '"';
    at = weir::detail::write_rfc3339(at + 1, seconds, nanoseconds, digits);
    if (at == nullptr) return fail("a time outside of the years 0 to 9999");
    *at = '"';
    to_->advance(at + 1);
    return true;
}

bool writer_base::fail(const char* why) {
    why_ = why;
    path_.clear();
    return false;
}
bool writer_base::within(std::string_view member) {
    const bool dot = !path_.empty() && path_.front() != '[';
    path_.insert(0, std::string{member} + (dot ? "." : ""));
    return false;
}
bool writer_base::within(std::size_t element) {
    const bool dot = !path_.empty() && path_.front() != '[';
    path_.insert(0, "[" + std::to_string(element) + (dot ? "]." : "]"));
    return false;
}
void writer_base::throw_failure() const {
    std::string text = "JSON cannot carry ";
    text += why_;
    if (!path_.empty()) (text += ", in ") += path_;
    throw error(errc::unencodable, text);
}

template <class Kernel> bool writer<Kernel>::string(std::string_view text) {
    // The text is searched where it has been copied to: the quote behind it ends the search, and there is
    // room to look further than the end.
    char* const at = to().room(text.size() + 2 + 16);
    *at = '"';
    char* const begin = at + 1;
    char* const end = begin + text.size();
    if (!text.empty()) std::memcpy(begin, text.data(), text.size());
    std::memset(end, 0, 16);
    *end = '"';
    if (Kernel::plain(begin) != end) [[unlikely]]
        return string_slow(text);
    to().advance(end + 1);
    return true;
}

template <class Kernel> [[gnu::noinline]] bool writer<Kernel>::string_slow(std::string_view text) {
    static constexpr char hex[] = "0123456789abcdef";
    if (invalid_utf8(text.data(), text.data() + text.size()) != nullptr)
        return fail("text that is not UTF-8");
    to().append('"');
    while (!text.empty()) {
        const std::size_t size = std::min<std::size_t>(text.size(), 64);
        char* const begin = to().room(size + 16);
        std::memcpy(begin, text.data(), size);
        std::memset(begin + size, 0, 16);
        const char* const stop = Kernel::special(begin);
        const auto run = static_cast<std::size_t>(stop - begin);
        to().advance(begin + run);
        text.remove_prefix(run);
        if (run == size) continue;
        char* at = to().room(6);
        *at++ = '\\';
        switch (const char c = text.front()) {
        case '"':
        case '\\': *at++ = c; break;
        case '\b': *at++ = 'b'; break;
        case '\f': *at++ = 'f'; break;
        case '\n': *at++ = 'n'; break;
        case '\r': *at++ = 'r'; break;
        case '\t': *at++ = 't'; break;
        default:
            std::memcpy(at, "u00", 3);
            at[3] = hex[c >> 4];
            at[4] = hex[c & 15];
            at += 5;
        }
        to().advance(at);
        text.remove_prefix(1);
    }
    to().append('"');
    return true;
}

template class writer<portable_kernel>;
#if defined(__SSE2__)
template class writer<sse2_kernel>;
#endif

}  // namespace weir::json
