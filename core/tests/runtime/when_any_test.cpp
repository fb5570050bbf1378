#include "support.hpp"

#include <weir/runtime/sleep.hpp>
#include <weir/runtime/when_any.hpp>

#include <stdexcept>
#include <string>

namespace weir::test {
namespace {

task<int> after(nanos d, int n) {
    co_await sleep_for(d);
    co_return n;
}
task<std::string> text_after(nanos d, std::string s) {
    co_await sleep_for(d);
    co_return s;
}
task<void> nothing_after(nanos d) { co_await sleep_for(d); }
task<int> fails_after(nanos d) {
    co_await sleep_for(d);
    throw std::runtime_error("failed first");
}
task<int> at_once(int n) { co_return n; }
task<int> notes_its_end(nanos d, bool& ended) {
    struct note {
        explicit note(bool& b) : flag(b) {}
        note(const note&) = delete;
        note& operator=(const note&) = delete;
        ~note() { flag = true; }
        bool& flag;
    } const at_end(ended);
    co_await sleep_for(d);
    co_return 0;
}

TEST(when_any, returns_index_and_value_of_the_first) {
    still_loop still;
    running<any_result<std::variant<int, std::string, std::monostate>>> r(
        still.loop, when_any(after(30ms, 1), text_after(10ms, "two"), nothing_after(20ms)));
    still.loop.run_ready();
    still.advance(10ms);
    ASSERT_TRUE(r.done());
    const auto result = r.take();
    EXPECT_EQ(result.index, 1u);
    EXPECT_EQ(std::get<1>(result.value), "two");
}

TEST(when_any, leaves_none_of_the_losers_behind) {
    still_loop still;
    bool ended = false;
    running<any_result<std::variant<int, int>>> r(still.loop,
                                                  when_any(notes_its_end(1h, ended), after(1ms, 5)));
    still.loop.run_ready();
    still.time.advance(1ms);
    still.loop.run_until([&] {
        EXPECT_TRUE(!r.done() || ended);
        return r.done();
    });
    EXPECT_EQ(r.take().index, 1u);
    EXPECT_EQ(still.loop.next_timer(), nanos::max());
}

TEST(when_any, does_not_begin_what_comes_after_a_task_that_never_waited) {
    still_loop still;
    bool ended = false;
    const auto result = run(still.loop, when_any(at_once(1), notes_its_end(1h, ended)));
    EXPECT_EQ(result.index, 0u);
    EXPECT_FALSE(ended);
}

TEST(when_any, throws_what_the_first_threw) {
    still_loop still;
    running<any_result<std::variant<int, int>>> r(still.loop, when_any(after(1h, 1), fails_after(1ms)));
    still.loop.run_ready();
    still.advance(1ms);
    ASSERT_TRUE(r.done());
    EXPECT_THROW(r.take(), std::runtime_error);
}

TEST(when_any, takes_the_first_of_two_that_are_due_together) {
    still_loop still;
    running<any_result<std::variant<int, int>>> r(still.loop, when_any(after(1ms, 1), after(1ms, 2)));
    still.loop.run_ready();
    still.advance(1ms);
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.take().index, 0u);
}

TEST(when_any, takes_a_vector) {
    still_loop still;
    std::vector<task<int>> tasks;
    for (int i = 0; i < 5; ++i) tasks.push_back(after((5 - i) * 1ms, i));
    running<any_result<int>> r(still.loop, when_any(std::move(tasks)));
    still.loop.run_ready();
    still.advance(1ms);
    ASSERT_TRUE(r.done());
    const any_result<int> result = r.take();
    EXPECT_EQ(result.index, 4u);
    EXPECT_EQ(result.value, 4);
}

TEST(when_any, of_no_task_is_refused) {
    still_loop still;
    running<any_result<std::monostate>> r(still.loop, when_any(std::vector<task<void>>()));
    still.loop.run_ready();
    EXPECT_EQ(r.code(), errc::misuse);
}

TEST(when_any, passes_a_stop_on_and_ends_with_cancelled) {
    still_loop still;
    running<any_result<std::variant<int, int>>> r(still.loop, when_any(after(1h, 1), after(2h, 2)));
    still.loop.run_ready();
    r.stop.request_stop();
    still.loop.run_ready();
    ASSERT_TRUE(r.done());
    EXPECT_EQ(r.code(), errc::cancelled);
    EXPECT_EQ(still.loop.next_timer(), nanos::max());
}

TEST(when_any, nests) {
    still_loop still;
    auto inner = [](nanos a, nanos b) -> task<int> {
        const auto first = co_await when_any(after(a, 1), after(b, 2));
        co_return static_cast<int>(first.index);
    };
    running<any_result<std::variant<int, int>>> r(still.loop, when_any(inner(1h, 2h), inner(2h, 1ms)));
    still.loop.run_ready();
    still.advance(1ms);
    ASSERT_TRUE(r.done());
    const auto result = r.take();
    EXPECT_EQ(result.index, 1u);
    EXPECT_EQ(std::get<1>(result.value), 1);
    EXPECT_EQ(still.loop.next_timer(), nanos::max());
}

}  // namespace
}  // namespace weir::test
