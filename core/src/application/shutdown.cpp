#include "engine.hpp"
#include "on_loop.hpp"

#include <weir/runtime/sleep.hpp>

#include <algorithm>
#include <ranges>

namespace weir::detail {

/// Waits until something has ended that a drain waits for, somebody forces, or the time is up.
class engine::progress_wait {
public:
    progress_wait(engine& e, nanos until) noexcept : engine_(e), until_(until) {
        alarm_.of = this;
        alarm_.run = [](run_node* n) noexcept { static_cast<alarm*>(static_cast<timer*>(n))->of->go_on(); };
    }
    progress_wait(const progress_wait&) = delete;
    progress_wait& operator=(const progress_wait&) = delete;
    bool await_ready() const noexcept {
        return engine_.progressed_.exchange(false, std::memory_order_acq_rel);
    }
    void await_suspend(std::coroutine_handle<> task) {
        task_ = task;
        engine_.progress_wait_ = this;
        engine_.first_loop().at(until_, alarm_);
    }
    void await_resume() const noexcept {}
    void go_on() noexcept {
        engine_.progress_wait_ = nullptr;
        engine_.first_loop().cancel(alarm_);
        task_.resume();
    }

private:
    struct alarm : timer {
        progress_wait* of;
    };
    engine& engine_;
    nanos until_;
    alarm alarm_;
    std::coroutine_handle<> task_{};
};

void engine::progress() noexcept {
    if (!draining_.load(std::memory_order_seq_cst)) return;
    progressed_.store(true, std::memory_order_release);
    if (progress_posted_.exchange(true, std::memory_order_acq_rel)) return;
    progress_node_.run = [](run_node* n) noexcept {
        engine& self = *static_cast<progress_node*>(n)->of;
        self.progress_posted_.store(false, std::memory_order_release);
        if (self.progress_wait_ == nullptr) return;
        self.progressed_.store(false, std::memory_order_release);
        self.progress_wait_->go_on();
    };
    first_loop().post(progress_node_);
}

void engine::force() noexcept {
    forced_.store(
        true, std::memory_order_seq_cst);  // the drain writes draining_ first and looks at this afterwards
    progress();
}

drain_report engine::shutdown() {
    for (const auto& t : threads_)
        if (t->loop.is_current())
            throw error(errc::misuse,
                        "weir: shutdown() waits for handlers, so a handler must not call it - "
                        "let the condition of run_until say so, or use on_failure with fail_fast");
    {
        std::unique_lock lock(mutex_);
        if (shutting_down_) {
            changed_.wait(lock, [this] { return ended_; });
            return report_;
        }
        shutting_down_ = true;
    }
    set_health(health_state::shutting_down);
    asked_.store(&first_loop(), std::memory_order_release);
    drain_report report;
    std::string failure;
    try {
        run_on_first(shut_down(report));
    } catch (const std::exception& e) {
        failure = e.what();
    }
    end_threads();
    std::vector<subscription_report> last = subscriptions();
    bool failed_fast = false;
    std::string reason;
    {
        std::lock_guard lock(mutex_);
        report_ = report;
        last_report_ = std::move(last);
        failed_fast = health_.state == health_state::failed;
        reason = health_.reason;
        if (!failed_fast) health_.state = health_state::stopped;
        ended_ = true;
        changed_.notify_all();
    }
    std::uint64_t left = 0;
    for (const drain_report::left& l : report.leftovers) {
        left += l.deliveries;
        log.warning("deliveries were left unsettled",
                    {{"subscription", l.subscription}, {"deliveries", l.deliveries}});
    }
    log.info("stopped", {{"service", parts_.info.title}, {"unsettled", left}});
    if (failed_fast)
        throw error(errc::failed_fast, "weir: a failure policy stopped the application: " + reason);
    if (!failure.empty()) throw error(errc::closed, "weir: the shutdown failed: " + failure);
    return report;
}

task<void> engine::shut_down(drain_report& report) {
    for (const opened& o : opened_) {
        const auto stop = [&o] { o.what->stop(); };
        asked_.store(o.loop, std::memory_order_release);
        on_loop call(*o.loop, stop);
        co_await call;
    }
    co_await drain(report);
    co_await close_all();
}

task<void> engine::drain(drain_report& report) {
    draining_.store(true, std::memory_order_seq_cst);
    const nanos now = first_loop().now();
    const nanos until = parts_.how.drain < nanos::max() - now ? now + parts_.how.drain : nanos::max();
    for (;;) {
        unsigned busy = 0;
        for (const opened& o : opened_) {
            const auto count = [&o, &busy] { busy += o.what->busy(); };
            asked_.store(o.loop, std::memory_order_release);
            on_loop call(*o.loop, count);
            co_await call;
        }
        if (busy == 0) co_return;
        if (forced_.load(std::memory_order_seq_cst) || first_loop().now() >= until) break;
        progress_wait wait(*this, until);
        co_await wait;
    }
    report.complete = false;
    for (const opened& o : opened_) {
        std::size_t n = 0;
        const auto look = [&o, &n] {
            n = o.what->unsettled();
            o.what->cancel();
        };
        on_loop call(*o.loop, look);
        co_await call;
        if (n != 0) report.leftovers.push_back({o.what->name(), n});
    }
    for (int turn = 0; turn != 2;
         ++turn)  // what was cancelled unwinds: destructors run where their tasks ran
        for (const auto& t : threads_) {
            const auto nothing_more = [] {};
            on_loop call(t->loop, nothing_more);
            co_await call;
            co_await sleep_for(nanos{});
        }
}

task<void> engine::close_all() {
    for (const auto& b : parts_.brokers) close_publishing(*b);
    for (const opened& o : opened_ | std::views::reverse) {
        const auto close = [&o] { o.what->close(); };
        on_loop call(*o.loop, close);
        co_await call;
    }
    std::exception_ptr why;
    for (std::size_t i = connected_; i-- != 0;) {
        attached_base& b = *parts_.brokers[i];
        try {
            task<void> closing = b.shutdown();
            co_await std::move(closing);
        } catch (const std::exception& e) {
            log.error("a broker did not shut down cleanly", {{"broker", b.scheme()}, {"error", e.what()}});
            if (!why) why = std::current_exception();
        }
    }
    while (connected_ != 0) {
        attached_base& b = *parts_.brokers[--connected_];
        {
            publishing_state& p = *b.publishing();
            std::lock_guard lock(p.mutex);
            p.port = {};
        }
        b.disconnect();
    }
    if (why) std::rethrow_exception(why);
}

void engine::close_publishing(attached_base& b) noexcept {
    publishing_state& p = *b.publishing();
    std::lock_guard lock(p.mutex);
    p.now = publishing_state::phase::closed;
}

}  // namespace weir::detail
