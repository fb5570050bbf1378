#include "support.hpp"

#include <thread>

namespace weir::test {
namespace {

TEST(run_loop, runs_nodes_in_the_order_they_were_pushed) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered a(log, 1), b(log, 2), c(log, 3);
    loop.push(a);
    loop.push(b);
    loop.push(c);
    EXPECT_TRUE(loop.run_ready());
    EXPECT_EQ(log, (std::vector{1, 2, 3}));
    EXPECT_FALSE(loop.run_ready());
}

TEST(run_loop, ignores_a_push_of_what_is_queued_already) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered a(log, 1), b(log, 2);
    loop.push(a);
    loop.push(b);
    loop.push(a);
    loop.run_ready();
    EXPECT_EQ(log, (std::vector{1, 2}));
}

TEST(run_loop, lets_a_node_push_itself_again_while_it_runs) {
    run_loop loop(quiet());
    struct thrice : run_node {
        run_loop* loop = nullptr;
        int runs = 0;
    } n;
    n.loop = &loop;
    n.run = [](run_node* self) noexcept {
        auto& me = static_cast<thrice&>(*self);
        if (++me.runs < 3) me.loop->push(me);
    };
    loop.push(n);
    loop.run_ready();
    EXPECT_EQ(n.runs, 3);
}

TEST(run_loop, is_current_exactly_while_one_of_its_run_functions_is_on_the_stack) {
    run_loop outer(quiet()), inner(quiet());
    EXPECT_EQ(run_loop::current(), nullptr);
    struct probe : run_node {
        run_loop *outer = nullptr, *inner = nullptr;
        bool nested = false;
    } in, out;
    out.outer = &outer;
    out.inner = &inner;
    in.outer = &outer;
    in.inner = &inner;
    in.run = [](run_node* self) noexcept {
        auto& me = static_cast<probe&>(*self);
        EXPECT_TRUE(me.inner->is_current());
        EXPECT_FALSE(me.outer->is_current());
    };
    inner.push(in);
    out.run = [](run_node* self) noexcept {
        auto& me = static_cast<probe&>(*self);
        EXPECT_TRUE(me.outer->is_current());
        me.inner->run_ready();
        EXPECT_TRUE(me.outer->is_current());
    };
    outer.push(out);
    outer.run_ready();
    EXPECT_EQ(run_loop::current(), nullptr);
}

TEST(run_loop, asks_the_condition_between_nodes) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered a(log, 1), b(log, 2), c(log, 3);
    loop.push(a);
    loop.push(b);
    loop.push(c);
    loop.run_until([&] { return log.size() == 2; });
    EXPECT_EQ(log, (std::vector{1, 2}));
    loop.run_ready();
    EXPECT_EQ(log.size(), 3u);
}

TEST(run_loop, runs_nothing_when_the_condition_holds_already) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered a(log, 1);
    loop.push(a);
    loop.run_until([] { return true; });
    EXPECT_TRUE(log.empty());
}

TEST(run_loop, stays_usable_when_the_condition_throws) {
    run_loop loop(quiet());
    EXPECT_THROW(loop.run_until([]() -> bool { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(run_loop::current(), nullptr);
    std::vector<int> log;
    numbered a(log, 1);
    loop.push(a);
    EXPECT_TRUE(loop.run_ready());
}

TEST(run_loop, takes_a_withdrawn_node_out_wherever_it_waits) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered a(log, 1), b(log, 2), c(log, 3), posted(log, 4), outside(log, 5);
    loop.push(a);
    loop.push(b);
    loop.push(c);
    loop.post(posted);
    loop.withdraw(c);  // the last one: what is pushed next must not hang on it
    loop.withdraw(a);
    loop.withdraw(posted);
    loop.withdraw(outside);
    loop.push(c);
    loop.run_ready();
    EXPECT_EQ(log, (std::vector{2, 3}));
}

struct endless : run_node {
    explicit endless(run_loop& l) : loop(l) {
        run = [](run_node* self) noexcept {
            auto& me = static_cast<endless&>(*self);
            ++me.runs;
            me.loop.push(me);
        };
    }
    run_loop& loop;
    unsigned runs = 0;
};

TEST(run_loop, serves_the_inbox_within_a_turn_of_a_queue_that_never_empties) {
    run_loop loop(quiet());
    endless busy(loop);
    std::vector<int> log;
    numbered foreign(log, 1);
    loop.push(busy);
    loop.run_until([&] { return busy.runs == 10; });
    loop.post(foreign);
    loop.run_until([&] { return !log.empty(); });
    EXPECT_LE(busy.runs, 10 + run_loop::turn + 1);
    loop.withdraw(busy);
}

TEST(run_loop, serves_timers_within_a_turn_of_a_queue_that_never_empties) {
    still_loop still;
    run_loop& loop = still.loop;
    endless busy(loop);
    struct flag : timer {
        bool ran = false;
    } t;
    t.run = [](run_node* self) noexcept { static_cast<flag&>(*self).ran = true; };
    loop.at(1ms, t);
    loop.push(busy);
    loop.run_until([&] { return busy.runs == 10; });
    still.time.advance(1ms);
    loop.run_until([&] { return t.ran; });
    EXPECT_LE(busy.runs, 10 + run_loop::turn + 1);
    loop.withdraw(busy);
}

int turn_ends = 0;

TEST(run_loop, calls_the_hooks_of_the_turns_end_at_least_every_turn_and_once_each) {
    run_loop loop(quiet());
    turn_ends = 0;
    const auto hook = []() noexcept { ++turn_ends; };
    loop.on_turn_end(hook);
    loop.on_turn_end(hook);
    loop.run_ready();
    EXPECT_EQ(turn_ends, 1);
    endless busy(loop);
    loop.push(busy);
    turn_ends = 0;
    loop.run_until([&] { return busy.runs == 10 * run_loop::turn; });
    EXPECT_GE(turn_ends, 10);
    EXPECT_LE(turn_ends, 12);
    loop.withdraw(busy);
}

TEST(run_loop, runs_what_was_posted_to_it_from_its_own_thread) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered a(log, 1), b(log, 2), c(log, 3);
    a.next = &b;
    b.next = &c;
    loop.post(a, c);
    EXPECT_TRUE(loop.run_ready());
    EXPECT_EQ(log, (std::vector{1, 2, 3}));
}

TEST(run_loop, counts_work_outside) {
    run_loop loop(quiet());
    EXPECT_EQ(loop.external(), 0);
    loop.external_begin();
    std::thread([&] { loop.external_begin(); }).join();
    EXPECT_EQ(loop.external(), 2);
    loop.external_end();
    loop.external_end();
    EXPECT_EQ(loop.external(), 0);
}

}  // namespace
}  // namespace weir::test
