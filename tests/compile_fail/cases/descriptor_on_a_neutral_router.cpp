// expect: weir: this subscription descriptor belongs to another broker - use it there, or through router<that::broker>
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&) {}

void wire(weir::router<>& r) { r.subscribe(weir::memory::subscription("orders"), handle); }
