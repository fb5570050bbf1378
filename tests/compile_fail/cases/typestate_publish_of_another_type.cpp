// expect: no matching
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Invoice {
    int order;
};
inline constexpr weir::topic<Order> orders{"orders"};

void publish(const weir::publisher& p, const Invoice& i) { (void)p.publish(orders, i).try_now(); }
