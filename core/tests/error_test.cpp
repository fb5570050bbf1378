#include <weir/error.hpp>
#include <weir/outcome.hpp>
#include <weir/result.hpp>

#include <gtest/gtest.h>

#include <set>

namespace weir::test {
namespace {

TEST(error, has_a_code_to_branch_on_and_a_text_to_read) {
    const error e(errc::closed, "weir: the door is shut");
    EXPECT_EQ(e.code(), errc::closed);
    EXPECT_STREQ(e.what(), "weir: the door is shut");
    EXPECT_EQ(error{make_error_code(errc::queue_full)}.what(), std::string("queue full"));
}

TEST(error, category_names_every_code_differently) {
    std::set<std::string> names;
    for (int i = static_cast<int>(errc::closed); i <= static_cast<int>(errc::misuse); ++i)
        names.insert(error_category().message(i));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(errc::misuse));
    EXPECT_FALSE(names.contains("unknown error"));
    EXPECT_EQ(error_category().message(0), "unknown error");
    EXPECT_STREQ(error_category().name(), "weir");
}

struct receipt {
    int order;
};

TEST(result, holds_a_value_or_what_came_instead) {
    const result<receipt, outcome> good = receipt{5};
    ASSERT_TRUE(good);
    EXPECT_EQ(good->order, 5);
    const result<receipt, outcome> bad = discard;  // a word converts
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().what(), outcome::verdict::discard);
    const result<receipt, outcome> why = reject("no");
    EXPECT_EQ(why.error().why(), "no");
}

TEST(result, throws_its_error_when_the_value_is_asked_for_and_there_is_none) {
    result<int> none = error{errc::timed_out, "late"};
    EXPECT_THROW(static_cast<void>(none.value()), error);
    result<int> some = 7;
    EXPECT_EQ(some.value(), 7);
    EXPECT_EQ(*std::move(some), 7);
}

}  // namespace
}  // namespace weir::test
