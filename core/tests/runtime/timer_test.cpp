#include "support.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

namespace weir::test {
namespace {

struct logging_timer : timer {
    logging_timer(std::vector<int>& to, int n) : log(&to), number(n) {
        run = [](run_node* self) noexcept {
            auto& me = static_cast<logging_timer&>(*self);
            me.log->push_back(me.number);
        };
    }
    std::vector<int>* log;
    int number;
};

class timers : public ::testing::Test {
protected:
    still_loop still;
    run_loop& loop = still.loop;
    std::vector<int> log;
    logging_timer a{log, 1}, b{log, 2}, c{log, 3};
};

TEST_F(timers, run_when_they_are_due_and_not_a_nanosecond_before) {
    loop.at(10ms, a);
    EXPECT_EQ(loop.next_timer(), 10ms);
    still.advance(10ms - 1ns);
    EXPECT_TRUE(log.empty());
    still.advance(1ns);
    EXPECT_EQ(log, std::vector{1});
    EXPECT_FALSE(a.armed());
    EXPECT_EQ(loop.next_timer(), nanos::max());
}

TEST_F(timers, of_the_same_time_run_in_the_order_of_arming) {
    loop.at(5ms, c);
    loop.at(5ms, a);
    loop.at(5ms, b);
    still.advance(5ms);
    EXPECT_EQ(log, (std::vector{3, 1, 2}));
}

TEST_F(timers, of_different_times_run_in_the_order_of_time_even_if_the_loop_comes_late) {
    loop.at(30ms, a);
    loop.at(10ms, b);
    loop.at(20ms, c);
    still.advance(1s);
    EXPECT_EQ(log, (std::vector{2, 3, 1}));
}

TEST_F(timers, that_are_armed_again_move_and_queue_behind_their_equals) {
    loop.at(5ms, a);
    loop.at(9ms, b);
    loop.at(9ms, a);
    still.advance(5ms);
    EXPECT_TRUE(log.empty());
    still.advance(4ms);
    EXPECT_EQ(log, (std::vector{2, 1}));
}

TEST_F(timers, that_are_cancelled_do_not_run) {
    loop.at(5ms, a);
    loop.at(5ms, b);
    loop.cancel(a);
    loop.cancel(a);
    still.advance(5ms);
    EXPECT_EQ(log, std::vector{2});
}

TEST_F(timers, can_be_cancelled_when_they_are_due_and_have_not_run) {
    struct canceller : timer {
        run_loop* loop = nullptr;
        timer* other = nullptr;
    } first;
    first.loop = &loop;
    first.other = &b;
    first.run = [](run_node* self) noexcept {
        auto& me = static_cast<canceller&>(*self);
        EXPECT_TRUE(me.other->queued);
        me.loop->cancel(*me.other);
    };
    loop.at(5ms, first);
    loop.at(5ms, b);
    loop.at(5ms, c);
    still.advance(5ms);
    EXPECT_EQ(log, std::vector{3});
}

TEST_F(timers, that_are_due_and_armed_again_before_they_ran_wait_for_the_new_time) {
    struct mover : timer {
        run_loop* loop = nullptr;
        timer* other = nullptr;
    } first;
    first.loop = &loop;
    first.other = &b;
    first.run = [](run_node* self) noexcept {
        auto& me = static_cast<mover&>(*self);
        me.loop->at(20ms, *me.other);
    };
    loop.at(5ms, first);
    loop.at(5ms, b);
    still.advance(5ms);
    EXPECT_TRUE(log.empty());
    still.advance(15ms);
    EXPECT_EQ(log, std::vector{2});
}

TEST_F(timers, keep_their_order_through_ten_thousand_arms_moves_and_cancels) {
    std::mt19937 random(1);
    std::vector<std::unique_ptr<logging_timer>> all;
    std::vector<std::pair<nanos, int>> expected;  // time and, within a time, the order of the last arming
    for (int i = 0; i < 2'000; ++i) all.push_back(std::make_unique<logging_timer>(log, i));
    std::vector<std::pair<nanos, int>> armed(all.size(), {nanos{-1}, 0});
    for (int step = 0; step < 10'000; ++step) {
        const std::size_t i = random() % all.size();
        if (random() % 4 == 0) {
            loop.cancel(*all[i]);
            armed[i].first = nanos{-1};
        } else {
            const nanos when{1 + random() % 500};
            loop.at(when, *all[i]);
            armed[i] = {when, step};
        }
    }
    std::vector<int> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](int i) { return armed[static_cast<std::size_t>(i)].first < nanos{0}; });
    std::sort(order.begin(), order.end(), [&](int x, int y) {
        return armed[static_cast<std::size_t>(x)] < armed[static_cast<std::size_t>(y)];
    });
    for (int i = 0; i < 500; ++i) still.advance(1ns);
    EXPECT_EQ(log, order);
}

TEST_F(timers, move_nothing_by_themselves_under_a_manual_clock) {
    loop.at(5ms, a);
    int asked = 0;
    loop.push(b);
    loop.run_until([&] { return ++asked > 1 && !log.empty(); });  // returns without waiting for the timer
    EXPECT_EQ(log, std::vector{2});
    EXPECT_EQ(loop.now(), 0ns);
    loop.cancel(a);
}

TEST(real_timers, fire_no_earlier_than_asked_and_the_loop_sleeps_in_between) {
    run_loop loop(quiet());
    std::vector<int> log;
    logging_timer t(log, 1);
    const nanos asked = loop.now() + 3ms;
    loop.at(asked, t);
    loop.run_until([&] { return !log.empty(); });
    EXPECT_GE(loop.now(), asked);
    EXPECT_GE(loop.sleeps(), 1u);
}

TEST(real_timers, below_a_millisecond_are_slept_for_and_not_spun_for) {
    run_loop loop(quiet());
    std::vector<int> log;
    logging_timer t(log, 1);
    for (int i = 0; i < 20; ++i) {
        log.clear();
        loop.at(loop.now() + 200us, t);
        loop.run_until([&] { return !log.empty(); });
    }
    // A loop that rounds its timeout down to 0 ms would call the kernel hundreds of times in each 200 us.
    EXPECT_LE(loop.sleeps(), 60u);
}

}  // namespace
}  // namespace weir::test
