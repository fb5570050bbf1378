#include "../rfc3339.hpp"

#include <weir/dispatch/services.hpp>
#include <weir/dispatch/subscription_base.hpp>

#include <algorithm>
#include <coroutine>

namespace weir {
namespace {

constexpr std::size_t failing_remembered = 4096;
constexpr std::size_t continuations_at_most = 1024;

}  // namespace

/// What runs after a settled delivery, and everything it may still look at.
struct subscription_base::continuation : run_node {
    struct runner {
        struct promise_type : detail::promise_base {
            runner get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
            std::suspend_always final_suspend() noexcept { return {}; }
            void return_void() noexcept {}
            void unhandled_exception() noexcept { std::terminate(); }
        };
        std::coroutine_handle<promise_type> handle;
    };

    continuation(subscription_base& s, std::vector<task<void>> t,
                 std::unique_ptr<detail::message_store_base> m, std::vector<block*> o)
        : of(s), message(std::move(m)), owners(std::move(o)), all(std::move(t)) {
        run = [](run_node* n) noexcept {  // has ended: destroyed here, not inside its own coroutine
            auto* self = static_cast<continuation*>(n);
            subscription_base& sub = self->of;
            std::erase_if(sub.continuations_, [self](const auto& c) { return c.get() == self; });
            sub.continuation_ended();
        };
    }
    continuation(const continuation&) = delete;
    continuation& operator=(const continuation&) = delete;
    ~continuation() {
        of.home().withdraw(*this);
        if (body) body.destroy();
        all.clear();  // the frames may refer to the message and the payload
        message.reset();
        for (block* b : owners) release(b);
    }

    static runner go(continuation& c) {
        for (task<void>& each : c.all) {
            try {
                co_await std::move(each);
            } catch (const std::exception& e) {
                c.failed(e.what());
            } catch (...) {
                c.failed("an exception that is no std::exception");
            }
        }
        c.of.home().push(c);
    }
    void failed(std::string_view why) const noexcept {
        of.log().error("continuation failed", {{"subscription", of.name()}, {"error", why}});
    }

    subscription_base& of;
    std::unique_ptr<detail::message_store_base> message;
    std::vector<block*> owners;
    std::vector<task<void>> all;
    std::coroutine_handle<> body;
};

subscription_base::subscription_base(std::string name, settings s)
    : settings_(std::move(s)), name_(std::move(name)) {}

subscription_base::~subscription_base() { close(); }

void subscription_base::prefix(std::string_view p) {
    name_.insert(0, p);
    prefix_.insert(0, p);
    if (!settings_.dead_letter.empty()) settings_.dead_letter.insert(0, p);
    if (!settings_.reply_to.empty()) settings_.reply_to.insert(0, p);
}

void subscription_base::check_values(detail::start_check& c) const {
    const settings& s = settings_;
    if (s.workers == 0) c.say(name_, "asks for workers(0) - at least one is needed");
    if (s.batch_given && s.batch == 0) c.say(name_, "asks for batch(0) - a batch holds at least one message");
    if (s.retries_declared && s.attempts == 0)
        c.say(name_, "declares retries with no attempt at all - the first delivery is one");
    if (s.outbox == 0)
        c.say(name_, "asks for outbox(0), with which it could publish nothing - leave the option out");
    if (s.batch > 1u << 20 || s.workers > 1u << 16)
        c.say(name_, "asks for a batch of more than 2^20 messages or more than 2^16 workers");
    if (!s.prefetch_given) return;
    if (s.prefetch == 0) c.say(name_, "asks for prefetch(0) - at least one delivery has to be taken");
    else if (s.prefetch < std::max(s.batch, 1u) || s.prefetch < s.workers)
        c.say(
            name_,
            "prefetches fewer deliveries than one batch, or than its workers, could take - raise prefetch(n)");
}

subscription_counters subscription_base::counters() const noexcept {
    return {acked_.get(),       retried_.get(),    rejected_.get(), dead_lettered_.get(),
            undecodable_.get(), exceptions_.get(), published_.get()};
}

intake& subscription_base::prepare(run_loop& home, dispatch_host& host) {
    host_ = &host;
    in_ = std::make_unique<intake>(*this, home);
    return *in_;
}

void subscription_base::open(feed f, publish_port to, detail::services& s, unsigned thread) {
    if (!settings_.prefetch_given)
        settings_.prefetch = std::max(intake::most, settings_.workers * std::max(settings_.batch, 1u));
    port_ = to;
    in_->from = f;
    in_->limit = settings_.batch != 0 ? settings_.batch : std::min(intake::most, settings_.prefetch);
    in_->unsettled_limit = settings_.prefetch;
    in_->records = std::make_unique_for_overwrite<record[]>(in_->limit);
    if (!settings_.dead_letter.empty()) dead_letters_ = to.table->open(to.self, settings_.dead_letter);
    const unsigned n = overlaps() ? settings_.workers : 1;
    slots_.reserve(n);
    in_->waiters_.reserve(n);
    for (unsigned i = 0; i != n; ++i) {
        std::unique_ptr<slot> place = make_slot(s, thread);
        place->shared = n > 1;
        if (n > 1) place->own_ = std::make_unique_for_overwrite<record[]>(std::max(settings_.batch, 1u));
        in_->waiters_.push_back(&place->waiter_);
        in_->park(*place);
        slots_.push_back(std::move(place));
    }
}

void subscription_base::stop() noexcept {
    if (!in_ || in_->stopped()) return;
    // Where a handler is at work, what came before it went out when it suspended.
    const bool at_work = std::ranges::any_of(slots_, [](const auto& s) { return s->in_handler || s->waits; });
    if (!at_work && in_->from.table != nullptr && in_->acked != in_->position) in_->settle_run(in_->position);
    in_->stop();
}

unsigned subscription_base::busy() const noexcept {
    unsigned n = static_cast<unsigned>(continuations_.size());
    for (const auto& s : slots_)
        if (s->in_handler || s->waits) ++n;
    return n;
}

void subscription_base::cancel() noexcept {
    for (const auto& s : slots_) s->stop.request_stop();
    continuations_stop_.request_stop();
}

std::size_t subscription_base::unsettled() const noexcept {
    std::size_t n = 0;
    for (const auto& s : slots_)
        if ((s->in_handler || s->waits) && s->unsettled()) n += s->taken;
    return n;
}

void subscription_base::close() noexcept {
    if (!in_) return;
    stop();
    continuations_.clear();
    for (const auto& s : slots_) {
        s->end_handler();  // frames first: they refer to message and payload
        if (!s->in_handler && !s->waits) continue;
        if (s->waits) s->to.table->abandon(s->to.self, s->waiter_);
        s->waits = s->in_handler = false;
        for (unsigned i = s->taken; i-- != 0;) {
            if (s->unsettled()) in_->from.table->give_back(in_->from.self, s->now[i], true);
            release(s->now[i].owner);
        }
    }
    slots_.clear();
    if (in_->from.table != nullptr) in_->from.table->close(in_->from.self);
    in_.reset();
}

std::uint64_t subscription_base::random() noexcept {
    if (random_state_ == 0) {
        random_state_ =
            host_->seed != 0
                ? host_->seed
                : static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        for (const char c : name_)
            random_state_ = (random_state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    std::uint64_t z = random_state_ += 0x9e3779b97f4a7c15u;  // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::string subscription_base::describe(const record& r) const {
    return in_->from.table->describe(in_->from.self, r);
}

void subscription_base::report(settle_status s, std::string_view verb, const record& r) const noexcept {
    if (s == settle_status::unsupported) {
        if (std::exchange(unsupported_reported_, true)) return;
        return log().warning("the transport cannot do what the verdict asks, said once",
                             {{"subscription", name_}, {"verb", verb}});
    }
    try {
        log().warning(s == settle_status::closed ? "a verdict came after the connection was closed"
                                                 : "the broker refused a verdict",
                      {{"subscription", name_}, {"verb", verb}, {"message", describe(r)}});
    } catch (const std::bad_alloc&) {
        return;
    }
}

void subscription_base::note_failure(std::uint64_t id) {
    if (failing_.empty()) failing_.resize(failing_remembered);
    failing& place = failing_[id % failing_remembered];
    if (place.id == id && place.first != std::chrono::system_clock::time_point{}) return;
    place = {id, home().wall_now()};
}

std::chrono::system_clock::time_point subscription_base::first_failure(std::uint64_t id) const {
    if (failing_.empty()) return home().wall_now();
    const failing& place = failing_[id % failing_remembered];
    return place.id == id && place.first != std::chrono::system_clock::time_point{} ? place.first
                                                                                    : home().wall_now();
}

void subscription_base::stamp_dead_letter(headers& h, const record& r, std::string_view reason) {
    h.set("x-weir-reason", reason);
    h.set("x-weir-source", name_);
    h.set("x-weir-attempts", std::to_string(std::max(r.attempt, 1u)));
    h.set("x-weir-first-failure", detail::rfc3339(first_failure(r.id)));
    h.set("x-weir-last-failure", detail::rfc3339(home().wall_now()));
}

void subscription_base::continue_with(std::vector<task<void>> all,
                                      std::unique_ptr<detail::message_store_base> message,
                                      std::vector<block*> owners) {
    continuations_.push_back(
        std::make_unique<continuation>(*this, std::move(all), std::move(message), std::move(owners)));
    continuation& c = *continuations_.back();
    for (task<void>& each : c.all) each.use_stop(continuations_stop_);
    const auto body = continuation::go(c).handle;
    c.body = body;
    body.resume();
}

bool subscription_base::crowded(slot& s) noexcept {
    if (continuations_.size() < continuations_at_most) return false;
    held_by_continuations_.push_back(&s);
    return true;
}

void subscription_base::continuation_ended() noexcept {
    if (in_->stopped()) host_->progress();
    for (slot* s : std::exchange(held_by_continuations_, {})) home().push(*s);
}

}  // namespace weir
