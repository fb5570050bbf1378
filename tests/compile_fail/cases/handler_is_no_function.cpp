// expect: weir: this handler is generic or overloaded - name the message type, e.g. [](const Order& order) {...}
#include <weir/weir.hpp>

struct Order {
    int id;
};

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", Order{}); }
