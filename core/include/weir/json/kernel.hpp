#pragma once

namespace weir::json {

/// How strings are searched. Both compile everywhere they can, so that both are tested in one program; a
/// build uses one.
struct portable_kernel;  ///< eight bytes at a time in a general register
struct sse2_kernel;      ///< sixteen bytes; x86-64

// WEIR_JSON_PORTABLE chooses the portable one; like every such macro, for a whole program or not at all.
#if defined(__SSE2__) && !defined(WEIR_JSON_PORTABLE)
using default_kernel = sse2_kernel;
#else
using default_kernel = portable_kernel;
#endif

}  // namespace weir::json
