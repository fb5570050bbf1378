#include <weir/payload/headers.hpp>

#include <stdexcept>

namespace weir {
namespace {

constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// `kept` is in lower case already.
bool same_name(std::string_view kept, std::string_view asked) noexcept {
    if (kept.size() != asked.size()) return false;
    for (std::size_t i = 0; i != kept.size(); ++i)
        if (kept[i] != lower(asked[i])) return false;
    return true;
}

}  // namespace

std::size_t headers::locate(std::string_view name) const noexcept {
    std::size_t at = 0;
    while (at != packed_.size()) {
        const char* entry = packed_.data() + at;
        if (same_name({entry + sizeof(lengths), read(entry).name}, name)) break;
        at += entry_size(entry);
    }
    return at;
}

std::optional<std::string_view> headers::find(std::string_view name) const noexcept {
    const std::size_t at = locate(name);
    if (at == packed_.size()) return std::nullopt;
    const char* entry = packed_.data() + at;
    const lengths n = read(entry);
    return std::string_view{entry + sizeof n + n.name, n.value};
}

void headers::set(std::string_view name, std::string_view value) {
    if (name.size() > UINT32_MAX || value.size() > UINT32_MAX)
        throw std::length_error("weir: a header name or value is longer than 4 GiB");
    const lengths n{static_cast<std::uint32_t>(name.size()), static_cast<std::uint32_t>(value.size())};
    std::size_t at = locate(name);
    if (at == packed_.size()) {
        packed_.resize(at + sizeof n + name.size() + value.size());
        ++count_;
        char* to = packed_.data() + at + sizeof n;
        for (const char c : name) *to++ = lower(c);
    } else {
        const auto old_value = packed_.begin() + static_cast<std::ptrdiff_t>(at + sizeof n + n.name);
        const std::uint32_t old_size = read(packed_.data() + at).value;
        if (n.value > old_size) packed_.insert(old_value, n.value - old_size, '\0');
        else packed_.erase(old_value, old_value + static_cast<std::ptrdiff_t>(old_size - n.value));
    }
    std::memcpy(packed_.data() + at, &n, sizeof n);
    if (!value.empty()) std::memcpy(packed_.data() + at + sizeof n + n.name, value.data(), value.size());
}

bool headers::erase(std::string_view name) noexcept {
    const std::size_t at = locate(name);
    if (at == packed_.size()) return false;
    const auto first = packed_.begin() + static_cast<std::ptrdiff_t>(at);
    packed_.erase(first, first + static_cast<std::ptrdiff_t>(entry_size(packed_.data() + at)));
    --count_;
    return true;
}

bool operator==(const headers& a, const headers& b) noexcept {
    if (a.count_ != b.count_) return false;
    for (const headers::field f : a)
        if (b.find(f.name) != f.value) return false;
    return true;
}

}  // namespace weir
