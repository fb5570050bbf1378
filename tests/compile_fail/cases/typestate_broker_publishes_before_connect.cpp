// expect: no member named
#include <weir/weir.hpp>

void publish(weir::memory::broker& b) { (void)b.publishes(); }
