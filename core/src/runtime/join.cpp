#include <weir/runtime/join.hpp>

namespace weir::detail {

std::coroutine_handle<> join_leg::promise_type::finish::await_suspend(
    std::coroutine_handle<promise_type> h) const noexcept {
    const join& joined = h.promise().of;
    if (joined.left_ == 0 && joined.parent_) return joined.parent_;
    return std::noop_coroutine();
}

join_leg join::follow(join& of, std::size_t index, bool (*failed)(const void*), const void* which) {
    of.ended(index, failed(which));
    co_return;
}

void join::ended(std::size_t index, bool failed) noexcept {
    --left_;
    if (first_ != none || !(failed || until_first_)) return;
    first_ = index;
    // The others learn of it through their waits, which become ready now and end in later turns of the loop.
    stop_.request_stop();
}

}  // namespace weir::detail
