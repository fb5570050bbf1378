// expect: weir: workers(n) helps only a handler that suspends - return a task<>, or run the application on more threads
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) {
    memory.subscribe("orders", handle, weir::workers(4));
}
