#include "support.hpp"

#include <weir/runtime/sleep.hpp>
#include <weir/runtime/this_task.hpp>
#include <weir/runtime/when_all.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace weir::test {
namespace {

task<int> after(nanos d, int n) {
    co_await sleep_for(d);
    co_return n;
}
task<std::string> at_once(std::string s) { co_return s; }
task<void> nothing_after(nanos d) { co_await sleep_for(d); }
task<int> fails_after(nanos d, const char* why) {
    if (d > nanos{0}) co_await sleep_for(d);
    throw std::runtime_error(why);
}

/// A wait that knows no stop: the ready queue, once round.
struct next_turn : run_node {
    next_turn() noexcept {
        run = [](run_node* self) noexcept { static_cast<next_turn*>(self)->waiting.resume(); };
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) noexcept {
        waiting = h;
        run_loop::current()->push(*this);
    }
    void await_resume() const noexcept {}
    std::coroutine_handle<> waiting;
};

TEST(when_all, returns_the_results_in_the_order_of_the_tasks) {
    still_loop still;
    running<std::tuple<int, std::string, std::monostate>> r(
        still.loop, when_all(after(20ms, 1), at_once("two"), nothing_after(10ms)));
    still.loop.run_ready();
    still.advance(10ms);
    EXPECT_FALSE(r.done());
    still.advance(10ms);
    ASSERT_TRUE(r.done());
    const auto result = r.take();
    EXPECT_EQ(std::get<0>(result), 1);
    EXPECT_EQ(std::get<1>(result), "two");
}

TEST(when_all, of_tasks_that_never_wait_does_not_wait) {
    still_loop still;
    running<std::tuple<std::string, std::string>> r(still.loop, when_all(at_once("a"), at_once("b")));
    still.loop.run_ready();
    EXPECT_TRUE(r.done());
}

TEST(when_all, takes_a_vector) {
    still_loop still;
    std::vector<task<int>> tasks;
    for (int i = 0; i < 10; ++i) tasks.push_back(after(nanos{(10 - i) * 1ms}, i));
    running<std::vector<int>> r(still.loop, when_all(std::move(tasks)));
    still.loop.run_ready();
    for (int i = 0; i < 10; ++i) still.advance(1ms);
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.take(), (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(when_all, of_none_is_done_at_once) {
    still_loop still;
    run(still.loop, when_all(std::vector<task<void>>()));
    EXPECT_TRUE(run(still.loop, when_all(std::vector<task<int>>())).empty());
    static_cast<void>(run(still.loop, when_all()));
}

TEST(when_all, passes_results_that_cannot_be_copied) {
    run_loop loop(quiet());
    auto make = [](int n) -> task<std::unique_ptr<int>> {
        co_await this_task::yield();
        co_return std::make_unique<int>(n);
    };
    auto result = run(loop, when_all(make(1), make(2)));
    EXPECT_EQ(*std::get<0>(result) + *std::get<1>(result), 3);
}

task<void> cleans_up(std::vector<int>& log, int n) {
    try {
        co_await sleep_for(1h);
    } catch (const error& e) {
        log.push_back(e.code() == errc::cancelled ? n : -n);
        throw;
    }
}

TEST(when_all, stops_the_others_when_one_fails_and_throws_the_first_failure_after_all_have_ended) {
    still_loop still;
    std::vector<int> log;
    running<std::tuple<std::monostate, int, std::monostate>> r(
        still.loop, when_all(cleans_up(log, 1), fails_after(5ms, "first"), cleans_up(log, 3)));
    still.loop.run_ready();
    still.advance(5ms);
    ASSERT_TRUE(r.done());
    EXPECT_EQ(log, (std::vector{1, 3}));
    try {
        r.take();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "first");
    }
}

TEST(when_all, does_not_begin_what_comes_after_a_failure) {
    still_loop still;
    bool began = false;
    auto begins = [](bool& flag) -> task<void> {
        flag = true;
        co_return;
    };
    running<std::tuple<int, std::monostate>> r(still.loop, when_all(fails_after(0ms, "now"), begins(began)));
    still.loop.run_ready();
    ASSERT_TRUE(r.done());
    EXPECT_FALSE(began);
    EXPECT_THROW(r.take(), std::runtime_error);
}

task<void> ends_slowly(int turns, bool& ended) {
    try {
        co_await sleep_for(1h);
    } catch (const error&) {
        ended = false;
    }
    for (int i = 0; i < turns; ++i) co_await next_turn();
    ended = true;
}

TEST(when_all, waits_for_a_task_that_takes_its_time_to_stop) {
    still_loop still;
    bool ended = false;
    running<std::tuple<int, std::monostate>> r(still.loop,
                                               when_all(fails_after(1ms, "x"), ends_slowly(5, ended)));
    still.loop.run_ready();
    still.time.advance(1ms);
    still.loop.run_until([&] {
        EXPECT_TRUE(!r.done() || ended);
        return r.done();
    });
    EXPECT_TRUE(ended);
    EXPECT_THROW(r.take(), std::runtime_error);
}

TEST(when_all, passes_a_stop_on_to_all_and_ends_with_cancelled) {
    still_loop still;
    std::vector<int> log;
    running<std::tuple<std::monostate, std::monostate>> r(still.loop,
                                                          when_all(cleans_up(log, 1), cleans_up(log, 2)));
    still.loop.run_ready();
    r.stop.request_stop();
    still.loop.run_ready();
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.code(), errc::cancelled);
    EXPECT_EQ(log, (std::vector{1, 2}));
}

TEST(when_all, that_is_destroyed_while_it_waits_takes_its_tasks_along) {
    still_loop still;
    {
        running<std::tuple<int, int>> r(still.loop, when_all(after(1h, 1), after(2h, 2)));
        still.loop.run_ready();
        EXPECT_EQ(still.loop.next_timer(), 1h);
    }
    EXPECT_EQ(still.loop.next_timer(), nanos::max());
}

}  // namespace
}  // namespace weir::test
