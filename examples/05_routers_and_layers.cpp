// A router is a part of a service as a value: written once, mounted as often as it is needed, each time under
// its own prefix. A layer is a bracket around every handler of its router.
//
// Prints:
//   berlin.bills: 2 calls, 0 refused
//   berlin.orders: 3 calls, 1 refused
//   tokyo.bills: 1 calls, 0 refused
//   tokyo.orders: 1 calls, 0 refused
#include <weir/weir.hpp>

#include <cstdio>
#include <map>

struct Order {
    int id;
    double total;
};
struct Bill {
    int order;
    double amount;
};
inline constexpr weir::topic<Order> orders{"orders"};
inline constexpr weir::topic<Bill> bills{"bills"};

weir::outcome charge(const Order& order, weir::out<bills> billing) {
    if (order.total <= 0) return weir::reject("an order needs a price");
    billing.publish({order.id, order.total * 1.2});
    return weir::ack;
}
void book(const Bill&) {}

struct Counts {
    int calls = 0, refused = 0;
};
using Tally = std::map<std::string, Counts, std::less<>>;

// `after` sees the outcome, and may replace it. Every subscription copies the layer: what they share stands outside.
struct Counting {
    Tally* tally;
    void before(const weir::incoming& in) { ++(*tally)[std::string{in.subscription()}].calls; }
    void after(const weir::incoming& in, weir::outcome& outcome) {
        if (outcome.what() == weir::outcome::verdict::reject)
            ++tally->find(in.subscription())->second.refused;
    }
};

// The prefix goes before every name that the handlers state: also where they publish, and their dead letters.
auto shop(std::string_view prefix, Tally& tally) {
    auto router = weir::router{prefix}.layer(Counting{&tally});
    router.subscribe(orders, charge);
    router.subscribe(bills, book);
    return router;
}

int main() {
    weir::application app;
    Tally tally;
    app.use(weir::memory::broker{}).include(shop("berlin.", tally)).include(shop("tokyo.", tally));

    auto running = app.start_here();
    const auto publisher = running.publisher();
    for (const Order& order : {Order{1, 10}, Order{2, 0}, Order{3, 30}})
        if (publisher.publish("berlin.orders", order).try_now()) return 1;
    if (publisher.publish("tokyo.orders", Order{4, 40}).try_now()) return 1;
    running.run_until([&] { return tally["berlin.bills"].calls == 2 && tally["tokyo.bills"].calls == 1; });

    for (const auto& [name, counts] : tally)
        std::printf("%s: %d calls, %d refused\n", name.c_str(), counts.calls, counts.refused);
}
