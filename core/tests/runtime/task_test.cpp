#include "support.hpp"

#include <weir/runtime/sleep.hpp>
#include <weir/runtime/this_task.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace weir::test {
namespace {

task<int> number(int n) { co_return n; }
task<void> nothing() { co_return; }
task<int> failing() {
    throw std::runtime_error("broken");
    co_return 0;
}
task<int> later(int n) {
    co_await this_task::yield();
    co_return n;
}
task<int> sum_of(int a, int b) {
    const int x = co_await number(a);
    const int y = co_await later(b);
    co_return x + y;
}

TEST(task, does_nothing_until_it_is_started) {
    bool ran = false;
    auto body = [](bool& flag) -> task<void> {
        flag = true;
        co_return;
    };
    task<void> t = body(ran);
    EXPECT_FALSE(ran);
    EXPECT_TRUE(t.start());
    EXPECT_TRUE(ran);
}

TEST(task, that_never_waits_is_done_when_start_returns) {
    task<int> t = number(7);
    EXPECT_TRUE(t.start());
    EXPECT_TRUE(t.done());
    EXPECT_FALSE(t.failed());
    EXPECT_EQ(t.take(), 7);
}

TEST(task, keeps_an_exception_until_the_result_is_taken) {
    task<int> t = failing();
    EXPECT_TRUE(t.start());
    EXPECT_TRUE(t.failed());
    EXPECT_NE(t.failure(), nullptr);
    EXPECT_THROW(t.take(), std::runtime_error);
}

TEST(task, gives_its_awaiter_the_value_of_children_that_wait_and_of_those_that_do_not) {
    run_loop loop(quiet());
    EXPECT_EQ(run(loop, sum_of(3, 4)), 7);
}

task<std::string> rescued() {
    std::string text = "none";
    try {
        co_await failing();
    } catch (const std::runtime_error& e) {
        text = e.what();
    }
    co_await this_task::yield();
    co_return text;
}

TEST(task, throws_a_childs_exception_at_the_await) {
    run_loop loop(quiet());
    EXPECT_EQ(run(loop, rescued()), "broken");
}

TEST(task, moves_results_that_cannot_be_copied) {
    auto make = [](int n) -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(n); };
    task<std::unique_ptr<int>> t = make(5);
    t.start();
    const std::unique_ptr<int> p = t.take();
    EXPECT_EQ(*p, 5);
}

TEST(task, returns_references_to_what_lives_elsewhere) {
    int value = 1;
    auto find = [](int& where) -> task<int&> { co_return where; };
    task<int&> t = find(value);
    t.start();
    EXPECT_EQ(&t.take(), &value);
}

TEST(task, that_is_moved_from_owns_nothing) {
    task<int> a = number(1);
    task<int> b = std::move(a);
    b.start();
    EXPECT_EQ(b.take(), 1);
    b = number(2);
    b.start();
    EXPECT_EQ(b.take(), 2);
}

struct tracked {
    explicit tracked(int& n) : alive(n) { ++alive; }
    tracked(const tracked&) = delete;
    tracked& operator=(const tracked&) = delete;
    ~tracked() { --alive; }
    int& alive;
};
task<void> holds(int& alive, nanos how_long) {
    const tracked local(alive);
    co_await sleep_for(how_long);
}
task<void> holds_through_a_child(int& alive) {
    const tracked local(alive);
    co_await holds(alive, 1h);
}

TEST(task, that_is_destroyed_while_it_waits_unwinds_and_leaves_nothing_behind) {
    still_loop still;
    int alive = 0;
    {
        running<void> r(still.loop, holds_through_a_child(alive));
        still.loop.run_ready();
        EXPECT_EQ(alive, 2);
        EXPECT_EQ(still.loop.next_timer(), 1h);
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(still.loop.next_timer(), nanos::max());
    still.advance(2h);
}

TEST(task, that_is_destroyed_when_its_wait_is_over_and_it_has_not_run_leaves_the_ready_queue) {
    still_loop still;
    int alive = 0;
    {
        running<void> r(still.loop, holds(alive, 1ms));
        still.loop.run_ready();
        still.time.advance(1ms);
        bool first = true;
        still.loop.run_until([&] { return !std::exchange(first, false); });
    }
    EXPECT_EQ(alive, 0);
    still.loop.run_ready();
}

task<void> a_million(long& sum) {
    for (int i = 0; i < 1'000'000; ++i) {
        const int n = co_await number(1);
        sum += n;
    }
}
task<void> a_million_voids() {
    for (int i = 0; i < 1'000'000; ++i) co_await nothing();
}

// 8 MiB of stack would not last for a hundred thousand nested resumptions, whatever the flags.
TEST(task, keeps_the_stack_flat_through_a_million_awaits_that_never_wait) {
    run_loop loop(quiet());
    long sum = 0;
    run(loop, a_million(sum));
    run(loop, a_million_voids());
    EXPECT_EQ(sum, 1'000'000);
}

task<void> mixed(long& sum) {
    for (int i = 0; i < 30'000; ++i) {
        try {
            if (i % 3 == 0) {
                const int n = co_await later(1);
                sum += n;
            } else if (i % 3 == 1) {
                const int n = co_await sum_of(1, 1);
                sum += n;
            } else {
                const int n = co_await failing();
                sum += n;
            }
        } catch (const std::runtime_error&) {
            sum += 100;
        }
    }
}

TEST(task, survives_a_mix_of_waiting_failing_and_nested_children) {
    run_loop loop(quiet());
    long sum = 0;
    run(loop, mixed(sum));
    EXPECT_EQ(sum, 10'000 * (1 + 2 + 100));
}

task<void> says(std::vector<int>& log, int n, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        log.push_back(n);
        co_await this_task::yield();
    }
}

TEST(task, that_yields_lets_the_others_go_first) {
    run_loop loop(quiet());
    std::vector<int> log;
    running<void> a(loop, says(log, 1, 3)), b(loop, says(log, 2, 3));
    loop.run_ready();
    EXPECT_EQ(log, (std::vector{1, 2, 1, 2, 1, 2}));
}

struct with_co_await {
    int value;
    auto operator co_await() const noexcept {
        struct awaiter {
            explicit awaiter(int v) noexcept : value(v) {}
            bool await_ready() const noexcept { return true; }
            void await_suspend(std::coroutine_handle<>) const noexcept {}
            int await_resume() const noexcept { return value; }
            int value;
        };
        return awaiter(value);
    }
};
struct immovable_awaiter {
    explicit immovable_awaiter(int v) noexcept : value(v) {}
    immovable_awaiter(const immovable_awaiter&) = delete;
    immovable_awaiter& operator=(const immovable_awaiter&) = delete;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<>) const noexcept { return false; }
    int await_resume() const noexcept { return value; }
    int value;
};
task<int> awaits_what_others_wrote() {
    const with_co_await named{1};
    immovable_awaiter lvalue(10);
    const int a = co_await named;
    const int b = co_await lvalue;
    const int c = co_await immovable_awaiter(100);
    co_return a + b + c;
}

TEST(task, awaits_any_awaitable_where_it_stands) {
    run_loop loop(quiet());
    EXPECT_EQ(run(loop, awaits_what_others_wrote()), 111);
}

}  // namespace
}  // namespace weir::test
