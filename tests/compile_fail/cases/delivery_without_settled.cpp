// expect: weir: a handler that takes delivery<T> must return settled - settle the delivery on every path
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(weir::delivery<Order>) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
