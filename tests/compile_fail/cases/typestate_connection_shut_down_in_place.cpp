// expect: argument
#include <weir/weir.hpp>

void end(weir::memory::connection& c) { (void)c.shutdown(); }
