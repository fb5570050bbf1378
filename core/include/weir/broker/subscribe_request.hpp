#pragma once
#include <weir/dispatch/intake.hpp>
#include <weir/dispatch/settings.hpp>

#include <string_view>

namespace weir {

/// What a broker is told when a subscription opens. All of it lives as long as the subscription.
struct subscribe_request {
    std::string_view name;    ///< with the prefixes of routers; the descriptor's own name has none
    const settings& options;  ///< prefetch, batch, retries: what a broker may want to tell its server
    intake& to;               ///< to be woken; `to.home()` is the loop of the subscription's thread
};

}  // namespace weir
