#include <weir/runtime/leaf_wait.hpp>

#include <string>

namespace weir::detail {

void throw_no_loop(const char* what) {
    throw error(errc::misuse,
                std::string("weir: ") + what +
                    " needs a run loop on this thread; start the task on one, for instance with "
                    "weir::spawn");
}

void throw_cancelled(const char* what) {
    throw error(errc::cancelled, std::string("weir: ") + what + " was cancelled by a stop request");
}

}  // namespace weir::detail
