#include "check.hpp"

#include <weir/weir.hpp>

#include <atomic>
#include <set>
#include <thread>

using namespace std::chrono_literals;

struct Order {
    std::uint64_t id = 0;
};
namespace topics {
inline constexpr weir::topic<Order> orders{"orders"};
}  // namespace topics

struct Seen {
    std::atomic<int> first = 0, second = 0;
    int now = 0, most = 0, done = 0;
    std::size_t batches = 0, in_batches = 0;
    std::vector<std::uint64_t> order;
};
struct Threads {
    std::atomic<int> calls = 0;
};

void count(const Order&, Threads& t) { ++t.calls; }

void two_threads() {
    Threads calls;
    weir::application app{{"orders", "1.0.0"}, {.threads = 2, .spin = 0us}};
    app.provide(weir::shared(calls));
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(weir::memory::subscription("orders").group("billing"), count);  // first thread
    broker.subscribe(weir::memory::subscription("orders").group("billing"), count);  // second thread
    auto running = app.start();
    const Order order{1};
    for (int i = 0; i != 100; ++i) running.publisher().publish(topics::orders, order).wait_for(10s);
    while (calls.calls != 100) std::this_thread::yield();
    running.shutdown();
}

weir::task<void> look_up(const Order&, Seen& seen) {
    ++seen.now;
    seen.most = std::max(seen.most, seen.now);
    co_await weir::sleep_for(1ms);  // a database that takes its time
    --seen.now;
    ++seen.done;
}

void store(std::span<const Order> orders, Seen& seen) {  // 1 to 32 messages, whatever is there
    ++seen.batches;
    seen.in_batches += orders.size();
}

void in_order(const Order& order, Seen& seen) { seen.order.push_back(order.id); }

namespace topics {
inline constexpr weir::topic<Order> circle{"circle"};
}  // namespace topics

void twice(const Order& order, weir::out<topics::circle> circle,
           Seen& seen) {  // can never keep up with itself
    ++seen.done;
    circle.publish(order);
    circle.publish(order);
}

void full_cycle() {
    weir::application app{{"circle", "1"}};
    app.log(weir::log_level::off);
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{{.capacity = 4}});
    broker.subscribe(topics::circle, twice, weir::retries{.attempts = 1});
    auto running = app.start_here();
    check(!running.publisher().publish(topics::circle, {1}).try_now());
    running.run_until([&] { return seen.done >= 20; });
    check(running.subscriptions()[0].counters.rejected != 0);  // it goes on, nobody hangs
    running.shutdown();
}

int main() {
    two_threads();
    full_cycle();
    weir::application app{{"concurrency", "1"}};
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe("lookups", look_up, weir::workers(8));
    broker.subscribe("rows", store, weir::batch(32), weir::prefetch(128));
    broker.subscribe("sequence", in_order);
    auto running = app.start_here();
    const auto publisher = running.publisher();
    for (std::uint64_t i = 0; i != 100; ++i) {
        const Order order{i};
        for (const std::string_view to : {"lookups", "rows", "sequence"})
            check(!publisher.publish(to, order).try_now());
    }
    running.run_until([&] { return seen.done == 100 && seen.in_batches == 100 && seen.order.size() == 100; });
    check(seen.most == 8 && seen.batches == 4);
    for (std::uint64_t i = 0; i != 100; ++i) check(seen.order[i] == i);
    running.shutdown();
}
