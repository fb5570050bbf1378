// expect: weir: a batch handler does not reply - publish with out<topic>
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Receipt {
    int order;
};
Receipt handle(std::span<const Order>) { return {}; }

void wire(weir::attached<weir::memory::broker>& memory) {
    memory.subscribe("orders", handle, weir::batch(8), weir::reply_to("receipts"));
}
