// expect: no member named
#include <weir/weir.hpp>

void subscribe(weir::memory::broker& b, const weir::subscribe_request& r) { (void)b.subscribe(r); }
