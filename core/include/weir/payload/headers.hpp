#pragma once
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace weir {

/// The headers of a message: names and byte values in the order in which they were first set. Names are compared
/// without regard to ASCII case and kept in lower case; a name occurs once. All of it lies in one buffer, so an empty map
/// allocates nothing and a cleared one keeps its room.
class headers {
public:
    struct field {
        std::string_view name;   ///< lower case
        std::string_view value;  ///< any bytes, also none
    };

    /// Walks the fields in order. Invalidated by every change.
    class iterator {
    public:
        using value_type = field;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::forward_iterator_tag;
        iterator() = default;
        explicit iterator(const char* at) noexcept : at_(at) {}
        field operator*() const noexcept {
            const lengths n = read(at_);
            return {{at_ + sizeof n, n.name}, {at_ + sizeof n + n.name, n.value}};
        }
        iterator& operator++() noexcept {
            at_ += entry_size(at_);
            return *this;
        }
        iterator operator++(int) noexcept {
            iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const iterator&) const = default;

    private:
        const char* at_ = nullptr;
    };

    headers() = default;
    headers(std::initializer_list<field> fields) {
        for (const field& f : fields) set(f.name, f.value);
    }

    bool empty() const noexcept { return count_ == 0; }
    std::size_t size() const noexcept { return count_; }
    iterator begin() const noexcept { return iterator{packed_.data()}; }
    iterator end() const noexcept { return iterator{packed_.data() + packed_.size()}; }

    /// The value, or nothing when there is no such header. The view lives until the next change.
    std::optional<std::string_view> find(std::string_view name) const noexcept;
    /// The value, or an empty view.
    std::string_view get(std::string_view name) const noexcept {
        return find(name).value_or(std::string_view{});
    }
    bool contains(std::string_view name) const noexcept { return find(name).has_value(); }

    /// Adds the header, or replaces the value where the name stands already. Throws std::length_error when a name or a
    /// value is longer than 4 GiB. `name` and `value` must not point into this map.
    void set(std::string_view name, std::string_view value);
    /// True if it was there.
    bool erase(std::string_view name) noexcept;
    void clear() noexcept {
        packed_.clear();
        count_ = 0;
    }
    /// Gives back the buffer if it is larger than `keep` bytes. For pools.
    void trim(std::size_t keep) noexcept {
        if (packed_.capacity() > keep) packed_ = {};
    }

    std::string_view content_type() const noexcept { return get("content-type"); }
    std::string_view correlation_id() const noexcept { return get("correlation-id"); }
    std::string_view reply_to() const noexcept { return get("reply-to"); }
    std::string_view message_id() const noexcept { return get("message-id"); }
    std::string_view partition_key() const noexcept { return get("partition-key"); }

    /// Equal when the same names have the same values, in whatever order.
    friend bool operator==(const headers& a, const headers& b) noexcept;

private:
    struct lengths {
        std::uint32_t name, value;
    };
    static lengths read(const char* at) noexcept {
        lengths n;
        std::memcpy(&n, at, sizeof n);
        return n;
    }
    static std::size_t entry_size(const char* at) noexcept {
        const lengths n = read(at);
        return sizeof n + n.name + n.value;
    }
    /// Offset of the entry, or packed_.size().
    std::size_t locate(std::string_view name) const noexcept;

    std::vector<char> packed_;  // per entry: lengths, the name in lower case, the value
    std::uint32_t count_ = 0;
};

}  // namespace weir
