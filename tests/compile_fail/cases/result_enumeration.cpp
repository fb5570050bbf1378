// expect: weir: a handler returns void, outcome, settled, a reply, or a task<> of one of them (not a number, bool, pointer or error code)
#include <weir/weir.hpp>

struct Order {
    int id;
};
weir::errc handle(const Order&) { return weir::errc::closed; }

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
