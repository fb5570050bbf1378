// expect: weir: a time in a message counts whole units of a decimal fraction of a second, or of whole seconds - use std::chrono::sys_time<std::chrono::milliseconds> or the like
#include <weir/weir.hpp>

struct Order {
    std::chrono::sys_time<std::chrono::duration<std::int64_t, std::ratio<1, 3>>> placed;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
