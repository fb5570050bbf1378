#include "engine.hpp"
#include "on_loop.hpp"

#include <weir/runtime/task_group.hpp>

#include <algorithm>

#include <pthread.h>

namespace weir::detail {

engine::engine(application_parts& of, first_thread who, transport how)
    : parts_(of), who_(who), transport_(how) {
    log = of.log;
    seed = of.how.seed;
    progress_node_.of = this;
    threads_.reserve(of.how.threads);
    for (unsigned i = 0; i != std::max(of.how.threads, 1u); ++i)
        threads_.push_back(std::make_unique<loop_place>(run_loop::options{of.how.time, of.how.spin}));
}

engine::~engine() { end_threads(); }

// ---------------------------------------------------------------- start

void engine::check() {
    start_check c{parts_.provided, {}, 0, {}};
    if (parts_.how.threads == 0 || parts_.how.threads > 1024)
        c.errors.emplace_back("weir: runtime.threads must be between 1 and 1024");
    unsigned dealt = 0;
    for (const auto& b : parts_.brokers)
        for (const mounted& m : b->all()) {
            c.thread = dealt++ % static_cast<unsigned>(threads_.size());
            m.what->check_values(c);
            m.what->check(c);
        }
    if (c.errors.empty()) return;
    std::string all;
    for (const std::string& e : c.errors) (all += all.empty() ? "" : "\n") += e;
    throw error(errc::misuse, all);
}

void engine::start() {
    check();
    for (const auto& b : parts_.brokers) b->seal();
    for (unsigned i = who_ == first_thread::caller ? 1 : 0; i != threads_.size(); ++i) spawn(i);
    try {
        run_on_first(start_up());
    } catch (...) {
        end_threads();
        throw;
    }
    set_health(health_state::running);
    for (const opened& o : opened_) o.what->window().wake();
    log.info("started", {{"service", parts_.info.title},
                         {"version", parts_.info.version},
                         {"brokers", parts_.brokers.size()},
                         {"subscriptions", opened_.size()},
                         {"threads", threads_.size()}});
}

void engine::spawn(unsigned index) {
    loop_place& place = *threads_[index];
    place.thread = std::thread([&place, index] {
        const std::string name = "weir-" + std::to_string(index);
        ::pthread_setname_np(::pthread_self(), name.c_str());
        place.loop.run_until([&place] { return place.stop.load(std::memory_order_acquire); });
    });
}

void engine::end_threads() noexcept {
    for (const auto& t : threads_) {
        t->stop.store(true, std::memory_order_release);
        t->loop.wake();
    }
    for (const auto& t : threads_)
        if (t->thread.joinable()) t->thread.join();
}

void engine::run_on_first(task<void> work) {
    struct outcome_of {
        std::mutex mutex;
        std::condition_variable changed;
        bool done = false;
        std::exception_ptr why;
    } result;
    run_loop& loop = first_loop();
    const auto wrap = [](task<void> inner, outcome_of& out, run_loop& home) -> task<void> {
        std::exception_ptr why;
        try {
            co_await std::move(inner);
        } catch (...) {
            why = std::current_exception();
        }
        {
            std::lock_guard lock(out.mutex);
            out.why = why;
            out.done = true;
            out.changed.notify_all();
        }
        home.wake();
    };
    task<void> wrapped = wrap(std::move(work), result, loop);
    weir::spawn(loop, std::move(wrapped));
    if (who_ == first_thread::caller) {
        loop.run_until([&result] {
            std::lock_guard lock(result.mutex);
            return result.done;
        });
    } else {
        const auto patience =
            std::chrono::seconds{5} + std::min<nanos>(parts_.how.drain, std::chrono::hours{24});
        std::unique_lock lock(result.mutex);
        while (!result.changed.wait_for(lock, patience, [&result] { return result.done; }))
            if (asked_.load(std::memory_order_acquire) != nullptr) complain_of_stuck_thread();
    }
    std::lock_guard lock(result.mutex);
    if (result.why) std::rethrow_exception(result.why);
}

void engine::complain_of_stuck_thread() noexcept {
    run_loop* const stuck = asked_.load(std::memory_order_acquire);
    for (const opened& o : opened_)
        if (o.loop == stuck)
            log.error("the shutdown waits for a thread that a handler does not give back, one of those on it",
                      {{"subscription", o.what->name()}});
}

task<void> engine::start_up() {
    std::exception_ptr why;
    try {
        co_await connect_all();
        co_await open_all();
        open_publishing();
    } catch (...) {
        why = std::current_exception();
    }
    if (!why) co_return;
    try {
        co_await close_all();
    } catch (...) {  // logged where it happened; what made the start fail is what the caller has to know
    }
    std::rethrow_exception(why);
}

task<void> engine::connect_all() {
    for (const auto& b : parts_.brokers) {
        std::string failure;
        std::error_code code = make_error_code(errc::closed);
        try {
            const connect_context with{first_loop(), log};
            if (transport_ != transport::in_process || !b->connect_in_process(with)) {
                task<void> connecting = b->connect(with);
                co_await std::move(connecting);
            }
        } catch (const error& e) {
            failure = e.what();
            code = e.code();
        } catch (const std::exception& e) {
            failure = e.what();
        }
        if (!failure.empty())
            throw error(code,
                        "weir: connecting to broker '" + std::string{b->scheme()} + "' failed: " + failure);
        ++connected_;
    }
}

/// Only when every subscription is there: what is published before would reach nobody.
void engine::open_publishing() {
    for (const auto& b : parts_.brokers) {
        publishing_state& p = *b->publishing();
        std::lock_guard lock(p.mutex);
        p.port = b->port();
        p.now = publishing_state::phase::open;
    }
}

task<void> engine::open_all() {
    unsigned dealt = 0;
    for (const auto& b : parts_.brokers)
        for (const mounted& m : b->all()) {
            const unsigned thread = dealt++ % static_cast<unsigned>(threads_.size());
            subscription_base& s = *m.what;
            run_loop& loop = threads_[thread]->loop;
            std::string failure;
            std::error_code code = make_error_code(errc::closed);
            try {
                const subscribe_request request{s.name(), s.options(), s.prepare(loop, *this)};
                opened_.push_back(
                    {&s, b.get(), &loop});  // also if it fails: what was prepared must not outlive the loop
                task<feed> opening = b->open(m, request);
                const feed f = co_await std::move(opening);
                s.open(f, b->port(), parts_.provided, thread);
            } catch (const error& e) {
                failure = e.what();
                code = e.code();
            } catch (const std::exception& e) {
                failure = e.what();
            }
            if (!failure.empty())
                throw error(code, "weir: subscription '" + s.name() + "' on broker '" +
                                      std::string{b->scheme()} + "' could not be opened: " + failure);
        }
}

// ---------------------------------------------------------------- health

void engine::set_health(health_state s) noexcept {
    std::lock_guard lock(mutex_);
    if (health_.state == health_state::failed) return;
    health_.state = s;
    changed_.notify_all();
}

health_report engine::health() const {
    std::lock_guard lock(mutex_);
    return health_;
}

bool engine::failed() const {
    if (!failing_.load(std::memory_order_acquire)) return false;  // asked between all nodes of the first loop
    std::lock_guard lock(mutex_);
    return health_.state == health_state::failed;
}

void engine::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return health_.state == health_state::failed || ended_; });
}

void engine::fail_fast(std::string reason) noexcept {
    if (failing_.exchange(true, std::memory_order_acq_rel)) return;
    log.error("a failure policy stops the application",
              {{"reason", reason}});  // no lock: a sink may ask for the health
    {
        std::lock_guard lock(mutex_);
        health_.state = health_state::failed;
        health_.reason = std::move(reason);
        if (!shutting_down_) {  // stop reading everywhere; the rest is the shutdown's
            for (const auto& t : threads_) {
                auto& n = *stop_nodes_.emplace_back(std::make_unique<stop_node>());
                n.of = this;
                n.loop = &t->loop;
                n.run = [](run_node* node) noexcept {
                    auto& self = *static_cast<stop_node*>(node);
                    for (const opened& o : self.of->opened_)
                        if (o.loop == self.loop) o.what->stop();
                };
                t->loop.post(n);
            }
        }
        changed_.notify_all();
    }
    first_loop().wake();
}

std::vector<subscription_report> engine::subscriptions() const {
    std::lock_guard lock(mutex_);
    if (ended_) return last_report_;
    std::vector<subscription_report> all;
    for (const opened& o : opened_)
        all.push_back({o.what->name(), std::string{o.on->scheme()}, o.what->counters()});
    return all;
}

std::shared_ptr<publishing_state> engine::only_publisher() const {
    if (parts_.brokers.size() != 1)
        throw error(errc::misuse,
                    "weir: the application uses " + std::to_string(parts_.brokers.size()) +
                        " brokers - ask the one you mean: app.use(...) returns it, and it has publisher()");
    return parts_.brokers.front()->publishing();
}

}  // namespace weir::detail
