#include "weir/json/scratch.hpp"

#include <algorithm>

namespace weir::json {

void scratch::grow(std::size_t size) {
    const std::size_t before = chunks_.empty() ? 0 : chunks_.back().size;
    size = std::max({size, first_chunk, before * 2});
    chunks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
    at_ = start_ = chunks_.back().bytes.get();
    room_ = size;
}

void scratch::clear_slow() noexcept {
    if (chunks_.size() > 1) {
        std::swap(chunks_.front(), chunks_.back());
        chunks_.resize(1);
    }
    if (chunks_.front().size > largest_kept) {
        chunks_.clear();
        at_ = start_ = nullptr;
        room_ = 0;
    } else {
        at_ = start_ = chunks_.front().bytes.get();
        room_ = chunks_.front().size;
    }
}

std::size_t scratch::capacity() const noexcept {
    std::size_t all = 0;
    for (const chunk& c : chunks_) all += c.size;
    return all;
}

}  // namespace weir::json
