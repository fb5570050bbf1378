// expect: deleted
#include <weir/weir.hpp>

struct Order {
    int id;
};
weir::delivery<Order> copy(const weir::delivery<Order>& d) { return d; }
