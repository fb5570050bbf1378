#pragma once
#include <weir/runtime/leaf_wait.hpp>

namespace weir {

/// See `readable` and `writable`.
class [[nodiscard]] fd_wait : private detail::leaf_wait<fd_node> {
public:
    fd_wait(int descriptor, bool to_write) noexcept
        : leaf_wait(to_write ? "writable" : "readable", stop_watching) {
        fd = descriptor;
        writing = to_write;
    }
    using leaf_wait::use_stop;
    bool await_ready() {
        prepare();
        return false;
    }
    void await_suspend(std::coroutine_handle<> task) {
        loop().watch(*this);
        begin(task);
    }
    void await_resume() const {
        check();
        if (forgotten) throw_closed();
    }

private:
    static void stop_watching(leaf_wait& w) noexcept { static_cast<fd_wait&>(w).loop().unwatch(w); }
    [[noreturn]] void throw_closed() const;
};

/// Waits on the current loop until the descriptor can be read without blocking, is at its end, or has failed. As with
/// poll(2) the answer is a hint: read non-blocking, and wait again on EAGAIN. One task at a time may wait for each
/// direction of a descriptor, a second one gets `errc::already_waited`. Before closing a descriptor that somebody may
/// be waiting for, tell the loop: `run_loop::forget`.
inline fd_wait readable(int fd) noexcept { return {fd, false}; }
/// Likewise for writing.
inline fd_wait writable(int fd) noexcept { return {fd, true}; }

}  // namespace weir
