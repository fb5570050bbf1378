// expect: argument
#include <weir/weir.hpp>

struct Order {
    int id;
};
void settle(const weir::delivery<Order>& d) { (void)d.ack(); }
