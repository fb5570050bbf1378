#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace weir {

/// One subscription, as routing sees it.
struct routed_subscription {
    std::string_view name;   ///< a name or a pattern
    std::string_view group;  ///< subscriptions with the same group share their messages; empty: everybody gets all
    bool pattern = false;
};

/// How the in-process form of a broker routes: the same names under the same rules as its server, so that tests without a
/// server see what production sees. A broker whose server does more than compare names specialises this.
template <class Broker> struct in_process_routes {
    /// Whether a message published to `destination` goes to this subscription.
    static bool reaches(std::string_view destination, const routed_subscription& s) noexcept {
        return s.name == destination;
    }
};

/// The positions of the subscriptions that a message reaches. Where several share a group, all of them are listed: one
/// of them gets it.
template <class Broker>
std::vector<std::size_t> routes(std::string_view destination, std::span<const routed_subscription> all) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i != all.size(); ++i)
        if (in_process_routes<Broker>::reaches(destination, all[i])) found.push_back(i);
    return found;
}

}  // namespace weir
