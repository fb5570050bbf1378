// expect: weir: one outcome for each message is for handlers that take std::span<const T> - return one outcome
#include <weir/weir.hpp>

struct Order {
    int id;
};
std::vector<weir::outcome> handle(const Order&) { return {}; }

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
