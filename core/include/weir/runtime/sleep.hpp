#pragma once
#include <weir/runtime/leaf_wait.hpp>

#include <limits>

namespace weir {

/// See `sleep_for`.
class [[nodiscard]] sleep_wait : private detail::leaf_wait<timer> {
public:
    enum class kind : bool { relative, absolute };
    sleep_wait(kind k, nanos when) noexcept : leaf_wait("sleep", disarm), kind_(k), when_(when) {}

    using leaf_wait::use_stop;
    bool await_ready() {
        prepare();
        return false;
    }
    void await_suspend(std::coroutine_handle<> task) {
        loop().at(due(), *this);
        begin(task);
    }
    void await_resume() const { check(); }

private:
    static void disarm(leaf_wait& w) noexcept { static_cast<sleep_wait&>(w).loop().cancel(w); }
    nanos due() const noexcept {
        if (kind_ == kind::absolute) return when_;
        const nanos now = loop().now();
        return when_ < nanos::max() - now ? now + when_ : nanos::max();
    }
    kind kind_;
    nanos when_;
};

/// Waits on the current loop's clock. `co_await sleep_for(100ms);` ends early with `errc::cancelled` if the task is
/// stopped. Zero and less gives way to everything that is ready.
inline sleep_wait sleep_for(nanos duration) noexcept { return {sleep_wait::kind::relative, duration}; }
/// Waits until `run_loop::now()` has reached `when`.
inline sleep_wait sleep_until(nanos when) noexcept { return {sleep_wait::kind::absolute, when}; }

}  // namespace weir
