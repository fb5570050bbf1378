#include "support.hpp"

#include <weir/runtime/sleep.hpp>
#include <weir/runtime/task_group.hpp>
#include <weir/runtime/this_task.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace weir::test {
namespace {

task<void> logs_after(std::vector<int>& log, int n, nanos d) {
    if (d > nanos{0}) co_await sleep_for(d);
    log.push_back(n);
}
task<void> fails() {
    co_await this_task::yield();
    throw std::runtime_error("a member failed");
}
task<void> drains(task_group& g) { co_await g.drain(); }
task<void> counts(std::atomic<int>& n) {
    co_await this_task::yield();
    ++n;
}

TEST(task_group, starts_its_tasks_in_the_next_turn_in_order) {
    still_loop still;
    std::vector<int> log;
    task_group g(still.loop);
    g.spawn(logs_after(log, 1, 0ms));
    g.spawn(logs_after(log, 2, 0ms));
    EXPECT_TRUE(log.empty());
    EXPECT_EQ(g.size(), 2u);
    still.loop.run_ready();
    EXPECT_EQ(log, (std::vector{1, 2}));
    EXPECT_EQ(g.size(), 0u);
}

TEST(task_group, can_be_drained) {
    still_loop still;
    std::vector<int> log;
    task_group g(still.loop);
    run(still.loop, drains(g));
    g.spawn(logs_after(log, 1, 10ms));
    g.spawn(logs_after(log, 2, 20ms));
    running<void> r(still.loop, drains(g));
    still.loop.run_ready();
    still.advance(10ms);
    EXPECT_FALSE(r.done());
    still.advance(10ms);
    EXPECT_TRUE(r.done());
    EXPECT_EQ(log, (std::vector{1, 2}));
}

TEST(task_group, can_be_stopped_and_stopped_tasks_have_not_failed) {
    still_loop still;
    std::vector<int> log;
    task_group g(still.loop);
    g.spawn(logs_after(log, 1, 1h));
    g.spawn(logs_after(log, 2, 2h));
    still.loop.run_ready();
    g.request_stop();
    run(still.loop, drains(g));
    EXPECT_TRUE(log.empty());
}

TEST(task_group, gives_the_first_failure_to_who_drains_it_once) {
    still_loop still;
    task_group g(still.loop);
    g.spawn(fails());
    g.spawn(fails());
    EXPECT_THROW(run(still.loop, drains(g)), std::runtime_error);
    run(still.loop, drains(g));
}

int failures = 0;

TEST(task_group, gives_failures_to_its_hook_if_it_has_one) {
    still_loop still;
    failures = 0;
    task_group g(still.loop);
    g.on_failure([](std::exception_ptr) noexcept { ++failures; });
    g.spawn(fails());
    g.spawn(fails());
    run(still.loop, drains(g));
    EXPECT_EQ(failures, 2);
}

TEST(task_group, says_on_standard_error_what_nobody_drained) {
    still_loop still;
    ::testing::internal::CaptureStderr();
    {
        task_group g(still.loop);
        g.spawn(fails());
        still.loop.run_ready();
    }
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("a member failed"), std::string::npos);
}

TEST(task_group, that_is_destroyed_takes_its_tasks_along_wherever_they_are) {
    still_loop still;
    std::vector<int> log;
    {
        task_group g(still.loop);
        g.spawn(logs_after(log, 1, 1h));
        still.loop.run_ready();
        g.spawn(logs_after(log, 2, 0ms));  // queued
        g.post(logs_after(log, 3, 0ms));   // in the inbox
    }
    still.loop.run_ready();
    still.advance(2h);
    EXPECT_TRUE(log.empty());
}

TEST(task_group, is_drained_by_one_task_at_a_time_which_can_be_stopped_alone) {
    still_loop still;
    std::vector<int> log;
    task_group g(still.loop);
    g.spawn(logs_after(log, 1, 1h));
    running<void> first(still.loop, drains(g)), second(still.loop, drains(g));
    still.loop.run_ready();
    EXPECT_EQ(second.code(), errc::already_waited);
    first.stop.request_stop();
    still.loop.run_ready();
    EXPECT_EQ(first.code(), errc::cancelled);
    EXPECT_EQ(g.size(), 1u);
    still.advance(1h);
    EXPECT_EQ(log, std::vector{1});
}

TEST(task_group, takes_tasks_from_four_threads) {
    run_loop loop(quiet());
    task_group g(loop);
    std::atomic<int> n{0};
    std::vector<std::thread> posters;
    for (int t = 0; t < 4; ++t) {
        posters.emplace_back([&] {
            for (int i = 0; i < 500; ++i) g.post(counts(n));
        });
    }
    loop.run_until([&] { return n == 2'000; });
    for (std::thread& p : posters) p.join();
    run(loop, drains(g));
}

TEST(task_group, starts_posted_tasks_in_the_order_of_posting) {
    run_loop loop(quiet());
    std::vector<int> log;
    task_group g(loop);
    for (int i = 0; i < 5; ++i) g.post(logs_after(log, i, 0ms));
    loop.run_ready();
    EXPECT_EQ(log, (std::vector{0, 1, 2, 3, 4}));
}

TEST(spawn, makes_a_task_the_loops_own_and_destroys_it_with_the_loop) {
    std::vector<int> log;
    {
        still_loop still;
        spawn(still.loop, logs_after(log, 1, 0ms));
        spawn(still.loop, logs_after(log, 2, 1h));
        still.loop.run_ready();
        EXPECT_EQ(still.loop.detached().size(), 1u);
    }
    EXPECT_EQ(log, std::vector{1});
}

void spawn_a_failure() {
    run_loop loop(quiet());
    spawn(loop, fails());
    loop.run_ready();
}

TEST(spawn_death, of_a_task_that_fails_ends_the_program_and_says_why) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(spawn_a_failure(), "an exception left a spawned task: a member failed");
}

}  // namespace
}  // namespace weir::test
