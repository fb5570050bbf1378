#include "hub.hpp"
#include "queue.hpp"

#include <algorithm>
#include <bit>

namespace weir::memory {

// ---------------------------------------------------------------- queue

queue::queue(const routed_subscription& s, route_rule rule, const options& o, wait_graph& waits)
    : name_(s.name),
      group_(s.group),
      pattern_(s.pattern),
      rule_(rule),
      capacity_(o.capacity),
      waits_(waits),
      ring_(std::min(std::bit_ceil(o.capacity), 64u)) {}

queue::~queue() {
    consumers_.clear();
    while (read_ != write_) release(ring_[read_++ & (ring_.size() - 1)].body);
}

bool queue::full() const noexcept {
    return used_.load(std::memory_order_relaxed) >= capacity_ && places() >= capacity_;
}

unsigned queue::places() const noexcept {
    // Handing in stores these two the other way round, so that what is seen here without the queue's lock may be too much
    // and is never too little.
    unsigned n = used_.load(std::memory_order_acquire);
    for (const auto& c : consumers_) n -= c->gathered_.load(std::memory_order_seq_cst);
    return n;
}

void queue::use(unsigned n) noexcept {
    used_.store(used_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

void queue::give_up(unsigned n) noexcept {
    used_.store(used_.load(std::memory_order_relaxed) - n, std::memory_order_release);
}

bool queue::drop_oldest() noexcept {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    if (read_ == write_) return false;
    release(ring_[read_++ & (ring_.size() - 1)].body);
    give_up(1);
    return true;
}

void queue::push(block* body, std::uint32_t size) noexcept {
    use(1);
    put({body, size, 1, ++ids_});
}

void queue::put(const entry& e) noexcept {
    if (write_ - read_ == ring_.size()) [[unlikely]]
        grow();
    ring_[write_++ & (ring_.size() - 1)] = e;
    wake_one();
}

void queue::put_first(const entry& e) noexcept {
    if (write_ - read_ == ring_.size()) [[unlikely]]
        grow();
    if (read_ == 0) {  // positions are unsigned: move both up by whole rounds
        read_ += ring_.size();
        write_ += ring_.size();
    }
    ring_[--read_ & (ring_.size() - 1)] = e;
    wake_one();
}

void queue::grow() {
    std::vector<entry> wider(ring_.size() * 2);
    const std::uint64_t n = write_ - read_;
    for (std::uint64_t i = 0; i != n; ++i) wider[i] = ring_[(read_ + i) & (ring_.size() - 1)];
    ring_ = std::move(wider);
    read_ = 0;
    write_ = n;
}

void queue::wake_one() noexcept {
    const std::size_t n = consumers_.size();
    for (std::size_t i = 0; i != n; ++i) {
        consumer& c = *consumers_[next_woken_ < n ? next_woken_ : 0];
        next_woken_ = next_woken_ + 1 < n ? next_woken_ + 1 : 0;
        if (!c.armed_ || c.stopped_.load(std::memory_order_relaxed)) continue;
        c.armed_ = false;
        c.to_.wake();
        return;
    }
}

void queue::hand_in(consumer& c) noexcept {
    const unsigned n = c.gathered_.load(std::memory_order_relaxed);
    c.gathered_.store(0, std::memory_order_relaxed);
    give_up(n);
    if (first_waiting_ != nullptr) [[unlikely]]
        let_in(n);
    else crowded_.store(false, std::memory_order_relaxed);  // whoever wanted to wait did not have to
}

void queue::pass_on() noexcept {
    if (first_waiting_ != nullptr && !full()) let_in(1);
}

void queue::let_in(unsigned n) noexcept {
    std::lock_guard lock(waits_.mutex);
    for (; n != 0 && first_waiting_ != nullptr; --n) {
        publish_waiter& who = *first_waiting_;
        first_waiting_ = who.next;
        who.queue = nullptr;
        who.granted = this;
        who.result = closed_ ? publish_status::closed : publish_status::done;
        who.wake(&who);
    }
    if (first_waiting_ == nullptr) {
        last_waiting_ = &first_waiting_;
        crowded_.store(false, std::memory_order_relaxed);
    }
}

queue::wait_answer queue::wait_for_room(publish_waiter& who) {
    // A consumer gathers first and looks whether it is crowded afterwards; here it is the other way round, so one of the
    // two sees what the other did.
    crowded_.store(true, std::memory_order_seq_cst);
    if (!full()) return wait_answer::room;
    std::lock_guard lock(waits_.mutex);
    who.queue = this;
    ++waits_.search;
    if (who.from != nullptr && hopeless()) {
        who.queue = nullptr;
        return wait_answer::hopeless;
    }
    who.granted = nullptr;
    who.next = nullptr;
    *last_waiting_ = &who;
    last_waiting_ = &who.next;
    return wait_answer::listed;
}

void queue::stop(consumer& c) noexcept {
    std::lock_guard lock(mutex);
    {
        std::lock_guard graph(waits_.mutex);  // from here on nobody looks at this consumer's slots
        c.stopped_.store(true, std::memory_order_relaxed);
    }
    if (read_ != write_) wake_one();  // the rest of the group goes on
    let_in(~0u);
}

/// Whether nothing can ever free a place: every slot of every consumer waits, directly or through others, for a queue in
/// the same state; or those that do not wait have nothing to do, because those that wait hold every place there is. The
/// lock of the wait graph is held.
bool queue::hopeless() noexcept {
    if (visited_ == waits_.search) return true;  // no hope was found here, or none so far
    visited_ = waits_.search;
    bool all_wait = true;
    unsigned held = 0;
    for (const auto& c : consumers_) {
        if (c->stopped_.load(std::memory_order_relaxed)) continue;
        for (const publish_waiter* w : c->to_.waiters()) {
            if (w->queue == nullptr) {
                all_wait = false;
                continue;
            }
            if (!static_cast<queue*>(w->queue)->hopeless()) return false;
            held += w->holds;
        }
    }
    if (all_wait) return true;
    const unsigned all = places();
    return all >= capacity_ && held >= all;
}

void queue::forget(publish_waiter& who) noexcept {
    {
        std::lock_guard lock(waits_.mutex);
        for (publish_waiter** at = &first_waiting_; *at != nullptr; at = &(*at)->next)
            if (*at == &who) {
                *at = who.next;
                if (*at == nullptr) last_waiting_ = at;
                break;
            }
        who.queue = nullptr;
    }
    if (std::exchange(who.granted, nullptr) != nullptr) pass_on();
}

std::uint64_t queue::used() const noexcept {
    std::lock_guard lock(mutex);
    return places();
}

consumer& queue::add(hub& owner, intake& to) {
    std::lock_guard lock(mutex);
    std::lock_guard graph(waits_.mutex);
    return *consumers_.emplace_back(std::make_unique<consumer>(owner, *this, to));
}

bool queue::remove(consumer& c) noexcept {
    std::unique_ptr<consumer> last_breath;
    std::lock_guard lock(mutex);
    hand_in(c);
    for (const consumer::held& h : c.held_) put({h.what.owner, h.what.size, h.what.attempt, h.what.id});
    c.held_.clear();
    std::lock_guard graph(waits_.mutex);
    const auto at = std::ranges::find(consumers_, &c, &std::unique_ptr<consumer>::get);
    last_breath = std::move(*at);
    consumers_.erase(at);
    return consumers_.empty();
}

void queue::close() noexcept {
    std::lock_guard lock(mutex);
    closed_ = true;
    let_in(~0u);
}

// ---------------------------------------------------------------- consumer

consumer::consumer(hub& owner, queue& q, intake& to) : owner_(owner), queue_(q), to_(to) {
    alarm_.of = this;
    alarm_.run = [](run_node* n) noexcept { static_cast<alarm*>(static_cast<timer*>(n))->of->due(); };
}

consumer::~consumer() {
    for (const held& h : held_) release(h.what.owner);
}

unsigned consumer::fill(record* out, unsigned max) noexcept {
    std::lock_guard lock(queue_.mutex);
    if (gathered_.load(std::memory_order_relaxed) != 0) queue_.hand_in(*this);
    const auto n = static_cast<unsigned>(std::min<std::uint64_t>(max, queue_.write_ - queue_.read_));
    if (n == 0) {
        armed_ = true;
        return 0;
    }
    const std::size_t mask = queue_.ring_.size() - 1;
    for (unsigned i = 0; i != n; ++i) {
        const queue::entry& e = queue_.ring_[queue_.read_++ & mask];
        out[i] = {e.body->data(), e.size, e.attempt, e.body, e.body->head.empty() ? nullptr : &e.body->head,
                  e.id,           0,      nullptr,   0};
    }
    if (queue_.read_ != queue_.write_ && queue_.consumers_.size() > 1) queue_.wake_one();  // the group shares
    return n;
}

/// Gathered without a lock and handed in by the next fill; at once while a publisher waits for room.
void consumer::settled(unsigned n) noexcept {
    gathered_.store(gathered_.load(std::memory_order_relaxed) + n, std::memory_order_seq_cst);
    if (!queue_.crowded_.load(std::memory_order_seq_cst)) [[likely]]
        return;
    std::lock_guard lock(queue_.mutex);
    queue_.hand_in(*this);
}

void consumer::again(const record& r, nanos delay) noexcept {
    retain(r.owner);
    if (delay <= nanos{}) {
        std::lock_guard lock(queue_.mutex);
        return queue_.put({r.owner, r.size, r.attempt + 1, r.id});
    }
    const nanos now = to_.home().now();
    held_.push_back({delay < nanos::max() - now ? now + delay : nanos::max(), r});
    held_.back().what.attempt = r.attempt + 1;
    const std::uint64_t id = r.id;
    std::push_heap(held_.begin(), held_.end());
    if (held_.front().what.id == id &&
        !stopped_.load(std::memory_order_relaxed))  // else `remove` puts it back
        to_.home().at(held_.front().when, alarm_);
}

void consumer::due() noexcept {
    const nanos now = to_.home().now();
    {
        std::lock_guard lock(queue_.mutex);
        while (!held_.empty() && held_.front().when <= now) {
            std::pop_heap(held_.begin(), held_.end());
            const record& r = held_.back().what;
            queue_.put({r.owner, r.size, r.attempt, r.id});
            held_.pop_back();
        }
    }
    if (!held_.empty()) to_.home().at(held_.front().when, alarm_);
}

const feed_table consumer::table{
    .fill = [](void* c, record* out, unsigned max) { return static_cast<consumer*>(c)->fill(out, max); },
    .ack =
        [](void* c, const record*, unsigned n) {
            static_cast<consumer*>(c)->settled(n);
            return settle_status::done;
        },
    .nack =
        [](void* c, const record& r) {
            static_cast<consumer*>(c)->again(r, {});
            return settle_status::done;
        },
    .nack_after =
        [](void* c, const record& r, nanos delay) {
            static_cast<consumer*>(c)->again(r, delay);
            return settle_status::done;
        },
    .reject =
        [](void* c, const record&, std::string_view) {
            static_cast<consumer*>(c)->settled(1);
            return settle_status::done;
        },
    .give_back =
        [](void* c, const record& r, bool started) {
            auto& self = *static_cast<consumer*>(c);
            if (started) return self.again(r, {});
            retain(r.owner);
            std::lock_guard lock(self.queue_.mutex);
            self.queue_.put_first({r.owner, r.size, r.attempt, r.id});
        },
    .describe =
        [](void* c, const record& r) {
            return "memory message " + std::to_string(r.id) + " of '" +
                   static_cast<consumer*>(c)->queue_.name() + "'";
        },
    .partition_key =
        [](void*, const record& r) {
            return r.head != nullptr ? r.head->partition_key() : std::string_view{};
        },
    .stop =
        [](void* c) {
            auto& self = *static_cast<consumer*>(c);
            self.to_.home().cancel(self.alarm_);
            self.queue_.stop(self);
        },
    .close =
        [](void* c) {
            auto& self = *static_cast<consumer*>(c);
            self.owner_.closed(self);
        }};

}  // namespace weir::memory
