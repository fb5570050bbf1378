#include "support.hpp"

#include <weir/runtime/completion.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace weir::test {
namespace {

template <class T> using handles = std::vector<completion_handle<T>>;

template <class T> task<T> waits(handles<T>& out) {
    completion<T> done;
    out.push_back(done.handle());
    co_return co_await done;
}

TEST(completion, brings_a_value_from_another_thread) {
    run_loop loop(quiet());
    handles<std::string> h;
    running<std::string> r(loop, waits(h));
    loop.run_ready();
    std::thread callback([&] { EXPECT_TRUE(h.front().set_value("from afar")); });
    EXPECT_EQ(r.finish(), "from afar");
    callback.join();
}

TEST(completion, brings_an_exception) {
    run_loop loop(quiet());
    handles<int> h;
    running<int> r(loop, waits(h));
    loop.run_ready();
    EXPECT_TRUE(h.front().set_error(std::make_exception_ptr(std::runtime_error("foreign"))));
    EXPECT_THROW(r.finish(), std::runtime_error);
}

TEST(completion, of_void_needs_no_value) {
    run_loop loop(quiet());
    handles<void> h;
    running<void> r(loop, waits(h));
    loop.run_ready();
    EXPECT_TRUE(h.front().set_value());
    r.finish();
}

task<int> waits_late(completion<int>& done) {
    const int n = co_await done;
    co_return n;
}

TEST(completion, that_came_before_the_wait_is_there_at_once) {
    run_loop loop(quiet());
    completion<int> done(loop);
    std::thread([h = done.handle()] { h.set_value(4); }).join();
    loop.run_ready();
    EXPECT_EQ(run(loop, waits_late(done)), 4);
}

TEST(completion, keeps_the_first_outcome) {
    run_loop loop(quiet());
    completion<int> done(loop);
    const completion_handle<int> a = done.handle();
    const completion_handle<int> b = a;  // NOLINT(performance-unnecessary-copy-initialization): copies share
    EXPECT_TRUE(a.set_value(1));
    EXPECT_FALSE(b.set_value(2));
    EXPECT_FALSE(b.set_error(std::make_exception_ptr(std::runtime_error("late"))));
    EXPECT_EQ(run(loop, waits_late(done)), 1);
}

TEST(completion, keeps_one_outcome_of_four_threads_that_race) {
    for (int round = 0; round < 200; ++round) {
        run_loop loop(quiet());
        completion<int> done(loop);
        std::atomic<int> winners{0}, winner{-1};
        std::vector<std::thread> racers;
        for (int i = 0; i < 4; ++i) {
            racers.emplace_back([&winners, &winner, i, h = done.handle()] {
                if (h.set_value(i)) {
                    ++winners;
                    winner = i;
                }
            });
        }
        const int got = run(loop, waits_late(done));
        for (std::thread& t : racers) t.join();
        EXPECT_EQ(winners, 1);
        EXPECT_EQ(got, winner);
    }
}

TEST(completion, whose_callback_is_dropped_unused_ends_with_closed) {
    run_loop loop(quiet());
    handles<int> h;
    running<int> r(loop, waits(h));
    loop.run_ready();
    EXPECT_EQ(loop.external(), 1);
    {
        const completion_handle<int> copy = h.front();
        h.clear();
        loop.run_ready();
        EXPECT_FALSE(r.done());
    }
    loop.run_ready();
    EXPECT_EQ(r.code(), errc::closed);
    EXPECT_EQ(loop.external(), 0);
}

TEST(completion, counts_as_work_outside_until_it_has_arrived) {
    run_loop loop(quiet());
    completion<int> done(loop);
    EXPECT_EQ(loop.external(), 0);
    const completion_handle<int> h = done.handle();
    const completion_handle<int> second = done.handle();
    EXPECT_EQ(loop.external(), 1);
    h.set_value(1);
    EXPECT_EQ(loop.external(), 1);  // on its way
    loop.run_ready();
    EXPECT_EQ(loop.external(), 0);
    const completion_handle<int> third = done.handle();
    EXPECT_EQ(loop.external(), 0);
}

TEST(completion, that_is_stopped_ends_with_cancelled_and_a_late_callback_harms_nobody) {
    run_loop loop(quiet());
    handles<int> h;
    running<int> r(loop, waits(h));
    loop.run_ready();
    EXPECT_FALSE(h.front().abandoned());
    r.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(r.code(), errc::cancelled);
    EXPECT_TRUE(h.front().abandoned());
    EXPECT_EQ(loop.external(), 0);
    std::thread([&] { h.front().set_value(1); }).join();
    EXPECT_FALSE(loop.run_ready());
}

TEST(completion, that_arrives_in_the_turn_of_a_stop_ends_once) {
    run_loop loop(quiet());
    handles<int> h;
    running<int> r(loop, waits(h));
    loop.run_ready();
    std::thread([&] { h.front().set_value(1); }).join();
    r.stop.request_stop();  // the loop has not seen the value
    loop.run_ready();
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.code(), errc::cancelled);
    EXPECT_FALSE(loop.run_ready());
}

TEST(completion, can_be_awaited_by_another_task_after_the_first_was_stopped) {
    run_loop loop(quiet());
    completion<int> done(loop);
    const completion_handle<int> h = done.handle();
    running<int> first(loop, waits_late(done));
    loop.run_ready();
    first.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(first.code(), errc::cancelled);
    h.set_value(6);
    loop.run_ready();
    EXPECT_EQ(run(loop, waits_late(done)), 6);
}

TEST(completion, outside_a_loop_needs_to_be_told_one) {
    EXPECT_EQ(code_of([] { const completion<int> nowhere; }), errc::misuse);
}

TEST(completion, may_be_answered_when_its_task_and_its_loop_are_gone) {
    handles<std::string> h;
    {
        run_loop loop(quiet());
        running<std::string> r(loop, waits(h));
        loop.run_ready();
    }
    EXPECT_TRUE(h.front().abandoned());
    EXPECT_TRUE(h.front().set_value("nobody listens"));
}

TEST(completion, survives_an_answer_that_races_its_destruction) {
    for (int round = 0; round < 500; ++round) {
        handles<std::string> h;
        std::atomic<bool> go{false};
        std::thread callback;
        {
            run_loop loop(quiet());
            running<std::string> r(loop, waits(h));
            loop.run_ready();
            callback = std::thread([&go, mine = h.front()] {
                while (!go.load()) {}
                mine.set_value("x");
            });
            h.clear();
            go.store(true);
        }
        callback.join();
    }
}

TEST(completion, is_awaited_once) {
    run_loop loop(quiet());
    completion<int> done(loop);
    const completion_handle<int> h = done.handle();
    running<int> first(loop, waits_late(done)), second(loop, waits_late(done));
    loop.run_ready();
    EXPECT_EQ(second.code(), errc::already_waited);
    h.set_value(1);
    EXPECT_EQ(first.finish(), 1);
    running<int> third(loop, waits_late(done));
    loop.run_ready();
    EXPECT_EQ(third.code(), errc::already_waited);
}

struct throws_when_made {
    explicit throws_when_made(int) { throw std::runtime_error("no room"); }
};

TEST(completion, turns_a_value_that_cannot_be_made_into_its_exception) {
    run_loop loop(quiet());
    handles<std::optional<throws_when_made>> h;
    running<std::optional<throws_when_made>> r(loop, waits(h));
    loop.run_ready();
    EXPECT_TRUE(h.front().set_value(std::in_place, 1));
    EXPECT_THROW(r.finish(), std::runtime_error);
}

}  // namespace
}  // namespace weir::test
