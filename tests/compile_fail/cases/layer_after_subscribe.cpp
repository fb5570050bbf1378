// expect: weir: write layers before the first subscribe: auto r = router{"p."}.layer(a).layer(b)
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct trace {
    void before(const weir::incoming&) {}
    void after(const weir::incoming&, weir::outcome&) {}
};
void handle(const Order&) {}

void wire() {
    weir::router r{"shop."};
    r.subscribe("orders", handle);
    r.layer(trace{});
}
