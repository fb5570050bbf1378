// expect: nodiscard
#include <weir/weir.hpp>

void publish(const weir::publisher& p) { p.publish("orders", weir::bytes{}); }
