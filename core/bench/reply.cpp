// The handler's value is encoded and published to a declared destination before its input is acknowledged.
#include "in_process.hpp"

struct receipt {
    std::uint64_t id;
};

static receipt on_order(const weir::bench::order& o) {
    weir::bench::handled(o);
    return {o.id};
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body, [](auto& broker) {
        broker.subscribe(weir::bench::orders, on_order, weir::reply_to("receipts"));
    });
}
