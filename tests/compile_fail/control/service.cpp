// What the cases do wrong, done right: if this does not compile, no refusal of a case means anything.
#include <weir/weir.hpp>

#include <cstdint>
#include <span>
#include <string>

using namespace std::chrono_literals;

struct Order {
    std::uint64_t id;
    std::string customer;
    double total;
};
struct Invoice {
    std::uint64_t order;
    std::string text;
};
struct Ledger {
    double sum = 0;
};

inline constexpr weir::topic<Order> orders{"orders"};
inline constexpr weir::topic<Invoice> invoices{"invoices"};

weir::outcome bill(const Order& order, weir::out<invoices> out) {
    if (order.total <= 0) return weir::reject("an order needs a price");
    out.publish({order.id, "for " + order.customer});
    return weir::ack;
}
void book(const Order& order, Ledger& ledger) { ledger.sum += order.total; }
void watch(const Order&, const weir::context&, const weir::headers&) {}
weir::task<void> archive(std::span<const Order> batch, const Ledger&) {
    for (const Order& order : batch) (void)order.id;
    co_return;
}
weir::settled transfer(weir::delivery<Order> order) { return std::move(order).ack(); }
weir::task<weir::outcome> raw(weir::bytes) { co_return weir::ack; }

void wire(weir::application& app, Ledger& ledger) {
    app.provide(ledger);
    auto& memory = app.use(weir::memory::broker{});
    memory.subscribe(orders, bill, weir::retries{.attempts = 5, .backoff = weir::exponential(100ms, 30s)});
    memory.subscribe(orders, book);
    memory.subscribe("orders", watch, weir::prefetch(16));
    memory.subscribe(orders, archive, weir::batch(64), weir::workers(4));
    memory.subscribe(orders, transfer);
    memory.subscribe("orders", raw, weir::workers(2));
    memory.subscribe(orders, [](const Order& order) -> weir::outcome {
        return order.id == 0 ? weir::discard : weir::ack;
    });
}
