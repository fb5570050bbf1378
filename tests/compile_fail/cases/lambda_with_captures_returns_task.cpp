// expect: weir: a lambda that captures must not return a task - pass what it needs as a parameter and app.provide(x)
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Ledger {
    int sum = 0;
};
weir::task<void> book(Ledger& ledger, const Order& order) {
    ledger.sum += order.id;
    co_return;
}
Ledger ledger;

void wire(weir::attached<weir::memory::broker>& memory) {
    Ledger* at = &ledger;
    memory.subscribe("orders", [at](const Order& order) -> weir::task<void> { return book(*at, order); });
}
