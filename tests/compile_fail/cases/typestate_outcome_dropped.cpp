// expect: nodiscard
#include <weir/weir.hpp>

void drop() { weir::retry_in(std::chrono::seconds{1}); }
