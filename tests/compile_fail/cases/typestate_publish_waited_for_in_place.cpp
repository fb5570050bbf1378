// expect: argument
#include <weir/weir.hpp>

void publish(weir::publish_operation& o) { o.wait_for(std::chrono::seconds{1}); }
