// Values of options that only run time knows.
#include "support/service.hpp"

namespace weir::test {
namespace {

TEST(options_of_a_subscription, that_make_no_sense_are_refused_by_the_start) {
    const auto refusal_of = [](auto... options) {
        service s;
        s.memory.subscribe("in", [](const order&) -> task<void> { co_return; }, options...);
        return s.refusal();
    };
    EXPECT_EQ(refusal_of(workers(0)), "weir: subscription 'in' asks for workers(0) - at least one is needed");
    EXPECT_EQ(refusal_of(prefetch(0)),
              "weir: subscription 'in' asks for prefetch(0) - at least one delivery has to be taken");
    EXPECT_EQ(refusal_of(retries{.attempts = 0}),
              "weir: subscription 'in' declares retries with no attempt at all - the first delivery is one");
    EXPECT_EQ(refusal_of(outbox(0)),
              "weir: subscription 'in' asks for outbox(0), with which it could publish nothing - leave the "
              "option out");
    EXPECT_EQ(
        refusal_of(workers(100'000)),
        "weir: subscription 'in' asks for a batch of more than 2^20 messages or more than 2^16 workers");
    EXPECT_EQ(refusal_of(workers(8), prefetch(4)),
              "weir: subscription 'in' prefetches fewer deliveries than one batch, or than its workers, "
              "could take - "
              "raise prefetch(n)");
    EXPECT_EQ(refusal_of(workers(4), prefetch(4)), "");
}

TEST(options_of_a_subscription, of_a_batch_that_make_no_sense_are_refused_by_the_start) {
    const auto refusal_of = [](auto... options) {
        service s;
        s.memory.subscribe("in", [](std::span<const order>) {}, options...);
        return s.refusal();
    };
    EXPECT_EQ(refusal_of(batch(0)),
              "weir: subscription 'in' asks for batch(0) - a batch holds at least one message");
    EXPECT_NE(refusal_of(batch(64), prefetch(10)).find("raise prefetch(n)"), std::string::npos);
    EXPECT_EQ(refusal_of(batch(64), prefetch(64)), "");
}

}  // namespace
}  // namespace weir::test
