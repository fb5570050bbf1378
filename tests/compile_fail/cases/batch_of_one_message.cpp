// expect: weir: batch(n) needs a handler that takes std::span<const T>
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) {
    memory.subscribe("orders", handle, weir::batch(8));
}
