// expect: argument
#include <weir/weir.hpp>

struct Order {
    int id;
};
weir::settled settle(weir::delivery<Order>& d) { return d.ack(); }
