#include "support.hpp"
#include "support/heap_count.hpp"

#include <weir/runtime/async_queue.hpp>
#include <weir/runtime/completion.hpp>
#include <weir/runtime/sleep.hpp>
#include <weir/runtime/this_task.hpp>
#include <weir/runtime/when_any.hpp>

namespace weir::test {
namespace {

/// Runs `round` once to warm up, then says how many allocations another one makes.
template <class Round> std::size_t allocations_of(Round round) {
    round();
    const std::size_t before = heap_blocks_of_this_thread();
    round();
    return heap_blocks_of_this_thread() - before;
}

class steady_state : public ::testing::Test {
protected:
    void SetUp() override {
        if (!heap_is_counted) GTEST_SKIP() << "allocations cannot be counted under sanitizers";
    }
    still_loop still;
    run_loop& loop = still.loop;
};

task<int> leaf(int n) { co_return n; }
task<int> middle(int n) {
    co_await this_task::yield();
    const int x = co_await leaf(n);
    co_return x;
}
task<void> awaits(int times) {
    for (int i = 0; i < times; ++i) co_await middle(i);
}
task<void> sleeps(int times) {
    for (int i = 0; i < times; ++i) co_await sleep_for(1us);
}
task<void> pushes(async_queue<int>& q, int times) {
    for (int i = 0; i < times; ++i) co_await q.push(i);
}
task<void> pops(async_queue<int>& q, int times) {
    for (int i = 0; i < times; ++i) co_await q.pop();
}
task<void> completes(int times) {
    for (int i = 0; i < times; ++i) {
        completion<int> done;
        done.handle().set_value(i);
        co_await done;
    }
}
task<void> races(int times) {
    for (int i = 0; i < times; ++i) co_await when_any(leaf(i), middle(i));
}

TEST_F(steady_state, ten_thousand_awaits_allocate_nothing) {
    EXPECT_EQ(allocations_of([&] { run(loop, awaits(10'000)); }), 0u);
}

TEST_F(steady_state, ten_thousand_sleeps_allocate_nothing) {
    EXPECT_EQ(allocations_of([&] {
                  running<void> r(loop, sleeps(10'000));
                  while (!r.done()) still.advance(1us);
              }),
              0u);
}

TEST_F(steady_state, ten_thousand_values_through_a_queue_allocate_nothing) {
    async_queue<int> q(8);
    EXPECT_EQ(allocations_of([&] {
                  running<void> in(loop, pushes(q, 10'000)), out(loop, pops(q, 10'000));
                  out.finish();
              }),
              0u);
}

TEST_F(steady_state, ten_thousand_completions_allocate_nothing) {
    EXPECT_EQ(allocations_of([&] { run(loop, completes(10'000)); }), 0u);
}

TEST_F(steady_state, a_thousand_races_allocate_nothing) {
    EXPECT_EQ(allocations_of([&] { run(loop, races(1'000)); }), 0u);
}

}  // namespace
}  // namespace weir::test
