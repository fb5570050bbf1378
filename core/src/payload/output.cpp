#include <weir/payload/output.hpp>

#include <algorithm>

namespace weir {

void output::grow(std::size_t n) {
    const std::size_t used = size();
    block* bigger = take_block(std::max(used + n, block_->capacity * 2));
    std::memcpy(bigger->data(), block_->data(), used);
    std::swap(bigger->head, block_->head);
    release(std::exchange(block_, bigger));
    at_ = block_->data() + used;
    end_ = block_->data() + block_->capacity;
}

}  // namespace weir
