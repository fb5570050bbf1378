#include "support.hpp"

#include <weir/runtime/offload.hpp>
#include <weir/runtime/task_group.hpp>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace weir::test {
namespace {

/// Holds calls up until it is opened.
class gate {
public:
    void open() {
        {
            const std::lock_guard hold(lock_);
            open_ = true;
        }
        changed_.notify_all();
    }
    void pass() {
        std::unique_lock hold(lock_);
        ++arrived_;
        changed_.notify_all();
        changed_.wait(hold, [this] { return open_; });
    }
    void await_arrivals(int n) {
        std::unique_lock hold(lock_);
        changed_.wait(hold, [&] { return arrived_ >= n; });
    }
    int arrived() {
        const std::lock_guard hold(lock_);
        return arrived_;
    }

private:
    std::mutex lock_;
    std::condition_variable changed_;
    bool open_ = false;
    int arrived_ = 0;
};

struct passes_gate {
    std::shared_ptr<gate> at;
    int operator()() const {
        at->pass();
        return 1;
    }
};

TEST(offload, runs_elsewhere_and_brings_the_result_home) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 2, .queue = 4});
    auto where = [] { return std::this_thread::get_id(); };
    EXPECT_NE(run(loop, offload(pool, where)), std::this_thread::get_id());
    EXPECT_EQ(loop.external(), 0);
}

TEST(offload, brings_exceptions_and_void_and_values_that_cannot_be_copied) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 1, .queue = 4});
    auto fails = []() -> int { throw std::runtime_error("blocked and failed"); };
    auto nothing = [] {};
    auto makes = [] { return std::make_unique<int>(3); };
    EXPECT_THROW(run(loop, offload(pool, fails)), std::runtime_error);
    run(loop, offload(pool, nothing));
    EXPECT_EQ(*run(loop, offload(pool, makes)), 3);
}

TEST(offload, has_a_pool_for_all) {
    run_loop loop(quiet());
    auto seven = [] { return 7; };
    EXPECT_EQ(run(loop, offload(seven)), 7);
}

TEST(offload, counts_as_work_outside) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 1, .queue = 1});
    const auto g = std::make_shared<gate>();
    running<int> a(loop, offload(pool, passes_gate{g})), b(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    g->await_arrivals(1);
    running<int> c(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    EXPECT_EQ(loop.external(), 3);  // one runs, one is queued, one waits for room
    g->open();
    EXPECT_EQ(a.finish() + b.finish() + c.finish(), 3);
    EXPECT_EQ(loop.external(), 0);
}

TEST(offload, makes_callers_wait_while_the_queue_is_full_without_blocking_the_loop) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 1, .queue = 2});
    const auto g = std::make_shared<gate>();
    running<int> first(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    g->await_arrivals(1);  // out of the queue, in the thread
    std::vector<std::unique_ptr<running<int>>> others;
    for (int i = 0; i < 10; ++i) {
        others.push_back(std::make_unique<running<int>>(loop, offload(pool, passes_gate{g})));
    }
    loop.run_ready();
    EXPECT_EQ(pool.queued(), 2u);
    EXPECT_EQ(g->arrived(), 1);
    g->open();
    for (auto& o : others) EXPECT_EQ(o->finish(), 1);
    EXPECT_EQ(pool.queued(), 0u);
}

TEST(offload, that_is_stopped_while_it_is_queued_never_runs) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 1, .queue = 4});
    const auto g = std::make_shared<gate>();
    running<int> first(loop, offload(pool, passes_gate{g})), queued(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    g->await_arrivals(1);
    queued.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(queued.code(), errc::cancelled);
    EXPECT_EQ(pool.queued(), 0u);
    g->open();
    EXPECT_EQ(first.finish(), 1);
    EXPECT_EQ(g->arrived(), 1);
}

TEST(offload, that_is_stopped_while_it_waits_for_room_gives_way_to_the_next) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 1, .queue = 1});
    const auto g = std::make_shared<gate>();
    running<int> first(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    g->await_arrivals(1);
    running<int> queued(loop, offload(pool, passes_gate{g})), waits(loop, offload(pool, passes_gate{g})),
        next(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    waits.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(waits.code(), errc::cancelled);
    g->open();
    EXPECT_EQ(first.finish() + queued.finish() + next.finish(), 3);
    EXPECT_EQ(loop.external(), 0);
}

TEST(offload, that_is_stopped_while_it_runs_ends_at_once_and_the_call_goes_on_alone) {
    run_loop loop(quiet());
    const auto g = std::make_shared<gate>();
    const std::weak_ptr<gate> watched = g;
    {
        offload_pool pool({.threads = 1, .queue = 1});
        running<int> r(loop, offload(pool, passes_gate{g}));
        loop.run_ready();
        g->await_arrivals(1);
        r.stop.request_stop();
        loop.run_ready();
        EXPECT_EQ(r.code(), errc::cancelled);
        EXPECT_EQ(loop.external(), 0);
        g->open();
    }
    EXPECT_EQ(watched.use_count(), 1);  // the call's copy is gone
}

TEST(offload, of_a_task_that_is_destroyed_is_taken_back_or_left_alone) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 1, .queue = 1});
    const auto g = std::make_shared<gate>();
    {
        running<int> runs(loop, offload(pool, passes_gate{g}));
        loop.run_ready();
        g->await_arrivals(1);
        running<int> queued(loop, offload(pool, passes_gate{g})), waits(loop, offload(pool, passes_gate{g}));
        loop.run_ready();
        EXPECT_EQ(pool.queued(), 1u);
    }
    EXPECT_EQ(pool.queued(), 0u);
    EXPECT_EQ(loop.external(), 0);
    g->open();
}

TEST(offload, of_a_pool_that_shuts_down_ends_with_closed_unless_it_runs) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 1, .queue = 1});
    const auto g = std::make_shared<gate>();
    running<int> runs(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    g->await_arrivals(1);
    running<int> queued(loop, offload(pool, passes_gate{g})), waits(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    pool.shutdown();
    running<int> late(loop, offload(pool, passes_gate{g}));
    loop.run_ready();
    EXPECT_EQ(queued.code(), errc::closed);
    EXPECT_EQ(waits.code(), errc::closed);
    EXPECT_EQ(late.code(), errc::closed);
    g->open();
    EXPECT_EQ(runs.finish(), 1);
}

struct increments {
    std::shared_ptr<std::atomic<int>> counter;
    int operator()() const { return ++*counter; }
};
task<void> many(offload_pool& pool, std::shared_ptr<std::atomic<int>> counter, int n) {
    for (int i = 0; i < n; ++i) {
        increments f{counter};
        co_await offload(pool, std::move(f));
    }
}

TEST(offload, carries_thousands_of_calls_through_a_small_queue) {
    run_loop loop(quiet());
    offload_pool pool({.threads = 3, .queue = 2});
    const auto counter = std::make_shared<std::atomic<int>>(0);
    std::vector<std::unique_ptr<running<void>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(std::make_unique<running<void>>(loop, many(pool, counter, 100)));
    for (auto& t : tasks) t->finish();
    EXPECT_EQ(*counter, 2'000);
    EXPECT_EQ(loop.external(), 0);
}

}  // namespace
}  // namespace weir::test
