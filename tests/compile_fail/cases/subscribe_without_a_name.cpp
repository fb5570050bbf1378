// expect: weir: subscribe takes a name, a topic or a descriptor of this broker first, then the handler
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe(42, handle); }
