// expect: weir: the reply's type differs from the message type of the topic in reply_to
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Receipt {
    int order;
};
inline constexpr weir::topic<Order> orders{"orders"};
Receipt handle(const Order&) { return {}; }

void wire(weir::attached<weir::memory::broker>& memory) {
    memory.subscribe(orders, handle, weir::reply_to(orders));
}
