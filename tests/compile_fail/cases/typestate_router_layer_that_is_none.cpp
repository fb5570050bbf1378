// expect: no member named
#include <weir/weir.hpp>

struct nothing_to_do {};

void wire() { auto r = weir::router{"shop."}.layer(nothing_to_do{}); }
