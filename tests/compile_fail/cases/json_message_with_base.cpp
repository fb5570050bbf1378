// expect: weir: this struct has a base class - list its members in a static fields(), with weir::base<Base> for what it inherits
#include <weir/weir.hpp>

struct Event {
    int at;
};
struct Order : Event {
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
