#include "support.hpp"

#include <weir/runtime/async_queue.hpp>

#include <memory>
#include <numeric>

namespace weir::test {
namespace {

using queue = async_queue<int>;

task<int> pops(queue& q) {
    const int n = co_await q.pop();
    co_return n;
}
task<void> pushes(queue& q, int n) { co_await q.push(n); }
task<void> pushes_all(queue& q, int from, int to) {
    for (int i = from; i < to; ++i) co_await q.push(i);
    q.close();
}
task<void> pops_all(queue& q, std::vector<int>& log) {
    try {
        for (;;) {
            const int n = co_await q.pop();
            log.push_back(n);
        }
    } catch (const error& e) {
        if (e.code() != errc::closed) throw;
    }
}

class an_async_queue : public ::testing::Test {
protected:
    still_loop still;
    run_loop& loop = still.loop;
    queue q{2};
};

TEST_F(an_async_queue, gives_values_in_the_order_they_entered) {
    std::vector<int> log;
    running<void> in(loop, pushes_all(q, 0, 100)), out(loop, pops_all(q, log));
    loop.run_ready();
    EXPECT_TRUE(in.done());
    EXPECT_TRUE(out.done());
    std::vector<int> expected(100);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(log, expected);
}

TEST_F(an_async_queue, makes_a_push_wait_while_it_is_full) {
    EXPECT_TRUE(q.try_push(1));
    EXPECT_TRUE(q.try_push(2));
    EXPECT_FALSE(q.try_push(3));
    running<void> third(loop, pushes(q, 3));
    loop.run_ready();
    EXPECT_FALSE(third.done());
    EXPECT_EQ(q.size(), 2u);
    EXPECT_EQ(q.try_pop(), 1);
    loop.run_ready();
    EXPECT_TRUE(third.done());
    EXPECT_EQ(q.try_pop(), 2);
    EXPECT_EQ(q.try_pop(), 3);
    EXPECT_EQ(q.try_pop(), std::nullopt);
}

TEST_F(an_async_queue, makes_a_pop_wait_while_it_is_empty) {
    running<int> r(loop, pops(q));
    loop.run_ready();
    EXPECT_FALSE(r.done());
    EXPECT_TRUE(q.try_push(5));
    loop.run_ready();
    EXPECT_EQ(r.take(), 5);
}

TEST_F(an_async_queue, serves_those_who_wait_in_the_order_they_came) {
    running<int> a(loop, pops(q)), b(loop, pops(q)), c(loop, pops(q));
    loop.run_ready();
    running<void> x(loop, pushes(q, 1)), y(loop, pushes(q, 2)), z(loop, pushes(q, 3));
    loop.run_ready();
    EXPECT_EQ(a.take(), 1);
    EXPECT_EQ(b.take(), 2);
    EXPECT_EQ(c.take(), 3);
}

TEST_F(an_async_queue, keeps_a_value_for_the_task_that_was_woken_for_it) {
    running<int> waits(loop, pops(q));
    loop.run_ready();
    EXPECT_TRUE(q.try_push(1));
    EXPECT_EQ(q.try_pop(), std::nullopt);  // promised
    running<int> late(loop, pops(q));
    EXPECT_TRUE(q.try_push(2));
    loop.run_ready();
    EXPECT_EQ(waits.take(), 1);
    EXPECT_EQ(late.take(), 2);
}

TEST_F(an_async_queue, that_is_closed_can_be_drained_and_then_says_closed) {
    EXPECT_TRUE(q.try_push(1));
    q.close();
    EXPECT_FALSE(q.try_push(2));
    EXPECT_EQ(run(loop, pops(q)), 1);
    running<int> empty(loop, pops(q));
    running<void> pushed(loop, pushes(q, 3));
    loop.run_ready();
    EXPECT_EQ(empty.code(), errc::closed);
    EXPECT_EQ(pushed.code(), errc::closed);
}

TEST_F(an_async_queue, wakes_everybody_who_waits_when_it_is_closed) {
    {
        running<int> a(loop, pops(q)), b(loop, pops(q));
        loop.run_ready();
        q.close();
        loop.run_ready();
        EXPECT_EQ(a.code(), errc::closed);
        EXPECT_EQ(b.code(), errc::closed);
    }
    queue full(1);
    EXPECT_TRUE(full.try_push(1));
    running<void> c(loop, pushes(full, 2)), d(loop, pushes(full, 3));
    loop.run_ready();
    full.close();
    loop.run_ready();
    EXPECT_EQ(c.code(), errc::closed);
    EXPECT_EQ(d.code(), errc::closed);
    EXPECT_EQ(full.try_pop(), 1);
    EXPECT_EQ(full.try_pop(), std::nullopt);
}

TEST_F(an_async_queue, lets_a_stopped_pop_go_and_loses_no_value) {
    running<int> stopped(loop, pops(q)), next(loop, pops(q));
    loop.run_ready();
    stopped.stop.request_stop();
    EXPECT_TRUE(q.try_push(1));
    loop.run_ready();
    EXPECT_EQ(stopped.code(), errc::cancelled);
    EXPECT_EQ(next.take(), 1);
}

TEST_F(an_async_queue, lets_a_stopped_push_go_without_its_value) {
    EXPECT_TRUE(q.try_push(1));
    EXPECT_TRUE(q.try_push(2));
    running<void> stopped(loop, pushes(q, 3)), next(loop, pushes(q, 4));
    loop.run_ready();
    stopped.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(stopped.code(), errc::cancelled);
    q.try_pop();
    q.try_pop();
    loop.run_ready();
    EXPECT_TRUE(next.done());
    EXPECT_EQ(q.try_pop(), 4);
}

TEST_F(an_async_queue, gives_the_value_to_a_pop_that_is_stopped_in_the_turn_in_which_it_came) {
    running<int> r(loop, pops(q));
    loop.run_ready();
    EXPECT_TRUE(q.try_push(1));
    r.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(r.take(), 1);
}

TEST_F(an_async_queue, refuses_to_wait_or_take_for_a_stopped_task) {
    EXPECT_TRUE(q.try_push(1));
    running<int> r(loop, pops(q));
    r.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(r.code(), errc::cancelled);
    EXPECT_EQ(q.try_pop(), 1);
}

TEST_F(an_async_queue, passes_the_value_of_a_task_that_is_destroyed_before_it_ran_to_the_next) {
    auto first = std::make_unique<running<int>>(loop, pops(q));
    loop.run_ready();
    running<int> second(loop, pops(q));
    loop.run_ready();
    EXPECT_TRUE(q.try_push(1));
    first.reset();
    loop.run_ready();
    ASSERT_TRUE(second.done());
    EXPECT_EQ(second.take(), 1);
}

TEST_F(an_async_queue, forgets_tasks_that_are_destroyed_while_they_wait) {
    auto popper = std::make_unique<running<int>>(loop, pops(q));
    loop.run_ready();
    popper.reset();
    EXPECT_TRUE(q.try_push(1));
    EXPECT_TRUE(q.try_push(2));
    auto pusher = std::make_unique<running<void>>(loop, pushes(q, 3));
    loop.run_ready();
    pusher.reset();
    EXPECT_EQ(q.try_pop(), 1);
    EXPECT_EQ(q.try_pop(), 2);
    EXPECT_EQ(q.try_pop(), std::nullopt);
}

TEST(async_queue, moves_values_that_cannot_be_copied_and_destroys_those_left) {
    run_loop loop(quiet());
    const auto shared = std::make_shared<int>(1);
    {
        async_queue<std::unique_ptr<std::shared_ptr<int>>> q(3);
        EXPECT_TRUE(q.try_push(std::make_unique<std::shared_ptr<int>>(shared)));
        EXPECT_TRUE(q.try_push(std::make_unique<std::shared_ptr<int>>(shared)));
        EXPECT_EQ(shared.use_count(), 3);
        EXPECT_TRUE(q.try_pop().has_value());
        EXPECT_EQ(shared.use_count(), 2);
    }
    EXPECT_EQ(shared.use_count(), 1);
}

}  // namespace
}  // namespace weir::test
