// The first row with a coroutine as its handler.
#include "in_process.hpp"

static weir::task<void> on_order(const weir::bench::order& o) {
    weir::bench::handled(o);
    co_return;
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body, [](auto& broker) {
        broker.subscribe(weir::bench::orders, on_order);
    });
}
