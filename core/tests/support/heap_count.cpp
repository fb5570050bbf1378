// A translation unit of its own: inlined next to a `new`, g++ takes the pair for a mismatch.
#include "heap_count.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

constinit std::atomic<std::size_t> blocks{0};
constinit thread_local std::size_t blocks_here = 0;

[[maybe_unused]] void* counted_block(std::size_t size, std::size_t alignment) {
    blocks.fetch_add(1, std::memory_order_relaxed);
    ++blocks_here;
    const std::size_t room = size != 0 ? size : 1;
    void* const memory = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                             ? std::malloc(room)
                             : std::aligned_alloc(alignment, (room + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

std::size_t weir::test::heap_blocks() noexcept { return blocks.load(std::memory_order_relaxed); }
std::size_t weir::test::heap_blocks_of_this_thread() noexcept { return blocks_here; }

#if WEIR_RECYCLES_FRAMES
void* operator new(std::size_t size) { return counted_block(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) {
    return counted_block(size, static_cast<std::size_t>(a));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif
