// expect: deleted
#include <weir/weir.hpp>

weir::publish_operation copy(const weir::publish_operation& o) { return o; }
