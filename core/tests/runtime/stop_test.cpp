#include "support.hpp"

#include <weir/runtime/sleep.hpp>
#include <weir/runtime/this_task.hpp>

#include <thread>

namespace weir::test {
namespace {

struct logged : stop_callback {
    logged(std::vector<int>& to, int n)
        : stop_callback([](stop_callback& c) noexcept {
              auto& me = static_cast<logged&>(c);
              me.log.push_back(me.number);
              if (me.takes_out != nullptr) me.takes_out->unlink();
          }),
          log(to),
          number(n) {}
    std::vector<int>& log;
    int number;
    stop_callback* takes_out = nullptr;
};

TEST(stop_state, calls_its_callbacks_once_in_the_order_they_were_linked) {
    stop_state s;
    std::vector<int> log;
    logged a(log, 1), b(log, 2), c(log, 3);
    a.link(s);
    b.link(s);
    c.link(s);
    b.unlink();
    EXPECT_FALSE(s.stop_requested());
    s.request_stop();
    s.request_stop();
    EXPECT_TRUE(s.stop_requested());
    EXPECT_EQ(log, (std::vector{1, 3}));
    EXPECT_FALSE(a.linked());
}

TEST(stop_state, lets_a_callback_take_out_another) {
    stop_state s;
    std::vector<int> log;
    logged a(log, 1), b(log, 2), c(log, 3);
    a.takes_out = &b;
    a.link(s);
    b.link(s);
    c.link(s);
    s.request_stop();
    EXPECT_EQ(log, (std::vector{1, 3}));
}

TEST(nested_stop, follows_the_outer_one_and_not_the_other_way_round) {
    stop_state outer;
    nested_stop a{stop_token(&outer)}, b{stop_token(&outer)};
    a.request_stop();
    EXPECT_FALSE(outer.stop_requested());
    EXPECT_FALSE(b.stop_requested());
    outer.request_stop();
    EXPECT_TRUE(b.stop_requested());
    const nested_stop late{stop_token(&outer)};
    EXPECT_TRUE(late.stop_requested());
    EXPECT_FALSE(nested_stop{stop_token()}.stop_requested());
}

task<void> sleeps_below(int depth) {
    if (depth == 0) co_await sleep_for(1h);
    else co_await sleeps_below(depth - 1);
}

TEST(stop, reaches_the_wait_at_the_end_of_a_chain_of_tasks) {
    still_loop still;
    running<void> r(still.loop, sleeps_below(5));
    still.loop.run_ready();
    r.stop.request_stop();
    EXPECT_FALSE(r.done());  // it ends in its own turn, not inside request_stop
    still.loop.run_ready();
    EXPECT_TRUE(r.done());
    EXPECT_EQ(r.code(), errc::cancelled);
    EXPECT_EQ(still.loop.next_timer(), nanos::max());
}

task<bool> asks() {
    const weir::stop_token before = co_await this_task::stop_token();
    co_await this_task::yield();
    co_return before.stop_possible() && !before.stop_requested();
}
task<bool> asks_through_a_child() {
    const bool answer = co_await asks();
    co_return answer;
}

TEST(stop, can_be_asked_about_by_the_task) {
    run_loop loop(quiet());
    EXPECT_TRUE(run(loop, asks_through_a_child()));
}

TEST(stop, of_a_task_with_one_of_its_own_is_not_replaced_by_its_parents) {
    still_loop still;
    stop_state mine;
    auto parent = [](stop_state& own) -> task<std::error_code> {
        task<void> child = sleeps_below(0);
        child.use_stop(own);
        std::error_code code;
        try {
            co_await std::move(child);
        } catch (const error& e) {
            code = e.code();
        }
        co_return code;
    };
    running<std::error_code> r(still.loop, parent(mine));
    still.loop.run_ready();
    r.stop.request_stop();
    still.loop.run_ready();
    EXPECT_FALSE(r.done());
    mine.request_stop();
    still.loop.run_ready();
    EXPECT_TRUE(r.done());
    EXPECT_EQ(r.take(), errc::cancelled);
}

task<int> waits_again_after_a_stop() {
    int cancelled = 0;
    for (int i = 0; i < 3; ++i) {
        try {
            co_await sleep_for(1h);
        } catch (const error& e) {
            if (e.code() == errc::cancelled) ++cancelled;
        }
    }
    co_return cancelled;
}

TEST(stop, ends_every_later_wait_at_once) {
    still_loop still;
    running<int> r(still.loop, waits_again_after_a_stop());
    still.loop.run_ready();
    r.stop.request_stop();
    still.loop.run_ready();
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.take(), 3);
}

TEST(stop_source, may_be_asked_by_any_thread_and_by_several) {
    run_loop loop(quiet());
    stop_source source(loop);
    auto sleeper = []() -> task<void> { co_await sleep_for(1h); };
    task<void> t = sleeper();
    t.use_stop(source.state());
    struct begin : run_node {
        task<void>* what = nullptr;
    } n;
    n.what = &t;
    n.run = [](run_node* self) noexcept { static_cast<begin*>(self)->what->start(); };
    loop.push(n);
    std::vector<std::thread> askers;
    for (int i = 0; i < 4; ++i) askers.emplace_back([&] { source.request_stop(); });
    loop.run_until([&] { return t.done(); });
    for (std::thread& a : askers) a.join();
    EXPECT_TRUE(source.stop_requested());
    EXPECT_EQ(code_of([&] { t.take(); }), errc::cancelled);
}

TEST(stop_source, takes_a_request_back_that_the_loop_never_saw) {
    run_loop loop(quiet());
    {
        stop_source source(loop);
        std::thread([&] { source.request_stop(); }).join();
        EXPECT_FALSE(source.state().stop_requested());
    }
    EXPECT_FALSE(loop.run_ready());
}

}  // namespace
}  // namespace weir::test
