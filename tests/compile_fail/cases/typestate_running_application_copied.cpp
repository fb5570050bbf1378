// expect: deleted
#include <weir/weir.hpp>

weir::running_application copy(const weir::running_application& a) { return a; }
