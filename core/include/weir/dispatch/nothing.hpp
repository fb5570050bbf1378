#pragma once

namespace weir::detail {
struct nothing {};
}  // namespace weir::detail
