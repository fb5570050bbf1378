#pragma once

/// The one frame that is counted: callgrind toggles on its name, DHAT's blocks are kept when their stack holds it. Not a
/// template, not inlined, and its name occurs in no other symbol, because a toggle flips at every match.
extern "C" void weir_bench_region(void (*run)(void*), void* context);

namespace weir::bench {

/// Whether the counted frame is on the stack; for heap_count.cpp.
inline bool inside_region = false;

/// Calls `work` so that it is counted. The rest of a program is not.
template <class Work> void counted(Work work) {
    // Through a volatile pointer: a compiler that sees the callee clones it for constant arguments, under another name.
    static void (*volatile enter)(void (*)(void*), void*) = weir_bench_region;
    inside_region = true;
    enter([](void* w) { (*static_cast<Work*>(w))(); }, &work);
    inside_region = false;
}

/// Makes the optimizer believe that somebody reads the value.
template <class T> inline void keep(const T& value) noexcept { asm volatile("" : : "r,m"(value) : "memory"); }

}  // namespace weir::bench
