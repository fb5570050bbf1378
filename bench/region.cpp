#include "region.hpp"

extern "C" [[gnu::noinline]] void weir_bench_region(void (*run)(void*), void* context) {
    run(context);
    asm volatile("" ::: "memory");  // a tail call would take the frame off the stack
}
