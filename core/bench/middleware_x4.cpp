// The first row through four layers.
#include "counting_layer.hpp"
#include "in_process.hpp"

static void on_order(const weir::bench::order& o) { weir::bench::handled(o); }

int main(int argc, char** argv) {
    using namespace weir::bench;
    return count_in_process(argc, argv, small_body, [](auto& broker) {
        auto r = weir::router{}
                     .layer(counting_layer<1>{})
                     .layer(counting_layer<2>{})
                     .layer(counting_layer<3>{})
                     .layer(counting_layer<4>{});
        r.subscribe(orders, on_order);
        broker.include(r);
    });
}
