#include <weir/memory/subject.hpp>

namespace weir::memory {
namespace {

/// Cuts the first token off.
std::string_view take_token(std::string_view& rest, bool& more) noexcept {
    const std::size_t dot = rest.find('.');
    more = dot != std::string_view::npos;
    const std::string_view token = rest.substr(0, dot);
    rest = more ? rest.substr(dot + 1) : std::string_view{};
    return token;
}

}  // namespace

bool is_name(std::string_view name) noexcept { return !name.empty(); }

bool has_wildcard(std::string_view name) noexcept {
    for (bool more = true; more;) {
        const std::string_view token = take_token(name, more);
        if (token == "*" || token == ">") return true;
    }
    return false;
}

std::string_view pattern_fault(std::string_view pattern) noexcept {
    if (!has_wildcard(pattern)) return "it has no wildcard - subscribe to the name instead";
    for (bool more = true; more;) {
        const std::string_view token = take_token(pattern, more);
        if (token.empty()) return "it has an empty token";
        if (token == ">" && more) return "'>' is only allowed as the last token";
    }
    return {};
}

bool matches(std::string_view pattern, std::string_view name) noexcept {
    bool more_pattern = true, more_name = true;
    while (more_pattern && more_name) {
        const std::string_view wanted = take_token(pattern, more_pattern);
        if (wanted == ">") {
            for (bool more = true; more;)
                if (take_token(name, more).empty()) return false;
            return true;
        }
        const std::string_view token = take_token(name, more_name);
        if (wanted == "*" ? token.empty() : wanted != token) return false;
    }
    return more_pattern == more_name;
}

}  // namespace weir::memory
