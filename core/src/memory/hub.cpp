#include "hub.hpp"

#include <weir/error.hpp>

#include <algorithm>

namespace weir::memory {

hub::~hub() { shutdown(); }

void hub::check_name(std::string_view name, bool is_pattern) {
    const auto quoted = [name] { return "weir: '" + std::string{name} + "' is no "; };
    if (is_pattern) {
        if (const std::string_view fault = pattern_fault(name); !fault.empty())
            throw error(errc::invalid_name, quoted() + "pattern of the memory broker: " + std::string{fault});
    } else if (!is_name(name) || has_wildcard(name)) {
        throw error(errc::invalid_name,
                    quoted() + "name of the memory broker: " +
                        (name.empty() ? "it is empty" : "use memory::pattern for wildcards"));
    }
}

feed hub::subscribe(const routed_subscription& s, intake& to) {
    std::lock_guard lock(mutex_);
    if (closed_.load(std::memory_order_relaxed))
        throw error(errc::closed, "weir: the memory broker is closed, so '" + std::string{s.name} +
                                      "' cannot be subscribed");
    if (!s.group.empty())
        for (const auto& q : queues_)
            if (q->group() == s.group && q->name() == s.name && q->is_pattern() == s.pattern)
                return {&q->add(*this, to), &consumer::table};
    queue& made = *queues_.emplace_back(std::make_unique<queue>(s, rule_, options_, waits_));
    consumer& c = made.add(*this, to);
    for (const auto& [text, t] : topics_)
        if (made.reached_by(text)) reroute(*t);
    return {&c, &consumer::table};
}

void hub::closed(consumer& c) noexcept {
    queue& q = c.of();  // lives as long as this, in `retired_`
    {
        std::lock_guard lock(mutex_);
        if (!q.remove(c)) return;
        const auto at = std::ranges::find(queues_, &q, &std::unique_ptr<queue>::get);
        retired_.push_back(std::move(*at));
        queues_.erase(at);
        for (const auto& [text, t] : topics_)
            if (q.reached_by(text)) reroute(*t);
        q.close();
    }
    const std::uint64_t left = q.used();
    if (left != 0)
        log_.info("messages were left in a queue whose last subscription has ended",
                  {{"queue", q.name()}, {"messages", left}});
}

void hub::reroute(topic_entry& t) {
    auto next = std::make_unique<routes>();
    for (const auto& q : queues_)
        if (q->reached_by(t.name)) next->push_back(q.get());
    std::ranges::sort(*next);
    t.to.store(next.get(), std::memory_order_release);
    snapshots_.push_back(std::move(next));
}

void* hub::open(std::string_view name) {
    if (rule_ == &in_process_routes<memory::broker>::reaches && (!is_name(name) || has_wildcard(name)))
        throw error(errc::invalid_name,
                    "weir: nothing can be published to '" + std::string{name} +
                        "' of the memory broker: " + (name.empty() ? "it is empty" : "it is a pattern"));
    std::lock_guard lock(mutex_);
    if (const auto known = topics_.find(name); known != topics_.end()) return known->second.get();
    // A name that is subscribed to is never one of the made-up ones, however many of those there are.
    const auto subscribed = [name](const auto& q) { return !q->is_pattern() && q->name() == name; };
    if (topics_.size() >= options_.max_topics && std::ranges::none_of(queues_, subscribed))
        throw error(errc::queue_full,
                    "weir: '" + std::string{name} + "' would be topic " + std::to_string(topics_.size() + 1) +
                        " of the memory broker - raise options.max_topics, or make up fewer names");
    auto t = std::make_unique<topic_entry>();
    t->name = name;
    reroute(*t);
    const std::string_view key = t->name;
    return topics_.emplace(key, std::move(t)).first->second.get();
}

publish_status hub::publish(topic_entry& t, const outgoing& o, publish_waiter* who,
                            bool wait_for_room) noexcept {
    if (closed_.load(std::memory_order_acquire)) return publish_status::closed;
    if (o.size > options_.max_payload) return publish_status::too_large;
    const routes& to = *t.to.load(std::memory_order_acquire);
    if (to.empty()) {
        unread(t);
        release(o.body);
        return publish_status::done;
    }
    // All or nothing: every queue is locked, then either each has room or nothing is pushed. The order is the same for
    // everybody, so two publishers cannot hold what the other one needs.
    for (queue* q : to) q->mutex.lock();
    const auto unlock = [&to] {
        for (queue* q : to) q->mutex.unlock();
    };
    const bool drops = options_.full == when_full::drop_oldest;
    for (queue* q : to) {
        if (drops || !q->full() || q->closed()) continue;
        publish_status answer = publish_status::queue_full;
        if (options_.full == when_full::wait && wait_for_room && who != nullptr) {
            const queue::wait_answer a = q->wait_for_room(*who);
            if (a == queue::wait_answer::room) continue;
            if (a == queue::wait_answer::listed) answer = publish_status::wait;
            for (queue* other : to)
                if (other != q)
                    other->pass_on();  // it may have been woken for a place there, which it cannot use now
        }
        unlock();
        return answer;
    }
    if (to.size() > 1) retain(o.body, static_cast<std::uint32_t>(to.size() - 1));
    for (queue* q : to)
        if (q->closed() || (drops && q->full() && !q->drop_oldest())) release(o.body);
        else q->push(o.body, o.size);
    unlock();
    return publish_status::done;
}

void hub::unread(topic_entry& t) noexcept {
    unrouted_.fetch_add(1, std::memory_order_relaxed);
    if (t.unread_said.exchange(true, std::memory_order_relaxed)) return;
    log_.info("nobody is subscribed to a topic that is published to, said once", {{"topic", t.name}});
}

void hub::abandon(publish_waiter& who) noexcept {
    queue* at = nullptr;
    {
        std::lock_guard lock(waits_.mutex);
        at = static_cast<queue*>(who.queue != nullptr ? who.queue : who.granted);
    }
    if (at == nullptr) return;
    std::lock_guard lock(at->mutex);
    at->forget(who);
}

void hub::shutdown() noexcept {
    if (closed_.exchange(true, std::memory_order_acq_rel)) return;
    std::lock_guard lock(mutex_);
    for (const auto& q : queues_) q->close();
}

memory::counters hub::counters() const {
    std::lock_guard lock(mutex_);
    memory::counters sum{published_.load(std::memory_order_relaxed),
                         unrouted_.load(std::memory_order_relaxed), 0, 0};
    for (const auto& q : queues_) {
        sum.dropped += q->dropped();
        sum.in_queues += q->used();
    }
    for (const auto& q : retired_) sum.dropped += q->dropped();
    return sum;
}

const publish_table hub::table{
    .open = [](void* h, std::string_view name) { return static_cast<hub*>(h)->open(name); },
    .publish =
        [](void* h, outgoing* first, unsigned n, unsigned& taken, publish_waiter* who, bool wait_for_room) {
            hub& self = *static_cast<hub*>(h);
            publish_status s = publish_status::done;
            for (taken = 0; taken != n; ++taken) {
                const outgoing& o = first[taken];
                s = self.publish(*static_cast<topic_entry*>(o.destination), o, who, wait_for_room);
                if (s != publish_status::done) break;
            }
            self.published_.fetch_add(taken, std::memory_order_relaxed);
            return s;
        },
    .abandon = [](void* h, publish_waiter& who) { static_cast<hub*>(h)->abandon(who); }};

// ---------------------------------------------------------------- connection

task<std::unique_ptr<connection>> broker::connect(connect_context c) && {
    if (options_.capacity == 0 || options_.capacity > 1u << 30)
        throw error(errc::misuse, "weir: memory::options.capacity must be between 1 and 2^30");
    auto made = std::make_unique<memory::connection>(options_, c.log);
    co_return made;
}

connection::connection(const options& o, logger log, route_rule rule)
    : hub_(std::make_unique<hub>(o, log, rule)) {}
connection::~connection() = default;

task<feed> connection::subscribe(const subscribe_request& r) {
    hub::check_name(r.name, false);
    co_return hub_->subscribe({r.name, {}, false}, r.to);
}
task<feed> connection::subscribe(const memory::subscription& s, const subscribe_request& r) {
    hub::check_name(r.name, false);
    co_return hub_->subscribe({r.name, s.group(), false}, r.to);
}
task<feed> connection::subscribe(const pattern& p, const subscribe_request& r) {
    hub::check_name(r.name, true);
    co_return hub_->subscribe({r.name, p.group(), true}, r.to);
}
task<feed> connection::subscribe(routed_subscription s, const subscribe_request& r) {
    co_return hub_->subscribe(s, r.to);
}
publish_port connection::publishes() noexcept { return hub_->publishes(); }
task<void> connection::shutdown() && {
    hub_->shutdown();
    co_return;
}
memory::counters connection::counters() const { return hub_->counters(); }

}  // namespace weir::memory
