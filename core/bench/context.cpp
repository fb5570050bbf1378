// The first row with the delivery's context injected, and one question asked of it.
#include "in_process.hpp"

static void on_order(const weir::bench::order& o, const weir::context& c) {
    weir::bench::keep(c.attempt());
    weir::bench::handled(o);
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body, [](auto& broker) {
        broker.subscribe(weir::bench::orders, on_order);
    });
}
