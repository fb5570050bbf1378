// expect: nodiscard
#include <weir/weir.hpp>

struct Order {
    int id;
};
void drop(weir::delivery<Order> d) { std::move(d).ack(); }
