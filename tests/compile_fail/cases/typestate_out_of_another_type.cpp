// expect: no matching
#include <weir/weir.hpp>

struct Order {
    int id;
};
struct Invoice {
    int order;
};
inline constexpr weir::topic<Order> orders{"orders"};

void publish(weir::out<orders> to, const Invoice& i) { to.publish(i); }
