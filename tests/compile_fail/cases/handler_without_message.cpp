// expect: weir: a handler takes the message as its first parameter
#include <weir/weir.hpp>

void handle() {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
