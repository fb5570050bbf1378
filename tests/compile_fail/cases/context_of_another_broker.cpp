// expect: weir: this handler takes the context of another broker - subscribe it there, or through router<that::broker>
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct other_broker;
struct other_context {
    using broker = other_broker;
    static other_context from(const weir::record&) { return {}; }
};
void handle(const Order&, const other_context&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
