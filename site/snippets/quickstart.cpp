#include <weir/weir.hpp>

#include <cstdio>

using namespace std::chrono_literals;

struct Order {
    std::uint64_t id;
    std::string customer;
    double total;
};
struct Invoice {
    std::uint64_t order;
    double amount;
};

namespace topics {
inline constexpr weir::topic<Order> orders{"orders"};
inline constexpr weir::topic<Invoice> invoices{"invoices"};
}  // namespace topics

struct Ledger {
    double sum = 0;
    int finished = 0;
};

// One message in, one out. The invoice leaves before the order is acknowledged.
weir::outcome bill(const Order& order, weir::out<topics::invoices> invoices) {
    if (order.total <= 0) return weir::reject("an order needs a price");
    invoices.publish({order.id, order.total * 1.2});
    return weir::ack;
}

// Returning acknowledges, throwing retries. main() provides the ledger.
void book(const Invoice& invoice, Ledger& ledger) {
    ledger.sum += invoice.amount;
    ++ledger.finished;
}

// A rejected order arrives here as it came in; its headers say why.
void bury(weir::bytes order, const weir::headers& about, Ledger& ledger) {
    std::printf("dead: %.*s (%s)\n", static_cast<int>(order.size()), order.data(),
                std::string{about.get("x-weir-reason")}.c_str());
    ++ledger.finished;
}

int main() {
    weir::application app{{"billing", "1.0.0"}};
    Ledger ledger;
    app.provide(ledger);

    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(topics::orders, bill, weir::retries{.attempts = 3, .dead_letter = "orders.dead"});
    broker.subscribe(topics::invoices, book);
    broker.subscribe("orders.dead", bury);

    auto running = app.start_here();  // this thread drives the handlers, in run_until below
    const auto publisher = running.publisher();
    publisher.publish(topics::orders, {1, "Grace", 100.0}).wait_for(1s);
    publisher.publish(topics::orders, {2, "Ada", 0.0}).wait_for(1s);

    running.run_until([&] { return ledger.finished == 2; });
    running.shutdown();
    std::printf("booked %.2f\n", ledger.sum);
}
