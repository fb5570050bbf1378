#include "support.hpp"

#include <weir/runtime/signal_watch.hpp>

#include <csignal>
#include <memory>
#include <thread>

namespace weir::test {
namespace {

task<signal_watch::delivery> waits(signal_watch& w) {
    const signal_watch::delivery d = co_await w.next();
    co_return d;
}

volatile std::sig_atomic_t own_handler_calls = 0;
void own_handler(int) { own_handler_calls = own_handler_calls + 1; }

/// A handler that was there before, and must be there again after.
class signals : public ::testing::Test {
protected:
    void SetUp() override {
        own_handler_calls = 0;
        std::signal(SIGTERM, own_handler);
        std::signal(SIGINT, own_handler);
    }
    void TearDown() override {
        std::signal(SIGTERM, SIG_DFL);
        std::signal(SIGINT, SIG_DFL);
    }
    run_loop loop{quiet()};
};

TEST_F(signals, reach_the_loop_instead_of_their_old_handler) {
    signal_watch watch(loop);
    running<signal_watch::delivery> r(loop, waits(watch));
    loop.run_ready();
    EXPECT_EQ(watch.count(), 0u);
    std::raise(SIGTERM);
    const signal_watch::delivery d = r.finish();
    EXPECT_EQ(d.signal, SIGTERM);
    EXPECT_EQ(d.count, 1u);
    EXPECT_EQ(own_handler_calls, 0);
}

TEST_F(signals, are_counted_so_that_the_second_is_another) {
    signal_watch watch(loop);
    std::raise(SIGTERM);
    std::raise(SIGINT);
    std::raise(SIGTERM);
    EXPECT_EQ(watch.count(), 3u);
    EXPECT_EQ(watch.last(), SIGTERM);
    const signal_watch::delivery a = run(loop, waits(watch)), b = run(loop, waits(watch)),
                                 c = run(loop, waits(watch));
    EXPECT_EQ(a.signal, SIGTERM);
    EXPECT_EQ(a.count, 1u);
    EXPECT_EQ(b.signal, SIGINT);
    EXPECT_EQ(b.count, 2u);
    EXPECT_EQ(c.signal, SIGTERM);
    EXPECT_EQ(c.count, 3u);
}

TEST_F(signals, wake_a_sleeping_loop_whatever_thread_they_hit) {
    signal_watch watch(loop);
    std::thread([] { std::raise(SIGTERM); }).join();
    loop.run_until([&] { return watch.count() == 1; });
    std::thread sender([&] { ::kill(::getpid(), SIGTERM); });
    loop.run_until([&] { return watch.count() == 2; });
    sender.join();
}

TEST_F(signals, go_to_their_old_handler_again_when_the_watch_is_gone) {
    { const signal_watch watch(loop); }
    std::raise(SIGTERM);
    std::raise(SIGINT);
    EXPECT_EQ(own_handler_calls, 2);
}

TEST_F(signals, that_nobody_fetched_die_with_the_watch) {
    {
        const signal_watch watch(loop);
        std::raise(SIGTERM);
    }
    EXPECT_FALSE(loop.run_ready());
}

TEST_F(signals, are_watched_once_in_a_process) {
    auto first = std::make_unique<signal_watch>(loop);
    EXPECT_EQ(code_of([&] { const signal_watch second(loop); }), errc::misuse);
    first.reset();
    const signal_watch again(loop);
}

TEST_F(signals, that_cannot_be_watched_are_refused_and_the_others_put_back) {
    EXPECT_EQ(code_of([&] { const signal_watch w(loop, {SIGTERM, SIGKILL}); }), std::errc::invalid_argument);
    std::raise(SIGTERM);
    EXPECT_EQ(own_handler_calls, 1);
    const signal_watch works(loop);
}

TEST_F(signals, beyond_sixteen_that_nobody_fetches_are_dropped) {
    signal_watch watch(loop);
    for (int i = 0; i < 40; ++i) std::raise(SIGTERM);
    EXPECT_EQ(watch.count(), 16u);
    for (unsigned i = 1; i <= 16; ++i) EXPECT_EQ(run(loop, waits(watch)).count, i);
    std::raise(SIGINT);
    EXPECT_EQ(run(loop, waits(watch)).signal, SIGINT);
}

TEST_F(signals, are_no_longer_waited_for_by_a_task_that_was_stopped_or_destroyed) {
    signal_watch watch(loop);
    {
        running<signal_watch::delivery> stopped(loop, waits(watch));
        loop.run_ready();
        stopped.stop.request_stop();
        loop.run_ready();
        EXPECT_EQ(stopped.code(), errc::cancelled);
        running<signal_watch::delivery> destroyed(loop, waits(watch));
        loop.run_ready();
    }
    std::raise(SIGTERM);
    EXPECT_EQ(run(loop, waits(watch)).count, 1u);
}

}  // namespace
}  // namespace weir::test
