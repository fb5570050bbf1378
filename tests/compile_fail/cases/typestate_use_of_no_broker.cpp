// expect: no matching
#include <weir/weir.hpp>

struct Order {
    int id;
};
void wire(weir::application& a) { a.use(Order{}); }
