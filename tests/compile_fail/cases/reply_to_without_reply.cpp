// expect: weir: reply_to(...) needs a handler that returns the reply
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) {
    memory.subscribe("orders", handle, weir::reply_to("receipts"));
}
