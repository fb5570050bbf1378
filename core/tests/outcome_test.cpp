#include <weir/outcome.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

namespace weir::test {
namespace {

using namespace std::chrono_literals;
using verdict = outcome::verdict;

static_assert(sizeof(outcome) == 16);
static_assert(std::is_nothrow_move_constructible_v<outcome>);
static_assert(!std::is_copy_constructible_v<outcome>);
static_assert(!std::is_default_constructible_v<outcome>);

task<void> nothing() { co_return; }

TEST(outcome, is_made_from_the_words) {
    EXPECT_EQ(outcome{ack}.what(), verdict::ack);
    EXPECT_EQ(outcome{retry}.what(), verdict::retry);
    EXPECT_EQ(outcome{discard}.what(), verdict::discard);
    EXPECT_TRUE(outcome{ack}.plain_ack());
    EXPECT_FALSE(outcome{discard}.plain_ack());
    EXPECT_FALSE(outcome{retry}.plain_ack());
}

TEST(outcome, of_retry_in_carries_its_delay_and_retry_leaves_it_to_the_backoff) {
    EXPECT_EQ(retry_in(3s).what(), verdict::retry);
    EXPECT_EQ(retry_in(3s).delay(), 3s);
    EXPECT_EQ(retry_in(0s).delay(), 0s);
    EXPECT_LT(outcome{retry}.delay(), 0s);
    EXPECT_LT(outcome{ack}.delay(), 0s);
}

TEST(outcome, owns_a_text_that_was_made_at_run_time) {
    std::string text = "customer " + std::string(100, 'x') + " is unknown";
    const outcome o = reject(text);
    text.assign(text.size(), '?');
    EXPECT_EQ(o.what(), verdict::reject);
    EXPECT_EQ(o.why(), "customer " + std::string(100, 'x') + " is unknown");
}

TEST(outcome, refers_to_a_literal_without_a_copy) {
    static const char literal[] = "an order needs a price";
    const outcome o = reject(literal);
    EXPECT_EQ(o.why(), "an order needs a price");
    EXPECT_EQ(static_cast<const void*>(o.why().data()), static_cast<const void*>(literal));
}

TEST(outcome, has_a_reason_only_when_it_rejects) {
    EXPECT_EQ(outcome{ack}.why(), "");
    EXPECT_EQ(retry_in(1s).why(), "");
    EXPECT_EQ(outcome{verdict::reject}.why(), "");
}

TEST(outcome, keeps_delay_and_reason_when_it_is_moved) {
    outcome a = retry_in(5s);
    outcome b = std::move(a);
    EXPECT_EQ(b.delay(), 5s);
    outcome c = reject(std::string(50, 'r'));
    b = std::move(c);
    EXPECT_EQ(b.what(), verdict::reject);
    EXPECT_EQ(b.why(), std::string(50, 'r'));
    outcome& self = b;
    b = std::move(self);
    EXPECT_EQ(b.why(), std::string(50, 'r'));
    b = outcome{ack};
    EXPECT_TRUE(b.plain_ack());
}

TEST(outcome, with_a_continuation_is_no_plain_acknowledgement_any_more) {
    outcome o = ack.then(nothing());
    EXPECT_EQ(o.what(), verdict::ack);
    EXPECT_FALSE(o.plain_ack());
    EXPECT_TRUE(o.has_continuation());
    const task<void> next = o.take_continuation();
    EXPECT_FALSE(o.has_continuation());
}

TEST(outcome, keeps_verdict_delay_and_reason_beside_a_continuation) {
    EXPECT_EQ(retry_in(7s).then(nothing()).delay(), 7s);
    EXPECT_LT(outcome{retry}.then(nothing()).delay(), 0s);
    EXPECT_EQ(reject("literal").then(nothing()).why(), "literal");
    EXPECT_EQ(reject(std::string("made")).then(nothing()).why(), "made");
    EXPECT_EQ(discard.then(nothing()).what(), verdict::discard);
}

TEST(outcome, has_one_continuation_and_the_last_one_counts) {
    outcome o = ack.then(nothing()).then(nothing());
    EXPECT_TRUE(o.has_continuation());
    static_cast<void>(o.take_continuation());
    EXPECT_FALSE(o.has_continuation());
}

TEST(outcome, that_nobody_takes_destroys_its_continuation_unstarted) {
    bool ran = false;
    {
        const auto sets = [](bool& flag) -> task<void> {
            flag = true;
            co_return;
        };
        const outcome o = ack.then(sets(ran));
    }
    EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace weir::test
