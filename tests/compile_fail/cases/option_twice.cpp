// expect: weir: an option is named twice - give each option once
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) {
    memory.subscribe("orders", handle, weir::prefetch(4), weir::prefetch(8));
}
