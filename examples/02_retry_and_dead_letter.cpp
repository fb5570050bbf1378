// What becomes of a message whose handler does not succeed: it is tried again, with a pause that grows, until
// the attempts are used up; what is hopeless goes to the dead letters at once.
//
// Prints:
//   order 1: charged at attempt 1
//   order 2: charged at attempt 3
//   order 3: dead after attempt 1, because an order needs a price
//   order 4: dead after attempt 4, because attempts exhausted, the last one: the bank does not answer
#include <weir/weir.hpp>

#include <cstdio>
#include <map>
#include <stdexcept>

using namespace std::chrono_literals;

struct Order {
    int id;
    double total;
};
inline constexpr weir::topic<Order> orders{"orders"};

struct Endings {
    std::map<int, std::string> of_order;
};

weir::outcome charge(const Order& order, const weir::context& delivery, Endings& endings) {
    // Trying again would not help: say why, and be done with it.
    if (order.total <= 0) return weir::reject("an order needs a price");
    // Whatever a handler throws counts as a failed attempt. It is logged, too.
    if (order.total > 1000) throw std::runtime_error("the bank does not answer");
    // The same without an exception, for what is expected to happen.
    if (order.id == 2 && delivery.attempt() < 3) return weir::retry;

    endings.of_order[order.id] = "charged at attempt " + std::to_string(delivery.attempt());
    return weir::ack;
}

// A dead letter keeps its bytes, so it can be read as what it was meant to be, or replayed later.
void bury(const Order& order, const weir::headers& about, Endings& endings) {
    endings.of_order[order.id] = "dead after attempt " + std::string{about.get("x-weir-attempts")} +
                                 ", because " + std::string{about.get("x-weir-reason")};
}

int main() {
    weir::application app;
    Endings endings;
    app.provide(endings);

    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(
        orders, charge,
        weir::retries{.attempts = 4, .backoff = weir::exponential(2ms, 10ms), .dead_letter = "orders.dead"});
    broker.subscribe("orders.dead", bury);

    auto running = app.start_here();  // this thread drives the handlers, by run_until
    const auto publisher = running.publisher();
    for (const Order& order : {Order{1, 20}, Order{2, 30}, Order{3, 0}, Order{4, 5000}})
        if (publisher.publish(orders, order).try_now()) return 1;
    running.run_until([&] { return endings.of_order.size() == 4; });

    for (const auto& [id, ending] : endings.of_order) std::printf("order %d: %s\n", id, ending.c_str());
}
