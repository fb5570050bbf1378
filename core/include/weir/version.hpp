#pragma once

#include <string_view>

// The one place that holds the version. CMake reads the three numbers from here, so keep each on its own line.
#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0

#define WEIR_DETAIL_TEXT_OF(x) #x
#define WEIR_DETAIL_TEXT(x) WEIR_DETAIL_TEXT_OF(x)

namespace weir {

/// The version of the headers a program was compiled with, such as "0.1.0".
inline constexpr std::string_view version = WEIR_DETAIL_TEXT(WEIR_VERSION_MAJOR) "." WEIR_DETAIL_TEXT(
    WEIR_VERSION_MINOR) "." WEIR_DETAIL_TEXT(WEIR_VERSION_PATCH);

}  // namespace weir

#undef WEIR_DETAIL_TEXT
#undef WEIR_DETAIL_TEXT_OF
