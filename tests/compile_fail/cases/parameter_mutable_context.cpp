// expect: weir: a further parameter is out<topic>, const context&, const headers&, stop_token, or a T& or const T& given to app.provide(x)
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(const Order&, weir::context&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
