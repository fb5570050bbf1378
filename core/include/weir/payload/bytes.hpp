#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace weir {

/// The raw lane: a view of a payload that no codec has touched. A type of its own, because a `std::string` or a
/// `std::string_view` as a message is a JSON string. The bytes live as long as the delivery they came from.
class bytes {
public:
    constexpr bytes() = default;
    constexpr bytes(const char* data, std::size_t size) noexcept : data_(data), size_(size) {}
    constexpr explicit bytes(std::string_view text) noexcept : bytes(text.data(), text.size()) {}
    bytes(std::span<const std::byte> raw) noexcept
        : bytes(reinterpret_cast<const char*>(raw.data()), raw.size()) {}

    constexpr const char* data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr const char* begin() const noexcept { return data_; }
    constexpr const char* end() const noexcept { return data_ + size_; }
    constexpr std::string_view text() const noexcept { return {data_, size_}; }
    std::span<const std::byte> raw() const noexcept {
        return {reinterpret_cast<const std::byte*>(data_), size_};
    }
    friend constexpr bool operator==(bytes a, bytes b) noexcept { return a.text() == b.text(); }

private:
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace weir
