#pragma once
#include <weir/runtime/frame_cache.hpp>

#include <cstddef>

namespace weir::test {

/// Under sanitizers, which bring an allocator of their own and where frames are not recycled, there is nothing to count.
inline constexpr bool heap_is_counted = WEIR_RECYCLES_FRAMES != 0;

/// Calls of the global `operator new`, in all its forms, so far: by any thread, and by the calling one. A program that asks
/// has the counting operators linked in.
std::size_t heap_blocks() noexcept;
std::size_t heap_blocks_of_this_thread() noexcept;

}  // namespace weir::test
