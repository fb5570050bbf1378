// expect: weir: a message cannot hold a raw pointer - use std::string, std::optional or std::unique_ptr
#include <weir/weir.hpp>

struct Order {
    const char* customer;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
