// expect: private
#include <weir/weir.hpp>

struct Order {
    int id;
};
weir::settled forge() { return {}; }
