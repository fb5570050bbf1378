// Every message asks once to be delivered again, and is acknowledged the second time.
#include "in_process.hpp"

static weir::outcome on_order(const weir::bench::order& o, const weir::context& c) {
    weir::bench::handled(o);
    if (c.attempt() == 1) return weir::retry_in(weir::nanos{0});
    return weir::ack;
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(
        argc, argv, weir::bench::small_body,
        [](auto& broker) { broker.subscribe(weir::bench::orders, on_order); }, 2);
}
