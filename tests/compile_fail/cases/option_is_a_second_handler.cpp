// expect: weir: after the handler come options such as batch(64), workers(4), retries{...} or reply_to("name")
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&) {}
void also(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle, also); }
