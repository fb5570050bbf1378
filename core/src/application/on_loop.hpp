#pragma once
#include <weir/runtime/run_loop.hpp>

#include <coroutine>

namespace weir::detail {

/// Runs `f` on another loop's thread and comes back: `on_loop call(loop, f); co_await call;`. Not to be stopped: it takes one
/// turn of the other loop.
template <class F> class on_loop : run_node {
public:
    on_loop(run_loop& there, const F& f) noexcept : there_(there), f_(f) {}
    on_loop(const on_loop&) = delete;
    on_loop& operator=(const on_loop&) = delete;

    bool await_ready() {
        if (!there_.is_current()) return false;
        f_();
        return true;
    }
    void await_suspend(std::coroutine_handle<> task) noexcept {
        task_ = task;
        here_ = run_loop::current();
        run = [](run_node* n) noexcept {
            auto& self = *static_cast<on_loop*>(n);
            self.f_();
            self.run = [](run_node* back) noexcept { static_cast<on_loop*>(back)->task_.resume(); };
            self.here_->post(self);
        };
        there_.post(*this);
    }
    void await_resume() const noexcept {}

private:
    run_loop& there_;
    const F& f_;
    run_loop* here_ = nullptr;
    std::coroutine_handle<> task_{};
};

}  // namespace weir::detail
