// expect: weir: only a handler that takes delivery<T> returns settled - return void or an outcome
#include <weir/weir.hpp>

struct Order {
    int id;
};
weir::settled handle(const Order&);

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
