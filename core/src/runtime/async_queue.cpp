#include <weir/runtime/async_queue.hpp>

#include <string>

namespace weir::detail {

void throw_queue_closed(const char* what) {
    throw error(errc::closed, std::string("weir: ") + what + " a closed queue");
}

}  // namespace weir::detail
