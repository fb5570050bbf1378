// expect: weir: this subscription descriptor belongs to another broker - use it there, or through router<that::broker>
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct other_broker;
struct other_subscription {
    using broker = other_broker;
    std::string_view name() const { return "orders"; }
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe(other_subscription{}, handle); }
