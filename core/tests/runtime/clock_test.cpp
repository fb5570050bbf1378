#include "support.hpp"

namespace weir::test {
namespace {

TEST(clock, the_real_one_never_goes_back) {
    const clock& real = real_clock();
    nanos before = real.now(real.self);
    for (int i = 0; i < 1000; ++i) {
        const nanos after = real.now(real.self);
        ASSERT_GE(after, before);
        before = after;
    }
    EXPECT_TRUE(real.moves_by_itself);
}

TEST(clock, the_real_one_knows_the_time_of_day) {
    const auto before = std::chrono::system_clock::now();
    const auto told = real_clock().wall(real_clock().self);
    const auto after = std::chrono::system_clock::now();
    EXPECT_LE(before, told);
    EXPECT_LE(told, after);
}

TEST(clock, a_manual_one_moves_only_when_told_and_takes_the_time_of_day_along) {
    const std::chrono::system_clock::time_point noon{std::chrono::hours{12}};
    manual_clock time(5s, noon);
    const clock& source = time.source();
    EXPECT_EQ(source.now(source.self), 5s);
    EXPECT_EQ(source.wall(source.self), noon);
    EXPECT_FALSE(source.moves_by_itself);
    time.advance(250ms);
    EXPECT_EQ(source.now(source.self), 5250ms);
    EXPECT_EQ(source.wall(source.self), noon + 250ms);
}

TEST(clock, a_loop_tells_the_time_of_the_clock_it_was_given) {
    manual_clock time(7s);
    run_loop loop({.time = &time.source()});
    EXPECT_EQ(loop.now(), 7s);
    time.advance(1ns);
    EXPECT_EQ(loop.now(), 7s + 1ns);
    EXPECT_EQ(loop.wall_now(), time.wall());
}

}  // namespace
}  // namespace weir::test
