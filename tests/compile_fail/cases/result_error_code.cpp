// expect: weir: a handler returns void, outcome, settled, a reply, or a task<> of one of them (not a number, bool, pointer or error code)
#include <weir/weir.hpp>

struct Order {
    int id;
};
std::error_code handle(const Order&) { return {}; }

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
