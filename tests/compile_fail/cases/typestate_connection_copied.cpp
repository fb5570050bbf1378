// expect: deleted
#include <weir/weir.hpp>

weir::memory::connection copy(const weir::memory::connection& c) { return c; }
