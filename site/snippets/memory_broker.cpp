#include "check.hpp"

#include <weir/weir.hpp>

struct Order {
    std::uint64_t id = 0;
};
struct Seen {
    int named = 0, all = 0, europe = 0, shared = 0;
};

void by_name(const Order&, Seen& seen) { ++seen.named; }
void everything(const Order&, Seen& seen) { ++seen.all; }
void one_region(const Order&, Seen& seen) { ++seen.europe; }
void competing(const Order&, Seen& seen) { ++seen.shared; }

void small() {
    weir::application app{{"small", "1"}};
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(
        weir::memory::broker{{.capacity = 2, .full = weir::memory::when_full::fail, .max_payload = 1 << 20}});
    broker.subscribe("orders", by_name);
    auto running = app.start_here();
    const weir::publisher publisher = running.publisher();
    const Order order{1};
    check(!publisher.publish("orders", order).try_now() && !publisher.publish("orders", order).try_now());
    check(publisher.publish("orders", order).try_now() == weir::errc::queue_full);
    const std::string large((1 << 20) + 1, ' ');
    check(publisher.publish("orders", weir::bytes{large}).try_now() == weir::errc::too_large);
    running.run_until([&] { return seen.named == 2; });
    running.shutdown();
}

int main() {
    weir::application app{{"memory", "1"}};
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe("orders.eu.berlin", by_name);                       // this name
    broker.subscribe(weir::memory::pattern("orders.>"), everything);     // one token or more behind "orders."
    broker.subscribe(weir::memory::pattern("orders.eu.*"), one_region);  // exactly one token

    broker.subscribe(weir::memory::subscription("jobs").group("pool"), competing);  // these two share
    broker.subscribe(weir::memory::subscription("jobs").group("pool"), competing);
    auto running = app.start_here();
    const weir::publisher publisher = running.publisher();
    const Order order{1};
    for (const auto* to : {"orders.eu.berlin", "orders.eu.paris", "orders.us", "jobs", "jobs", "nobody"})
        check(!publisher.publish(to, order).try_now());
    running.run_until(
        [&] { return seen.named == 1 && seen.all == 3 && seen.europe == 2 && seen.shared == 2; });
    while (running.run_ready()) {}
    const weir::memory::counters c = broker.connection().counters();
    check(c.published == 6 && c.unrouted == 1 && c.dropped == 0 && c.in_queues == 0);
    running.shutdown();
    small();
}
