#pragma once
#include <weir/payload/block.hpp>

namespace weir {

/// Append-only bytes, written into a pooled block. Concrete, so that an encoder is compiled once a type and not once for
/// every kind of buffer. Not copyable; a block that nobody takes is released.
class output {
public:
    explicit output(std::size_t expected = block_pool::smallest)
        : block_(take_block(expected)), at_(block_->data()), end_(at_ + block_->capacity) {}
    output(const output&) = delete;
    output& operator=(const output&) = delete;
    ~output() {
        if (block_ != nullptr) release(block_);
    }

    /// A place with at least `n` writable bytes. Nothing counts as written until `advance`.
    char* room(std::size_t n) {
        if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
            grow(n);
        return at_;
    }
    /// `to` lies inside what `room` gave.
    void advance(char* to) noexcept { at_ = to; }
    void append(std::string_view text) {
        char* to = room(text.size());
        if (!text.empty()) std::memcpy(to, text.data(), text.size());
        at_ = to + text.size();
    }
    void append(char c) {
        *room(1) = c;
        ++at_;
    }
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - block_->data()); }
    std::string_view text() const noexcept { return {block_->data(), size()}; }
    headers& head() noexcept { return block_->head; }

    /// Writes the tail and gives up the block. Read `size()` first; nothing else may be called afterwards.
    block* take() noexcept {
        block_->finish(size());
        return std::exchange(block_, nullptr);
    }

private:
    void grow(std::size_t n);
    block* block_;
    char* at_;
    char* end_;
};

}  // namespace weir
