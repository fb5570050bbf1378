// expect: weir: the handler's message type differs from the topic's
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Invoice {
    int order;
};
inline constexpr weir::topic<Order> orders{"orders"};
void handle(const Invoice&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe(orders, handle); }
