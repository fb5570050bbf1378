#include <weir/runtime/task_group.hpp>

#include <cstdio>
#include <utility>

namespace weir {

/// The promise of the coroutine around a spawned task is what the group links; the frame ends by itself when the task
/// does, and leaves the group as it goes.
struct task_group::member : run_node {
    member(task_group& g, task<void>&) noexcept : group(g) {
        run = [](run_node* n) noexcept { static_cast<member*>(n)->frame().resume(); };
        group.size_.fetch_add(1, std::memory_order_relaxed);
    }
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member() {
        if (queued) group.loop_.withdraw(*this);
        if (linked) {
            (before != nullptr ? before->after : group.first_) = after;
            if (after != nullptr) after->before = before;
        }
        if (group.size_.fetch_sub(1, std::memory_order_acq_rel) == 1 && group.drainer_ != nullptr) {
            group.drainer_->arrive_last();
        }
    }
    std::coroutine_handle<member> frame() noexcept {
        return std::coroutine_handle<member>::from_promise(*this);
    }

    holder get_return_object() noexcept;
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }  // hold() lets nothing out
    static void* operator new(std::size_t size) { return detail::new_frame(size); }
    static void operator delete(void* frame, std::size_t size) noexcept { detail::free_frame(frame, size); }

    task_group& group;
    bool linked = false;
    member* after = nullptr;
    member* before = nullptr;
};

struct task_group::holder {
    using promise_type = member;
    member* promise;
};

task_group::holder task_group::member::get_return_object() noexcept { return holder{this}; }

task_group::holder task_group::hold(task_group& group, task<void> what) {
    what.use_stop(group.stop_);
    std::exception_ptr why;
    try {
        co_await std::move(what);
    } catch (...) {
        why = std::current_exception();
    }
    if (why != nullptr) group.failed(std::move(why));
}

task_group::task_group(run_loop& loop) noexcept : loop_(loop) {
    arrivals_.group = this;
    arrivals_.run = [](run_node* n) noexcept { static_cast<arrivals*>(n)->group->take_posted(); };
}

task_group::~task_group() {
    clear();
    if (failure_ == nullptr) return;
    // Nobody drained the group, and what went wrong must not vanish with it.
    try {
        std::rethrow_exception(failure_);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "weir: a task group was destroyed with a failure nobody looked at: %s\n",
                     e.what());
    } catch (...) {
        std::fprintf(stderr, "weir: a task group was destroyed with a failure nobody looked at\n");
    }
}

void task_group::start(member& m) noexcept {
    m.linked = true;
    m.after = first_;
    if (first_ != nullptr) first_->before = &m;
    first_ = &m;
    loop_.push(m);
}

void task_group::spawn(task<void> what) { start(*hold(*this, std::move(what)).promise); }

void task_group::post(task<void> what) {
    member* m = hold(*this, std::move(what)).promise;
    const std::lock_guard hold_lock(lock_);
    m->after = std::exchange(posted_, m);
    // Under the lock, so that clear() finds the node posted if it finds the task. The list was empty: the node has
    // run since it was last posted.
    if (m->after == nullptr) loop_.post(arrivals_);
}

void task_group::take_posted() noexcept {
    member* newest = nullptr;
    {
        const std::lock_guard hold_lock(lock_);
        newest = std::exchange(posted_, nullptr);
    }
    member* oldest = nullptr;
    while (newest != nullptr) {
        member* older = std::exchange(newest->after, oldest);
        oldest = std::exchange(newest, older);
    }
    while (oldest != nullptr) {
        member* m = std::exchange(oldest, oldest->after);
        start(*m);
    }
}

void task_group::clear() noexcept {
    loop_.withdraw(arrivals_);
    take_posted();
    while (first_ != nullptr) first_->frame().destroy();
}

void task_group::failed(std::exception_ptr why) noexcept {
    if (stop_.stop_requested()) {
        try {
            std::rethrow_exception(why);
        } catch (const error& e) {
            if (e.code() == errc::cancelled) return;
        } catch (...) {}  // a failure of its own, stopped or not: kept or told below
    }
    if (on_failure_ != nullptr) on_failure_(std::move(why));
    else if (failure_ == nullptr) failure_ = std::move(why);
}

void task_group::terminate(std::exception_ptr why) noexcept {
    try {
        std::rethrow_exception(why);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "weir: an exception left a spawned task: %s\n", e.what());
    } catch (...) {
        std::fprintf(stderr, "weir: an exception left a spawned task\n");
    }
    std::terminate();
}

task_group::drain_wait::drain_wait(task_group& group) noexcept : leaf_wait("drain", leave), group_(group) {}

void task_group::drain_wait::leave(leaf_wait& w) noexcept {
    static_cast<drain_wait&>(w).group_.drainer_ = nullptr;
}

bool task_group::drain_wait::await_ready() {
    prepare();
    if (group_.drainer_ != nullptr)
        throw error(errc::already_waited, "weir: another task already drains this group");
    return group_.size() == 0;
}

void task_group::drain_wait::await_suspend(std::coroutine_handle<> task) noexcept {
    group_.drainer_ = this;
    begin(task);
}

void task_group::drain_wait::arrive_last() noexcept {
    group_.drainer_ = nullptr;
    arrive();
}

void task_group::drain_wait::await_resume() {
    check();
    if (group_.failure_ != nullptr) std::rethrow_exception(std::exchange(group_.failure_, nullptr));
}

void spawn(run_loop& loop, task<void> what) { loop.detached().post(std::move(what)); }

}  // namespace weir
