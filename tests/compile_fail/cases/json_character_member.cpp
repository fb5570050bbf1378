// expect: weir: a character type is neither text nor number in JSON - use std::string, or std::int8_t/std::uint8_t for a number
#include <weir/weir.hpp>

struct Order {
    char initial;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
