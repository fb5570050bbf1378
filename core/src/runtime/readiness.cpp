#include <weir/runtime/readiness.hpp>

#include <string>

namespace weir {

void fd_wait::throw_closed() const {
    throw error(errc::closed, "weir: descriptor " + std::to_string(fd) +
                                  " was closed while a task waited for it to be " +
                                  (writing ? "writable" : "readable"));
}

}  // namespace weir
