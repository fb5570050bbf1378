#include "support.hpp"

#include <weir/runtime/event.hpp>

#include <memory>

namespace weir::test {
namespace {

task<void> logs_after(event& e, std::vector<int>& log, int n) {
    co_await e.wait();
    log.push_back(n);
}

class an_event : public ::testing::Test {
protected:
    run_loop loop{quiet()};
    event e;
    std::vector<int> log;
};

TEST_F(an_event, wakes_all_who_wait_in_the_order_they_came) {
    running<void> a(loop, logs_after(e, log, 1)), b(loop, logs_after(e, log, 2)),
        c(loop, logs_after(e, log, 3));
    loop.run_ready();
    EXPECT_TRUE(log.empty());
    e.set();
    loop.run_ready();
    EXPECT_EQ(log, (std::vector{1, 2, 3}));
}

TEST_F(an_event, stays_set_until_it_is_reset) {
    e.set();
    run(loop, logs_after(e, log, 1));
    e.reset();
    running<void> waits(loop, logs_after(e, log, 2));
    loop.run_ready();
    EXPECT_FALSE(waits.done());
    EXPECT_EQ(log, std::vector{1});
}

TEST_F(an_event, lets_stopped_and_destroyed_tasks_go) {
    running<void> stopped(loop, logs_after(e, log, 1));
    auto destroyed = std::make_unique<running<void>>(loop, logs_after(e, log, 2));
    running<void> stays(loop, logs_after(e, log, 3));
    loop.run_ready();
    stopped.stop.request_stop();
    destroyed.reset();
    e.set();
    loop.run_ready();
    EXPECT_EQ(stopped.code(), errc::cancelled);
    EXPECT_EQ(log, std::vector{3});
}

TEST_F(an_event, that_was_set_wins_over_a_stop_in_the_same_turn) {
    running<void> r(loop, logs_after(e, log, 1));
    loop.run_ready();
    e.set();
    r.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(log, std::vector{1});
    EXPECT_EQ(r.code(), std::error_code());
}

}  // namespace
}  // namespace weir::test
