#include "support.hpp"

#include <weir/runtime/sleep.hpp>

namespace weir::test {
namespace {

task<void> logs_after(std::vector<int>& log, int n, nanos d) {
    co_await sleep_for(d);
    log.push_back(n);
}
task<void> sleeps(nanos d) { co_await sleep_for(d); }
task<void> sleeps_to(nanos when) { co_await sleep_until(when); }

TEST(sleep, ends_on_the_loops_clock) {
    still_loop still;
    std::vector<int> log;
    running<void> a(still.loop, logs_after(log, 1, 20ms)), b(still.loop, logs_after(log, 2, 10ms)),
        c(still.loop, logs_after(log, 3, 10ms));
    still.loop.run_ready();
    still.advance(10ms);
    EXPECT_EQ(log, (std::vector{2, 3}));
    still.advance(10ms);
    EXPECT_EQ(log, (std::vector{2, 3, 1}));
}

TEST(sleep, until_a_time_that_is_past_or_for_nothing_lets_the_others_run_and_ends) {
    still_loop still;
    still.time.advance(1s);
    run(still.loop, sleeps_to(500ms));
    run(still.loop, sleeps(0ns));
    run(still.loop, sleeps(-5s));
}

TEST(sleep, for_ever_does_not_overflow) {
    still_loop still;
    still.time.advance(1s);
    running<void> r(still.loop, sleeps(nanos::max()));
    still.loop.run_ready();
    still.advance(std::chrono::hours{24 * 365});
    EXPECT_FALSE(r.done());
}

TEST(sleep, that_is_stopped_ends_with_cancelled_and_disarms_its_timer) {
    still_loop still;
    running<void> r(still.loop, sleeps(1h));
    still.loop.run_ready();
    r.stop.request_stop();
    EXPECT_EQ(still.loop.next_timer(), nanos::max());
    still.loop.run_ready();
    EXPECT_EQ(r.code(), errc::cancelled);
}

TEST(sleep, of_a_stopped_task_does_not_begin) {
    still_loop still;
    running<void> r(still.loop, sleeps(1h));
    r.stop.request_stop();
    still.loop.run_ready();
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.code(), errc::cancelled);
}

TEST(sleep, that_is_stopped_when_it_is_due_and_has_not_run_ends_once) {
    still_loop still;
    std::vector<int> log;
    struct stopper : timer {
        stop_state* of = nullptr;
    } t;
    t.run = [](run_node* self) noexcept { static_cast<stopper*>(self)->of->request_stop(); };
    running<void> r(still.loop, logs_after(log, 1, 10ms));
    t.of = &r.stop;
    still.loop.at(10ms,
                  t);  // armed before the sleep: it stops the task in the turn in which the sleep is due
    still.loop.run_ready();
    still.advance(10ms);
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.code(), errc::cancelled);
    EXPECT_TRUE(log.empty());
}

TEST(sleep, outside_a_loop_is_refused_with_a_sentence) {
    task<void> t = sleeps(1ms);
    EXPECT_TRUE(t.start());
    EXPECT_EQ(code_of([&] { t.take(); }), errc::misuse);
}

}  // namespace
}  // namespace weir::test
