// The first row through one layer of an outer router, which is a hook known at run time.
#include "counting_layer.hpp"
#include "in_process.hpp"

static void on_order(const weir::bench::order& o) { weir::bench::handled(o); }

int main(int argc, char** argv) {
    using namespace weir::bench;
    return count_in_process(argc, argv, small_body, [](auto& broker) {
        weir::router inner;
        inner.subscribe(orders, on_order);
        auto outer = weir::router{}.layer(counting_layer<1>{});
        outer.include(inner);
        broker.include(outer);
    });
}
