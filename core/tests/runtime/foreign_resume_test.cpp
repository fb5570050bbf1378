#include "support.hpp"

#include <thread>

namespace weir::test {
namespace {

/// A foreign awaiter of the wrong kind: it resumes on whatever thread it likes.
struct leaks_its_handle {
    explicit leaks_its_handle(std::coroutine_handle<>& h) noexcept : out(h) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { out = h; }
    void await_resume() const noexcept {}
    std::coroutine_handle<>& out;
};
task<void> awaits_it(std::coroutine_handle<>& h) { co_await leaks_its_handle(h); }

#ifndef NDEBUG

void resume_on_another_thread() {
    run_loop loop(quiet());
    std::coroutine_handle<> h;
    running<void> r(loop, awaits_it(h));
    loop.run_ready();
    std::thread([&] { h.resume(); }).join();
}

void resume_on_another_loop() {
    run_loop loop(quiet()), other(quiet());
    std::coroutine_handle<> h;
    running<void> r(loop, awaits_it(h));
    loop.run_ready();
    struct resumer : run_node {
        std::coroutine_handle<> h;
    } n;
    n.h = h;
    n.run = [](run_node* self) noexcept { static_cast<resumer*>(self)->h.resume(); };
    other.push(n);
    other.run_ready();
}

TEST(foreign_resume_death, a_debug_build_says_what_happened_and_aborts) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(resume_on_another_thread(), "weir: a task was resumed on a foreign thread");
    EXPECT_DEATH(resume_on_another_loop(), "weir: a task was resumed on a foreign thread");
}

#endif

TEST(foreign_resume, is_no_matter_for_a_task_that_was_started_outside_any_loop) {
    std::coroutine_handle<> h;
    task<void> t = awaits_it(h);
    EXPECT_FALSE(t.start());
    run_loop loop(quiet());
    struct resumer : run_node {
        std::coroutine_handle<> h;
    } n;
    n.h = h;
    n.run = [](run_node* self) noexcept { static_cast<resumer*>(self)->h.resume(); };
    loop.push(n);
    loop.run_ready();
    EXPECT_TRUE(t.done());
}

}  // namespace
}  // namespace weir::test
