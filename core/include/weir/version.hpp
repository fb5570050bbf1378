#pragma once

#include <string_view>

// The one place that holds the version. CMake reads the three numbers from here, so keep each on its own line.
#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0

#define WEIR_DETAIL_QUOTE(a, b, c) #a "." #b "." #c
#define WEIR_DETAIL_DOTTED(a, b, c) WEIR_DETAIL_QUOTE(a, b, c)

namespace weir {

/// The version of the headers a program was compiled with, such as "0.1.0".
inline constexpr std::string_view version =
    WEIR_DETAIL_DOTTED(WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR, WEIR_VERSION_PATCH);

}  // namespace weir

#undef WEIR_DETAIL_DOTTED
#undef WEIR_DETAIL_QUOTE
