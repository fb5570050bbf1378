// Batches of up to 64 messages.
#include "in_process.hpp"

#include <span>

static void on_orders(std::span<const weir::bench::order> all) {
    for (const weir::bench::order& o : all) weir::bench::handled(o);
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body, [](auto& broker) {
        broker.subscribe(weir::bench::orders, on_orders, weir::batch(64));
    });
}
