// expect: weir: an option asks for what this broker cannot do - remove it, or use a broker that has the capability
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct from_the_start {
    static constexpr weir::option_slot fills = weir::option_slot::start;
    static constexpr unsigned needs = weir::can_replay;
    void apply(weir::settings&) const {}
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) {
    memory.subscribe("orders", handle, from_the_start{});
}
