// No codec: what the dispatch loop and the broker cost alone.
#include "in_process.hpp"

static void on_bytes(weir::bytes body) {
    weir::bench::keep(body.data());
    weir::bench::keep(body.size());
    weir::bench::handled();
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body,
                                         [](auto& broker) { broker.subscribe("orders", on_bytes); });
}
