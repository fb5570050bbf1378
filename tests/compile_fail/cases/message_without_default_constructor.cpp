// expect: weir: a message type needs a default constructor: it is made once and decoded into again and again
#include <weir/weir.hpp>

struct Order {
    explicit Order(int n) : id(n) {}
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
