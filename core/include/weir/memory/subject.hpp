#pragma once
#include <string_view>

namespace weir::memory {

/// Whether `name` can be published to and subscribed by name: not empty. Names are compared as they are.
bool is_name(std::string_view name) noexcept;
/// Whether a whole token of `name` is `*` or `>`, so that it is a pattern and not a name. "orders.eu*" is a name.
bool has_wildcard(std::string_view name) noexcept;
/// What is wrong with a pattern, as part of a sentence; empty: nothing. Tokens are separated by dots; `*` stands for one
/// token, `>` as the last one for one or more.
std::string_view pattern_fault(std::string_view pattern) noexcept;
/// Whether `name` matches the pattern. Empty tokens of a name match no wildcard.
bool matches(std::string_view pattern, std::string_view name) noexcept;

}  // namespace weir::memory
