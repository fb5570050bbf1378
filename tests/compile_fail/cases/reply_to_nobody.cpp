// expect: weir: the handler returns a reply, but nothing says where it goes - add reply_to("name")
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Receipt {
    int order;
};
Receipt handle(const Order&) { return {}; }

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
