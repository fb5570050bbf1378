#pragma once

namespace weir::json {

/// The first byte in [from, to) that does not belong to well-formed UTF-8 (no overlong forms, surrogates, nor
/// anything beyond U+10FFFF), or nullptr. Nothing at or behind `to` is read.
const char* invalid_utf8(const char* from, const char* to) noexcept;

}  // namespace weir::json
