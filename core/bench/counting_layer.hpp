#pragma once
#include "region.hpp"

#include <weir/layer.hpp>

#include <cstddef>

namespace weir::bench {

/// The least that a useful layer does: a number before the handler, compared with one after it. `Place` tells the layers of
/// a stack apart.
template <int Place> struct counting_layer {
    std::size_t seen = 0;
    std::size_t before(const incoming& in) noexcept { return seen += in.size(); }
    void after(const incoming&, std::size_t at, outcome&) const noexcept { keep(at); }
};

}  // namespace weir::bench
