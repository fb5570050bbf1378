// expect: weir: the handler returns a reply, but nothing says where it goes - add reply_to("name")
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Receipt {
    int order;
};
weir::result<Receipt, weir::outcome> handle(const Order&) { return weir::discard; }

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
