// expect: deleted
#include <weir/weir.hpp>

struct Order {
    int id;
};
weir::settled copy(const weir::settled& s) { return s; }
