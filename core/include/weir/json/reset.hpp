#pragma once
#include "weir/json/category.hpp"

namespace weir::json::detail {

/// Leaves nothing of an earlier message in `out`; containers and strings keep their room.
template <class T> void reset(T& out) {
    using enum category;
    constexpr category c = category_of<T>();
    if constexpr (c == text || c == list || c == map) out.clear();
    else if constexpr (c == nullable) out = T{};
    else if constexpr (c == array) {
        for (auto& element : out) reset(element);
    } else if constexpr (c == tuple) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            using std::get;
            (reset(get<I>(out)), ...);
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (c == variant) out.template emplace<0>();
    else if constexpr (c == object) reflect::with_members(out, [](auto&... member) { (reset(member), ...); });
    else out = T{};
}

}  // namespace weir::json::detail
