// The first row: decode a small JSON object, read both members, acknowledge.
#include "in_process.hpp"

static void on_order(const weir::bench::order& o) { weir::bench::handled(o); }

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body, [](auto& broker) {
        broker.subscribe(weir::bench::orders, on_order);
    });
}
