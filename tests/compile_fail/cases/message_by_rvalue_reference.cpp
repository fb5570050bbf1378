// expect: weir: take the message as const T&, T, std::span<const T> or delivery<T> (not T&, T&& or T*)
#include <weir/weir.hpp>

struct Order {
    int id;
};
void handle(Order&&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
