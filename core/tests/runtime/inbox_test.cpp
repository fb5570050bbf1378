#include "support.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace weir::test {
namespace {

TEST(inbox, a_chain_runs_first_to_last_behind_what_was_posted_before) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered a(log, 1), b(log, 2), c(log, 3), d(log, 4), e(log, 5), f(log, 6);
    b.next = &c;
    c.next = &d;
    e.next = &f;
    std::thread([&] {
        loop.post(a);
        loop.post(b, d);
        loop.post(e, f);
    }).join();
    loop.run_ready();
    EXPECT_EQ(log, (std::vector{1, 2, 3, 4, 5, 6}));
}

TEST(inbox, a_post_wakes_a_sleeping_loop) {
    run_loop loop(quiet());
    std::vector<int> log;
    numbered n(log, 1);
    std::thread poster;
    std::atomic<bool> asleep_soon{false};
    poster = std::thread([&] {
        while (!asleep_soon.load()) std::this_thread::yield();
        loop.post(n);
    });
    loop.run_until([&] {
        asleep_soon.store(true);
        return !log.empty();
    });
    poster.join();
    EXPECT_EQ(log, std::vector{1});
}

TEST(inbox, wake_makes_a_sleeping_loop_ask_its_condition_again) {
    run_loop loop(quiet());
    std::atomic<bool> done{false};
    std::thread waker([&] {
        done.store(true);
        loop.wake();
    });
    loop.run_until([&] { return done.load(); });
    waker.join();
}

TEST(inbox, a_wake_before_the_loop_runs_is_not_lost) {
    run_loop loop(quiet());
    loop.wake();
    int asked = 0;
    loop.run_until([&] { return ++asked == 3; });
    EXPECT_EQ(loop.sleeps(), 0u);
}

struct counted : run_node {
    counted() {
        run = [](run_node* self) noexcept {
            auto& me = static_cast<counted&>(*self);
            ++*me.sum;
            me.out->store(false, std::memory_order_release);
        };
    }
    long* sum = nullptr;
    std::atomic<bool>* out = nullptr;
};

// Every node is posted again as soon as it has run, so the loop is raced at the moment it falls asleep, again and again.
TEST(inbox, loses_nothing_of_what_four_threads_post_while_the_loop_sleeps_and_wakes) {
    for (const nanos spin : {nanos{0}, nanos{20us}}) {
        run_loop loop({.spin = spin});
        constexpr int threads = 4, each = 5'000;
        long sum = 0;
        std::atomic<bool> out[threads]{};
        counted nodes[threads];
        std::vector<std::thread> posters;
        for (int t = 0; t < threads; ++t) {
            nodes[t].sum = &sum;
            nodes[t].out = &out[t];
            posters.emplace_back([&, t] {
                for (int i = 0; i < each; ++i) {
                    while (out[t].exchange(true, std::memory_order_acquire)) std::this_thread::yield();
                    loop.post(nodes[t]);
                }
            });
        }
        loop.run_until([&] { return sum == long{threads} * each; });
        for (std::thread& p : posters) p.join();
        EXPECT_EQ(sum, long{threads} * each);
    }
}

TEST(inbox, keeps_the_order_of_each_thread) {
    run_loop loop(quiet());
    constexpr int threads = 4, each = 2'000;
    std::vector<int> logs[threads];
    std::vector<std::vector<numbered>> nodes(threads);
    for (int t = 0; t < threads; ++t) {
        for (int i = 0; i < each; ++i) nodes[static_cast<std::size_t>(t)].emplace_back(logs[t], i);
    }
    std::vector<std::thread> posters;
    for (auto& mine : nodes) {
        posters.emplace_back([&loop, &mine] {
            for (std::size_t i = 0; i < mine.size(); i += 4) {
                for (std::size_t k = i; k < i + 3; ++k) mine[k].next = &mine[k + 1];
                loop.post(mine[i], mine[i + 3]);
            }
        });
    }
    loop.run_until([&] {
        std::size_t sum = 0;
        for (const auto& l : logs) sum += l.size();
        return sum == std::size_t{threads} * each;
    });
    for (std::thread& p : posters) p.join();
    for (const auto& l : logs) EXPECT_TRUE(std::is_sorted(l.begin(), l.end()));
}

/// How often the loop's event was written to: a loop never reads it, so the kernel's counter keeps the sum.
class wake_counter {
public:
    wake_counter() : before_(eventfds()) {}
    void find() {
        for (const std::string& name : eventfds()) {
            if (std::find(before_.begin(), before_.end(), name) == before_.end()) name_ = name;
        }
        ASSERT_FALSE(name_.empty());
    }
    unsigned long writes() const {
        std::ifstream info("/proc/self/fdinfo/" + name_);
        for (std::string line; std::getline(info, line);) {
            if (line.starts_with("eventfd-count:")) return std::stoul(line.substr(14), nullptr, 16);
        }
        ADD_FAILURE() << "no count of the event";
        return 0;
    }

private:
    static std::vector<std::string> eventfds() {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
            std::error_code gone;
            const auto target = std::filesystem::read_symlink(entry.path(), gone);
            if (!gone && target == "anon_inode:[eventfd]") names.push_back(entry.path().filename());
        }
        return names;
    }
    std::vector<std::string> before_;
    std::string name_;
};

TEST(inbox, a_post_to_a_loop_that_is_awake_makes_no_system_call) {
    wake_counter wakes;
    run_loop loop(quiet());
    wakes.find();
    std::vector<int> log;
    std::vector<numbered> nodes;
    for (int i = 0; i < 100; ++i) nodes.emplace_back(log, i);
    std::thread([&] {
        for (numbered& n : nodes) loop.post(n);
    }).join();
    loop.run_until([&] { return log.size() == 100; });
    EXPECT_EQ(wakes.writes(), 0u);
}

TEST(inbox, a_burst_wakes_a_sleeping_loop_once) {
    wake_counter wakes;
    run_loop loop(quiet());
    wakes.find();
    std::vector<int> log;
    std::vector<numbered> nodes;
    for (int i = 0; i < 100; ++i) nodes.emplace_back(log, i);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) nodes[i].next = &nodes[i + 1];
    std::thread poster([&] { loop.post(nodes.front(), nodes.back()); });
    loop.run_until([&] { return log.size() == 100; });
    poster.join();
    EXPECT_LE(wakes.writes(), 1u);
}

TEST(inbox, a_loop_may_be_destroyed_as_soon_as_the_posted_node_has_run) {
    for (int i = 0; i < 300; ++i) {
        std::vector<int> log;
        numbered n(log, 1);
        std::thread poster;
        {
            run_loop loop(quiet());
            poster = std::thread([&] { loop.post(n); });
            loop.run_until([&] { return !log.empty(); });
        }
        poster.join();
    }
}

TEST(inbox, without_spin_a_loop_that_waits_sleeps_in_the_kernel) {
    run_loop loop(quiet());
    struct one_shot : timer {
        int runs = 0;
    } t;
    t.run = [](run_node* self) noexcept { ++static_cast<one_shot&>(*self).runs; };
    for (int i = 0; i < 10; ++i) {
        loop.at(loop.now() + 1ms, t);
        const int before = t.runs;
        loop.run_until([&] { return t.runs != before; });
    }
    EXPECT_GE(loop.sleeps(), 10u);
}

}  // namespace
}  // namespace weir::test
