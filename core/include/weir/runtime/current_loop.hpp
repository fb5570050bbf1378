#pragma once

namespace weir {

class run_loop;

namespace detail {
/// What `run_loop::current()` answers; apart from the class so that a task can ask without including the loop.
inline constinit thread_local run_loop* current_loop = nullptr;
}  // namespace detail

}  // namespace weir
