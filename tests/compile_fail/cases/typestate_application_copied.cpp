// expect: deleted
#include <weir/weir.hpp>

weir::application copy(const weir::application& a) { return a; }
