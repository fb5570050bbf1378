// expect: argument
#include <weir/weir.hpp>

void connect(weir::memory::broker& b, weir::connect_context c) { (void)b.connect(c); }
