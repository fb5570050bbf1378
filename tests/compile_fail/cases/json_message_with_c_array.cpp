// expect: weir: this struct has a C array - use std::array, or list its members in a static fields()
#include <weir/weir.hpp>

struct Order {
    int codes[3];
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
