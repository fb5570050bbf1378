#include <weir/runtime/leaf_wait.hpp>

#include <string>

namespace weir::detail {

run_loop& require_loop(const char* what) {
    run_loop* loop = run_loop::current();
    if (loop == nullptr) {
        throw error(errc::misuse, std::string("weir: ") + what +
                                      " was awaited outside a run loop; start the task on "
                                      "one, for instance with weir::spawn");
    }
    return *loop;
}

void throw_cancelled(const char* what) {
    throw error(errc::cancelled, std::string("weir: ") + what + " was cancelled by a stop request");
}

}  // namespace weir::detail
