#include <weir/runtime/run_loop.hpp>
#include <weir/runtime/task_group.hpp>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

namespace weir {

namespace {

nanos steady() noexcept { return std::chrono::steady_clock::now().time_since_epoch(); }

void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

run_loop::run_loop(options o) : time_(o.time), spin_(o.spin) {
    // With one processor whoever could bring work waits for ours.
    if (spin_ > nanos{0} && std::thread::hardware_concurrency() == 1) spin_ = nanos{0};
}

run_loop::~run_loop() {
    {
        const entered here(*this);
        delete detached_.exchange(nullptr, std::memory_order_acquire);
    }
    while (posting_.load(std::memory_order_acquire) != 0) pause();
}

task_group& run_loop::detached() {
    task_group* group = detached_.load(std::memory_order_acquire);
    if (group != nullptr) return *group;
    auto made = std::make_unique<task_group>(*this);
    made->on_failure([](std::exception_ptr why) noexcept { task_group::terminate(std::move(why)); });
    if (!detached_.compare_exchange_strong(group, made.get(), std::memory_order_acq_rel)) return *group;
    return *made.release();
}

void run_loop::post(run_node& first, run_node& last) noexcept {
    posting_.fetch_add(1, std::memory_order_relaxed);
    // The inbox is a stack that take_inbox() turns round as a whole, so a chain goes in newest first. `last` becomes
    // the head, and `first` is what links to the nodes that were there before.
    run_node* older = nullptr;
    for (run_node* n = &first; older != &last;) {
        run_node* following = n->next;
        n->next = older;
        older = n;
        n = following;
    }
    run_node* before = inbox_.load(std::memory_order_relaxed);
    do {
        first.next = before;
    } while (
        !inbox_.compare_exchange_weak(before, &last, std::memory_order_seq_cst, std::memory_order_relaxed));
    rouse();
    posting_.fetch_sub(1, std::memory_order_release);
}

void run_loop::wake() noexcept {
    posting_.fetch_add(1, std::memory_order_relaxed);
    woken_.store(true, std::memory_order_seq_cst);
    rouse();
    posting_.fetch_sub(1, std::memory_order_release);
}

// Either this sees that the loop is about to sleep, or idle() sees what was written before: both sides write one
// variable and then read the other's, sequentially consistent.
void run_loop::rouse() noexcept {
    if (asleep_.load(std::memory_order_seq_cst) && asleep_.exchange(false, std::memory_order_seq_cst)) {
        const int saved = errno;  // this may be running in a signal handler
        poller_.wake();
        errno = saved;
    }
}

void run_loop::take_inbox() noexcept {
    run_node* newest = inbox_.exchange(nullptr, std::memory_order_acquire);
    if (newest == nullptr) return;
    run_node* oldest = nullptr;
    for (run_node* n = newest; n != nullptr;) {
        run_node* older = n->next;
        n->next = oldest;
        n->queued = true;
        oldest = n;
        n = older;
    }
    *last_ = oldest;
    last_ = &newest->next;
}

void run_loop::withdraw(run_node& n) noexcept {
    if (!n.queued) take_inbox();
    if (!n.queued) return;
    run_node** link = &first_;
    while (*link != &n) link = &(*link)->next;
    *link = n.next;
    if (n.next == nullptr) last_ = link;
    n.queued = false;
}

void run_loop::at(nanos when, timer& t) {
    cancel(t);
    timers_.insert(when, t);
}

void run_loop::cancel(timer& t) noexcept {
    timers_.erase(t);
    if (t.queued) withdraw(t);
}

void run_loop::unwatch(fd_node& node) noexcept {
    poller_.unwatch(node);
    if (node.queued) withdraw(node);
}

void run_loop::on_turn_end(void (*f)() noexcept) {
    if (std::find(turn_end_.begin(), turn_end_.end(), f) == turn_end_.end()) turn_end_.push_back(f);
}

void run_loop::fire_timers() noexcept {
    const nanos t = now();
    while (timer* due = timers_.pop_due(t)) push(*due);
}

void run_loop::serve() noexcept {
    if (!timers_.empty()) fire_timers();
    if (inbox_.load(std::memory_order_relaxed) != nullptr) take_inbox();
    if (poller_.waiting() != 0) poller_.poll(nanos{0}, *this);
    for (void (*f)() noexcept : turn_end_) f();
}

bool run_loop::run_ready() {
    const entered here(*this);
    bool any = false;
    for (;;) {
        serve();
        if (first_ == nullptr) {
            if (inbox_.load(std::memory_order_relaxed) != nullptr)
                continue;  // a hook of the turn's end posted
            return any;
        }
        any = true;
        for (unsigned left = turn; first_ != nullptr && left != 0; --left) step();
    }
}

// True if there is something to do before `until`, on the loop's clock.
bool run_loop::spin_for_work(nanos until) noexcept {
    const nanos give_up = steady() + spin_;
    do {
        for (int i = 0; i < 32; ++i) {
            if (work_has_come()) return true;
            pause();
        }
        if (until != nanos::max() && now() >= until) return true;
        if (poller_.waiting() != 0) {
            poller_.poll(nanos{0}, *this);
            if (first_ != nullptr) return true;
        }
    } while (steady() < give_up);
    return false;
}

void run_loop::idle() noexcept {
    const nanos until = time_->moves_by_itself ? timers_.next() : nanos::max();
    const nanos began = spin_ > nanos{0} ? steady() : nanos{0};
    if (!recent_ || !spin_for_work(until)) {
        asleep_.store(true, std::memory_order_seq_cst);
        if (inbox_.load(std::memory_order_seq_cst) == nullptr && !woken_.load(std::memory_order_seq_cst)) {
            const nanos left = until == nanos::max() ? until : until - now();
            ++sleeps_;
            poller_.poll(left, *this);
        }
        asleep_.store(false, std::memory_order_seq_cst);
    }
    // An exchange, not a store: reading `true` is what makes the waker's writes visible to the condition.
    woken_.exchange(false, std::memory_order_seq_cst);
    // Spin next time if this time would have been worth it, or nearly.
    recent_ = spin_ > nanos{0} && steady() - began <= 2 * spin_;
}

}  // namespace weir
