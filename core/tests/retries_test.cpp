#include <weir/options.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace weir::test {
namespace {

using namespace std::chrono_literals;
using kind = failure_action::kind;
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(backoff, constant_is_always_the_same) {
    const backoff_policy b = constant(250ms);
    for (const unsigned attempt : {0u, 1u, 2u, 1000u}) {
        EXPECT_EQ(b.after(attempt, 0), 250ms);
        EXPECT_EQ(b.after(attempt, most), 250ms);
    }
}

TEST(backoff, exponential_draws_between_nothing_and_a_bound_that_doubles_up_to_the_cap) {
    const backoff_policy b = exponential(100ms, 1s);
    const nanos bounds[] = {100ms, 200ms, 400ms, 800ms, 1s, 1s, 1s};
    for (unsigned attempt = 1; attempt <= 7; ++attempt) {
        const nanos bound = bounds[attempt - 1];
        const auto top = static_cast<std::uint64_t>(bound.count());
        EXPECT_EQ(b.after(attempt, 0), 0s);
        EXPECT_EQ(b.after(attempt, top), bound) << "the bound itself can be drawn";
        EXPECT_EQ(b.after(attempt, top + 1), 0s) << "and nothing above it";
        for (const std::uint64_t draw : {most, most / 3, std::uint64_t{123'456'789'012'345}}) {
            EXPECT_LE(b.after(attempt, draw), bound);
            EXPECT_GE(b.after(attempt, draw), 0s);
        }
    }
}

TEST(backoff, exponential_does_not_overflow_however_many_attempts_there_were) {
    const backoff_policy b = exponential(1ns, nanos::max());
    for (const unsigned attempt : {62u, 63u, 64u, 65u, 1000u, std::numeric_limits<unsigned>::max()}) {
        EXPECT_GE(b.after(attempt, most), 0s) << attempt;
        EXPECT_GE(b.after(attempt, 12'345), 0s) << attempt;
    }
    EXPECT_EQ(exponential(nanos::max(), nanos::max()).after(5, 17), nanos{17});
}

TEST(backoff, exponential_with_a_cap_below_its_first_wait_keeps_to_the_cap) {
    EXPECT_LE(exponential(10s, 1s).after(1, most), 1s);
}

TEST(backoff, exponential_of_nothing_waits_for_nothing) {
    EXPECT_EQ(exponential(0s, 30s).after(3, most), 0s);
    EXPECT_EQ(exponential(-1s, -1s).after(3, most), 0s);
}

TEST(failure_action, is_made_from_the_words) {
    EXPECT_EQ(failure_action{ack}.what, kind::acknowledge);
    EXPECT_EQ(failure_action{retry}.what, kind::try_again);
    EXPECT_EQ(failure_action{discard}.what, kind::drop);
    EXPECT_EQ(failure_action{reject("no")}.what, kind::turn_down);
    EXPECT_EQ(fail_fast.what, kind::stop_application);
}

TEST(failure_action, of_retry_in_keeps_the_delay_and_retry_leaves_it_to_the_backoff) {
    EXPECT_EQ(failure_action{retry_in(3s)}.delay, 3s);
    EXPECT_LT(failure_action{retry}.delay, 0s);
}

TEST(options, write_themselves_into_the_settings) {
    settings s;
    batch(64).apply(s);
    workers(4).apply(s);
    prefetch(100).apply(s);
    outbox(1000).apply(s);
    reply_to("receipts").apply(s);
    retries{.attempts = 3, .backoff = constant(1s), .dead_letter = "orders.dead"}.apply(s);
    on_failure{.decode = discard, .exception = fail_fast, .exhausted = retry_in(1h)}.apply(s);
    EXPECT_EQ(s.batch, 64u);
    EXPECT_EQ(s.workers, 4u);
    EXPECT_EQ(s.prefetch, 100u);
    EXPECT_EQ(s.outbox, 1000u);
    EXPECT_EQ(s.reply_to, "receipts");
    EXPECT_EQ(s.attempts, 3u);
    EXPECT_EQ(s.backoff.after(1, 0), 1s);
    EXPECT_EQ(s.dead_letter, "orders.dead");
    EXPECT_EQ(s.on_undecodable.what, kind::drop);
    EXPECT_EQ(s.on_exception.what, kind::stop_application);
    EXPECT_EQ(s.on_exhausted.delay, 1h);
}

TEST(options, have_the_documented_defaults) {
    const settings s;
    EXPECT_FALSE(s.retries_declared);
    EXPECT_EQ(s.attempts, 5u);
    EXPECT_EQ(s.backoff.first, 100ms);
    EXPECT_EQ(s.backoff.cap, 30s);
    EXPECT_EQ(s.on_undecodable.what, kind::turn_down);
    EXPECT_EQ(s.on_exception.what, kind::try_again);
    EXPECT_EQ(s.on_exhausted.what, kind::turn_down);
    EXPECT_EQ(s.workers, 1u);
    EXPECT_EQ(retries{.dead_letter = "dead"}.attempts, 5u) << "a dead letter without attempts means five";
}

}  // namespace
}  // namespace weir::test
