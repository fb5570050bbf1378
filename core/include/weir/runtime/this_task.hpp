#pragma once
#include <weir/runtime/leaf_wait.hpp>

namespace weir::this_task {

/// See `stop_token()`.
class [[nodiscard]] stop_token_query {
public:
    stop_token_query() noexcept {}
    void use_stop(stop_state* stop) noexcept { stop_ = stop; }
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    weir::stop_token await_resume() const noexcept { return weir::stop_token(stop_); }

private:
    stop_state* stop_ = nullptr;
};

/// `const weir::stop_token stop = co_await this_task::stop_token();` the stop that this task's waits obey.
inline stop_token_query stop_token() noexcept { return {}; }

/// See `yield()`.
class [[nodiscard]] yield_wait : private detail::leaf_wait<> {
public:
    yield_wait() noexcept : leaf_wait("yield", [](leaf_wait&) noexcept {}) {}
    using leaf_wait::use_stop;
    bool await_ready() {
        prepare();
        return false;
    }
    void await_suspend(std::coroutine_handle<> task) noexcept { begin_arrived(task); }
    void await_resume() const noexcept {}
};

/// Lets everything run that is ready now, then goes on.
inline yield_wait yield() noexcept { return {}; }

}  // namespace weir::this_task
