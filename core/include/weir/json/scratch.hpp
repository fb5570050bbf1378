#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace weir::json {

/// Holds the text of strings that had escapes and became `std::string_view`s. Views stay valid until `clear`.
/// Allocates nothing before it is first needed, and nothing again once its largest chunk is as large as a
/// round needs.
class scratch {
public:
    static constexpr std::size_t first_chunk = 1024;
    static constexpr std::size_t largest_kept = 1 << 20;  ///< bytes; a larger chunk is given back by `clear`

    scratch() = default;
    scratch(scratch&& other) noexcept
        : at_(std::exchange(other.at_, nullptr)),
          start_(std::exchange(other.start_, nullptr)),
          room_(std::exchange(other.room_, 0)),
          chunks_(std::move(other.chunks_)) {}
    scratch& operator=(scratch other) noexcept {
        std::swap(at_, other.at_);
        std::swap(start_, other.start_);
        std::swap(room_, other.room_);
        chunks_.swap(other.chunks_);
        return *this;
    }

    /// `size` bytes, of which `commit` keeps the first ones. What is not committed is taken again by the next
    /// call.
    char* reserve(std::size_t size) {
        if (size > room_) [[unlikely]]
            grow(size);
        return at_;
    }
    void commit(std::size_t size) noexcept {
        at_ += size;
        room_ -= size;
    }
    /// Ends the life of all views.
    void clear() noexcept {
        if (at_ != start_) [[unlikely]]
            clear_slow();
    }
    /// Bytes held from the heap.
    std::size_t capacity() const noexcept;

private:
    struct chunk {
        std::unique_ptr<char[]> bytes;
        std::size_t size;
    };
    void grow(std::size_t size);
    void clear_slow() noexcept;

    char* at_ = nullptr;
    char* start_ = nullptr;  // of the last chunk; at_ differs as soon as anything is held
    std::size_t room_ = 0;
    std::vector<chunk> chunks_;  // the last one is in use and is the largest
};

}  // namespace weir::json
