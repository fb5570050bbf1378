// expect: deleted
#include <weir/weir.hpp>

struct Order {
    int id;
};
weir::outcome copy(const weir::outcome& o) { return o; }
