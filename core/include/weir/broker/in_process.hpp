#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace weir {

/// One subscription, as routing sees it.
struct routed_subscription {
    std::string_view name;  ///< a name or a pattern
    std::string_view
        group;  ///< subscriptions with the same group share their messages; empty: everybody gets all
    bool pattern = false;
};

/// The in-process form of a broker: the queues of the memory broker in place of its server, under the application that
/// production runs (`transport::in_process`), routed by this. The same names under the same rules as the server's, so
/// that tests without a server see what production sees. A broker whose server does more than compare names specialises
/// it. Its contexts are then made from records whose `native` is null.
template <class Broker> struct in_process_routes {
    /// What a descriptor of the broker subscribes to. The views live as long as the descriptor.
    template <class Descriptor> static routed_subscription of(const Descriptor& d) {
        routed_subscription s{d.name(), {}, false};
        if constexpr (requires { std::string_view{d.group()}; }) s.group = d.group();
        return s;
    }
    /// Whether a message published to `destination` goes to this subscription.
    static bool reaches(std::string_view destination, const routed_subscription& s) noexcept {
        return s.name == destination;
    }
};

/// The rule of one broker, without its type.
using route_rule = bool (*)(std::string_view destination, const routed_subscription& s) noexcept;

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
