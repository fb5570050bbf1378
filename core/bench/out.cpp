// One message published through an injected `out`.
#include "in_process.hpp"

struct receipt {
    std::uint64_t id;
};
inline constexpr weir::topic<receipt> receipts{"receipts"};

static void on_order(const weir::bench::order& o, weir::out<receipts> to) {
    to.publish({o.id});
    weir::bench::handled(o);
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body, [](auto& broker) {
        broker.subscribe(weir::bench::orders, on_order);
    });
}
