#include "allocation_count.hpp"

#include <cstdlib>
#include <new>

namespace {
constinit thread_local std::size_t count = 0;
}

namespace weir::test {
std::size_t allocations() noexcept { return count; }
}  // namespace weir::test

#if WEIR_RECYCLES_FRAMES
void* operator new(std::size_t size) {
    ++count;
    if (void* memory = std::malloc(size != 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
