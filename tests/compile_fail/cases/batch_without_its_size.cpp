// expect: weir: a batch handler says how many messages it takes at most - add batch(n)
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(std::span<const Order>) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
