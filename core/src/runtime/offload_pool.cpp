#include <weir/runtime/offload_pool.hpp>

#include <algorithm>

#include <pthread.h>

namespace weir {

offload_pool::offload_pool(options o) : limit_(std::max<std::size_t>(o.queue, 1)) {
    const unsigned count = std::max(o.threads, 1u);
    threads_.reserve(count);
    try {
        for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
    } catch (...) {
        shutdown();
        for (std::thread& t : threads_) t.join();
        throw;
    }
}

offload_pool::~offload_pool() {
    shutdown();
    for (std::thread& t : threads_) t.join();
}

offload_pool& offload_pool::shared() {
    static offload_pool pool;
    return pool;
}

void offload_pool::work() {
    ::pthread_setname_np(::pthread_self(), "weir-offload");
    for (;;) {
        std::shared_ptr<job> next;
        {
            std::unique_lock hold(lock_);
            has_work_.wait(hold, [this] { return closed_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            next = std::move(jobs_.front());
            jobs_.pop_front();
            place_is_free();
        }
        next->run();
    }
}

// Under the lock. The place goes to the first who waits, or back.
void offload_pool::place_is_free() noexcept {
    if (room_wait* w = callers_.take_first()) w->answer(room_wait::state::granted);
    else --taken_;
}

void offload_pool::give_back_place() noexcept {
    const std::lock_guard hold(lock_);
    place_is_free();
}

void offload_pool::withdraw(const std::shared_ptr<job>& which) noexcept {
    std::shared_ptr<job> out;  // destroyed outside the lock
    const std::lock_guard hold(lock_);
    const auto at = std::find(jobs_.begin(), jobs_.end(), which);
    if (at == jobs_.end()) return;
    out = std::move(*at);
    jobs_.erase(at);
    place_is_free();
}

void offload_pool::shutdown() noexcept {
    std::deque<std::shared_ptr<job>> refused;
    {
        const std::lock_guard hold(lock_);
        closed_ = true;
        taken_ -= jobs_.size();
        refused.swap(jobs_);
        while (room_wait* w = callers_.take_first()) w->answer(room_wait::state::refused);
    }
    has_work_.notify_all();
    for (const std::shared_ptr<job>& j : refused) j->refuse();
}

std::size_t offload_pool::queued() const {
    const std::lock_guard hold(lock_);
    return taken_;
}

void offload_pool::place::submit(std::shared_ptr<job> what) {
    offload_pool& pool = *pool_;
    {
        const std::lock_guard hold(pool.lock_);
        if (pool.closed_) throw error(errc::closed, "weir: the offload pool was shut down");
        pool.jobs_.push_back(std::move(what));
        pool_ = nullptr;
    }
    pool.has_work_.notify_one();
}

offload_pool::room_wait::room_wait(offload_pool& pool) noexcept : leaf_wait("offload", leave), pool_(pool) {
    grant_.to = this;
    grant_.run = [](run_node* n) noexcept {
        room_wait* to = static_cast<grant*>(n)->to;
        to->loop().external_end();
        run_node* self = to;
        self->run(self);
    };
}

// Under the pool's lock, on any thread.
void offload_pool::room_wait::answer(state how) noexcept {
    how_ = how;
    loop().post(grant_);
}

bool offload_pool::room_wait::await_suspend(std::coroutine_handle<> task) noexcept {
    const std::lock_guard hold(pool_.lock_);
    if (pool_.closed_) {
        how_ = state::refused;
        return false;
    }
    if (pool_.taken_ < pool_.limit_) {
        ++pool_.taken_;
        how_ = state::granted;
        return false;
    }
    how_ = state::listed;
    pool_.callers_.append(*this);
    loop().external_begin();
    begin(task);
    return true;
}

void offload_pool::room_wait::leave(leaf_wait& w) noexcept {
    auto& self = static_cast<room_wait&>(w);
    {
        const std::lock_guard hold(self.pool_.lock_);
        if (self.how_ == state::listed) self.pool_.callers_.erase(self);
        else if (self.how_ == state::granted) self.pool_.place_is_free();  // too late for this one
        self.how_ = state::outside;
    }
    self.loop().withdraw(self.grant_);
    self.loop().external_end();
}

offload_pool::place offload_pool::room_wait::await_resume() {
    check();
    if (how_ == state::refused) throw error(errc::closed, "weir: the offload pool was shut down");
    return place(pool_);
}

}  // namespace weir
