#include <weir/runtime/task.hpp>

#include <cstdio>
#include <cstdlib>

namespace weir::detail {

void resumed_on_foreign_loop(const char* at) noexcept {
    std::fprintf(
        stderr,
        "weir: a task was resumed on a foreign thread: it was started on one run loop and %s on another "
        "thread or loop. Bring results back with weir::completion, or post to the task's own loop.\n",
        at);
    std::abort();
}

}  // namespace weir::detail
