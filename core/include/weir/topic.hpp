#pragma once
#include <string_view>

namespace weir {

/// A name and the type of its messages, stated once and checked on both sides. Usually an `inline constexpr` variable,
/// because `out<topic>` takes it as a template argument. `name` must outlive the topic (a literal does).
template <class T> struct topic {
    using message = T;
    std::string_view name;
    constexpr explicit topic(std::string_view n) noexcept : name(n) {}
};

}  // namespace weir
