#include "support.hpp"

#include <weir/runtime/loop_thread.hpp>
#include <weir/runtime/sleep.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <pthread.h>

namespace weir::test {
namespace {

/// What a plain thread waits on for something that happens on a loop.
template <class T> class box {
public:
    void put(T value) {
        const std::lock_guard hold(lock_);  // to the end: who gets the value may destroy the box
        value_ = std::move(value);
        full_ = true;
        changed_.notify_all();
    }
    T get() {
        std::unique_lock hold(lock_);
        changed_.wait(hold, [this] { return full_; });
        return value_;
    }

private:
    std::mutex lock_;
    std::condition_variable changed_;
    bool full_ = false;
    T value_{};
};

task<void> tells_its_name(box<std::string>& to) {
    char name[16] = {};
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    to.put(name);
    co_return;
}
task<void> tells_its_loop(box<run_loop*>& to, nanos d) {
    co_await sleep_for(d);
    to.put(run_loop::current());
}
struct marks_its_end {
    explicit marks_its_end(std::atomic<bool>& flag) : ended(flag) {}
    marks_its_end(const marks_its_end&) = delete;
    marks_its_end& operator=(const marks_its_end&) = delete;
    ~marks_its_end() { ended = true; }
    std::atomic<bool>& ended;
};
task<void> never_ends(box<bool>& began, std::atomic<bool>& ended) {
    const marks_its_end mark(ended);
    began.put(true);
    co_await sleep_for(1h);
}

TEST(loop_thread, has_a_name_that_is_cut_to_fit) {
    box<std::string> name;
    loop_thread t("a name of more than fifteen characters", quiet());
    t.spawn(tells_its_name(name));
    EXPECT_EQ(name.get(), "a name of more ");
}

TEST(loop_thread, drives_its_own_loop) {
    box<run_loop*> where;
    loop_thread t("test", quiet());
    t.spawn(tells_its_loop(where, 1ms));
    EXPECT_EQ(where.get(), &t.loop());
}

TEST(loop_thread, destroys_what_has_not_finished_when_it_is_stopped) {
    box<bool> began;
    std::atomic<bool> ended{false};
    {
        loop_thread t("test", quiet());
        t.spawn(never_ends(began, ended));
        began.get();
        t.stop();
        t.join();
        EXPECT_TRUE(ended);
    }
}

TEST(loop_thread, that_is_stopped_before_it_ran_ends) {
    for (int i = 0; i < 100; ++i) {
        loop_thread t("test", quiet());
        t.stop();
    }
}

TEST(loop_thread, passes_nodes_to_and_fro_between_two_of_them) {
    box<bool> done;
    struct ball : run_node {
        loop_thread *here = nullptr, *there = nullptr;
        int left = 2'000;
        box<bool>* end = nullptr;
    } n;
    loop_thread a("a", quiet()), b("b", quiet());
    n.here = &a;
    n.there = &b;
    n.end = &done;
    n.run = [](run_node* self) noexcept {
        auto& me = static_cast<ball&>(*self);
        EXPECT_TRUE(me.here->loop().is_current());
        if (--me.left == 0) return me.end->put(true);
        std::swap(me.here, me.there);
        me.here->loop().post(me);
    };
    a.loop().post(n);
    EXPECT_TRUE(done.get());
}

}  // namespace
}  // namespace weir::test
