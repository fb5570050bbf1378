// Global operator new, counted. A translation unit of its own: inlined next to a `new`, g++ takes it for a mismatch.
#include "heap_count.hpp"
#include "region.hpp"

#include <cstdlib>
#include <new>

namespace {

unsigned long blocks = 0;

void* counted_block(std::size_t size, std::size_t alignment) {
    if (weir::bench::inside_region) ++blocks;
    const std::size_t room = size != 0 ? size : 1;
    void* const memory = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                             ? std::malloc(room)
                             : std::aligned_alloc(alignment, (room + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

unsigned long weir_bench_counted_blocks() { return blocks; }

void* operator new(std::size_t size) { return counted_block(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) {
    return counted_block(size, static_cast<std::size_t>(a));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
