#include <weir/weir.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>
#include <vector>

// Minutes of everything at once: four publishing threads, two run loops, full queues, a competing group, tasks, batches,
// retries, exceptions, dead letters and a chain. Nothing may be lost, and nothing may be in two places.

namespace weir::test {
namespace {

using namespace std::chrono_literals;

struct job {
    std::uint64_t id;
};
inline constexpr topic<job> chained{"chained"};

/// How often each message was seen in the end, whatever happened to it in between.
struct ledger {
    explicit ledger(std::size_t n) : seen(std::make_unique<std::atomic<std::uint8_t>[]>(n)) {}
    void done(std::uint64_t id) {
        seen[id].fetch_add(1, std::memory_order_relaxed);
        finished.fetch_add(1, std::memory_order_relaxed);
    }
    std::unique_ptr<std::atomic<std::uint8_t>[]> seen;
    std::atomic<std::uint64_t> finished{0};
};
struct grouped : ledger {
    using ledger::ledger;
};
struct batched : ledger {
    using ledger::ledger;
};
struct linked : ledger {
    using ledger::ledger;
};

/// Fails in a way that depends on the message and on the attempt, so that every run does the same work.
outcome by_turns(const job& j, const context& c, grouped& all) {
    switch ((j.id + c.attempt()) % 7) {
    case 0: throw std::runtime_error("now and then");
    case 1: return retry;
    case 2: return retry_in(1ms);
    default: break;
    }
    if (j.id % 101 == 0) return reject("every hundred and first");
    all.done(j.id);
    return ack;
}
void dead(bytes b, grouped& all) { all.done(json::parse<job>(b.text()).id); }
task<outcome> waits(const job& j, out<chained> next) {
    if (j.id % 3 == 0) co_await sleep_for(100us);
    next.publish(j);
    co_return ack;
}
void end_of_chain(const job& j, linked& all) { all.done(j.id); }
outcome batches(std::span<const job> jobs, const context& c, batched& all) {
    if (jobs.front().id % 13 == 0 && c.attempt() == 1) return retry;
    for (const job& j : jobs) all.done(j.id);
    return ack;
}

TEST(everything_at_once, loses_nothing_and_repeats_nothing) {
    const char* rounds = std::getenv("WEIR_SOAK_MESSAGES");
    const std::uint64_t messages = rounds != nullptr ? std::strtoull(rounds, nullptr, 10) : 4'000'000;
    constexpr std::uint64_t publishers = 4;
    grouped in_group(messages);
    batched in_batches(messages);
    linked in_chain(messages);

    application app{{"soak", "1"}, {.threads = 2}};
    app.log(log_level::off).provide(shared(in_group)).provide(shared(in_batches)).provide(shared(in_chain));
    auto& broker = app.use(memory::broker{memory::options{.capacity = 512}});
    const retries often{.attempts = 50, .backoff = exponential(1ms, 4ms), .dead_letter = "jobs.dead"};
    for (int i = 0; i != 3; ++i)
        broker.subscribe(memory::subscription("jobs").group("workers"), by_turns, often);
    broker.subscribe("jobs.dead", dead);
    broker.subscribe("jobs", waits, workers(8));
    broker.subscribe(chained, end_of_chain);
    broker.subscribe("jobs", batches, batch(32), retries{.attempts = 50, .backoff = constant(1ms)});

    auto running = app.start();
    std::vector<std::thread> threads;
    std::atomic<std::uint64_t> refused{0};
    for (std::uint64_t t = 0; t != publishers; ++t)
        threads.emplace_back([&, t] {
            const publisher to = broker.publisher();
            for (std::uint64_t id = t; id < messages; id += publishers)
                if (to.publish("jobs", job{id}).try_wait_for(1min)) refused.fetch_add(1);
        });
    for (std::thread& t : threads) t.join();
    ASSERT_EQ(refused.load(), 0u);

    const auto all_done = [&] {
        return in_group.finished.load() >= messages && in_batches.finished.load() >= messages &&
               in_chain.finished.load() >= messages;
    };
    const auto give_up = std::chrono::steady_clock::now() + 2min;
    while (!all_done() && std::chrono::steady_clock::now() < give_up)
        std::this_thread::yield();  // the limit only ends a run that has failed already
    const drain_report report = running.shutdown();
    EXPECT_TRUE(report.complete);

    for (const ledger* l : std::initializer_list<const ledger*>{&in_group, &in_batches, &in_chain})
        for (std::uint64_t id = 0; id != messages; ++id) ASSERT_EQ(l->seen[id].load(), 1) << "message " << id;
}

}  // namespace
}  // namespace weir::test
