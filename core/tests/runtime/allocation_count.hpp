#pragma once
#include <weir/runtime/frame_cache.hpp>

#include <cstddef>

namespace weir::test {

/// Calls of the global `operator new` on this thread so far. Under sanitizers, which bring their own and where frames
/// are not recycled, there is nothing to count.
inline constexpr bool allocations_are_counted = WEIR_RECYCLES_FRAMES != 0;
std::size_t allocations() noexcept;

}  // namespace weir::test
