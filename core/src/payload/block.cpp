#include <weir/payload/block.hpp>
#include <weir/runtime/run_loop.hpp>

#include <algorithm>
#include <mutex>
#include <new>
#include <stdexcept>
#include <vector>

namespace weir {
namespace detail {
constinit thread_local block_pool* local_pool = nullptr;
}

namespace {

constexpr std::size_t header_room_kept = 1024;

/// Every pool there has ever been. A block may outlive the thread that made it, so pools are never destroyed; there are as many
/// as threads have run at the same time.
struct registry {
    std::mutex mutex;
    std::vector<block_pool*> all;
    block_pool* idle = nullptr;
};
registry& pools() {
    static registry& instance = *new registry;  // threads may end after static destruction
    return instance;
}

/// Blocks on the way to one foreign pool.
struct departure {
    static constexpr unsigned most = 32;
    block_pool* to = nullptr;
    block* first = nullptr;
    block* last = nullptr;
    unsigned count = 0;
};
constinit thread_local departure leaving{};

}  // namespace

/// Lives as long as its thread; hands the pool on when the thread ends.
class pool_owner {
public:
    pool_owner() {
        registry& r = pools();
        std::lock_guard lock(r.mutex);
        if (r.idle != nullptr) {
            mine_ = r.idle;
            r.idle = std::exchange(mine_->next_, nullptr);
        } else {
            r.all.reserve(r.all.size() + 1);
            mine_ = new block_pool;
            r.all.push_back(mine_);
        }
        detail::local_pool = mine_;
    }
    pool_owner(const pool_owner&) = delete;
    pool_owner& operator=(const pool_owner&) = delete;
    ~pool_owner() {
        send_blocks_home();
        detail::local_pool = nullptr;
        mine_->collect();
        for (block*& head : mine_->free_)
            while (head != nullptr) mine_->give_back(std::exchange(head, head->next));
        registry& r = pools();
        std::lock_guard lock(r.mutex);
        mine_->next_ = std::exchange(r.idle, mine_);
    }
    block_pool& pool() noexcept { return *mine_; }

private:
    block_pool* mine_;
};

block_pool& detail::adopt_pool() {
    thread_local pool_owner owner;
    return owner.pool();
}

block* block_pool::take_slow(std::size_t size, unsigned size_class) {
    if (size_class < classes) {
        collect();
        if (free_[size_class] != nullptr) return take(size);
    }
    if (size > SIZE_MAX / 2) throw std::length_error("weir: a payload of more than half the address space");
    const std::size_t capacity = size_class < classes ? room(size_class) : size;
    const std::size_t whole = sizeof(block) + capacity + block::tail;
    block* b = ::new (::operator new(whole)) block;
    b->size_class = std::min(size_class, classes);
    b->capacity = capacity;
    b->home = this;
    const std::size_t now = bytes_.fetch_add(whole, std::memory_order_relaxed) + whole;
    if (now > high_water_.load(std::memory_order_relaxed)) high_water_.store(now, std::memory_order_relaxed);
    return b;
}

void block_pool::collect() noexcept {
    if (returned_.load(std::memory_order_relaxed) == nullptr) return;
    for (block* b = returned_.exchange(nullptr, std::memory_order_acquire); b != nullptr;) {
        block* following = b->next;
        put(b);
        b = following;
    }
}

void block_pool::give_back(block* b) noexcept {
    bytes_.fetch_sub(sizeof(block) + b->capacity + block::tail, std::memory_order_relaxed);
    b->~block();
    ::operator delete(b);
}

void block_pool::release_slow(block* b) noexcept {
    b->head.clear();
    b->head.trim(header_room_kept);
    block_pool* home = b->home;
    if (b->size_class >= classes || home->bytes_.load(std::memory_order_relaxed) > home->limit_)
        return home->give_back(b);
    if (home == detail::local_pool) return home->put(b);
    if (leaving.to != home || leaving.count == departure::most) {
        send_blocks_home();
        leaving = {home, b, b, 1};
        local_blocks();  // whoever holds something back also has an owner that sends it at the end of the thread
        if (run_loop* here = run_loop::current())
            here->on_turn_end(&send_blocks_home);  // and sooner on a loop
        return;
    }
    b->next = std::exchange(leaving.first, b);
    ++leaving.count;
}

void send_blocks_home() noexcept {
    if (leaving.count == 0) return;
    const departure d = std::exchange(leaving, {});
    d.last->next = d.to->returned_.load(std::memory_order_relaxed);
    while (!d.to->returned_.compare_exchange_weak(d.last->next, d.first, std::memory_order_release,
                                                  std::memory_order_relaxed)) {}
}

block_pool::statistics block_statistics() noexcept {
    registry& r = pools();
    std::lock_guard lock(r.mutex);
    block_pool::statistics sum;
    for (const block_pool* p : r.all) {
        const block_pool::statistics s = p->stats();
        sum.bytes += s.bytes;
        sum.high_water += s.high_water;
    }
    return sum;
}

}  // namespace weir
