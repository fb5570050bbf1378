#include "check.hpp"

#include <weir/weir.hpp>

#include <atomic>
#include <thread>

using namespace std::chrono_literals;

struct Order {
    std::uint64_t id = 0;
    std::string customer;
    double total = 0;
};
struct Receipt {
    std::uint64_t order = 0;
    std::string text;
};

namespace topics {
inline constexpr weir::topic<Order> orders{"orders"};
inline constexpr weir::topic<Receipt> receipts{"receipts"};
}  // namespace topics

struct Totals {
    double sum = 0;
    int calls = 0, receipts = 0, shipped = 0;
    std::size_t bytes = 0;
    std::string last;
};
struct Table {
    std::size_t rows = 0, calls = 0;
    bool insert(std::span<const Order> orders) {
        if (++calls == 1) return false;
        rows += orders.size();
        return true;
    }
};
struct Truck {
    int room = 1;
    bool load() { return room++ != 0 || room > 2; }
};

void count(const Order& order, Totals& totals) {
    totals.sum += order.total;
    ++totals.calls;
}

weir::outcome store(std::span<const Order> orders, Table& table) {
    if (!table.insert(orders)) return weir::retry;  // all of them come again
    return weir::ack;
}

std::vector<weir::outcome> sort_out(std::span<const Order> orders) {
    std::vector<weir::outcome> each;
    for (const Order& order : orders) {
        if (order.total > 0) each.push_back(weir::ack);
        else each.push_back(weir::reject("an order needs a price"));
    }
    return each;
}

weir::task<weir::settled> ship(weir::delivery<Order> order, Truck& truck, Totals& totals) {
    if (!truck.load()) co_return std::move(order).retry_in(10ms);
    weir::settled done = std::move(order).ack();  // acts now: the broker may forget the order
    co_await weir::sleep_for(1ms);                // what fails from here on is logged and settles nothing
    ++totals.shipped;
    co_return done;
}

void measure(weir::bytes payload, Totals& totals) { totals.bytes += payload.size(); }

struct Line {
    std::string_view text;  // points into the payload: no copy
};
void remember(const Line& line, Totals& totals) {
    totals.last = line.text;  // the view ends with the handler, so what is kept is copied
}

Receipt confirm(const Order& order) { return {order.id, "thank you, " + order.customer}; }

weir::result<Receipt, weir::outcome> confirm_paid(const Order& order) {
    if (order.total <= 0) return weir::discard;  // no reply, and the order is dropped
    return Receipt{order.id, "paid"};
}

weir::task<void> audit(const Order& order, const weir::context& about, const weir::headers& head,
                       weir::stop_token stop, weir::out<topics::receipts> receipts, Totals& totals) {
    if (about.attempt() > 3 || head.contains("x-test") || stop.stop_requested()) co_return;
    receipts.publish({order.id, "audited " + about.describe()});
    ++totals.calls;
}

struct Prices {
    virtual ~Prices() = default;
    virtual double of(std::uint64_t order) const = 0;
};
struct Fixed_prices final : Prices {
    double of(std::uint64_t) const override { return 10; }
};
struct Counter {  // thread-safe, so it may be shared
    std::atomic<int> value = 0;
};
struct Scratch {  // not thread-safe, so each thread has its own
    std::vector<double> room;
};

void price(const Order& order, const Prices& prices, Counter& counter, Scratch& scratch) {
    scratch.room.push_back(prices.of(order.id));
    ++counter.value;
}

struct Slowest {
    std::chrono::nanoseconds most{};
    int calls = 0;
};
struct timing {
    Slowest* to;  // a layer is copied into every subscription, so what it counts lies elsewhere
    auto before(const weir::incoming&) { return std::chrono::steady_clock::now(); }
    void after(const weir::incoming&, std::chrono::steady_clock::time_point& since, weir::outcome&) {
        to->most = std::max<std::chrono::nanoseconds>(to->most, std::chrono::steady_clock::now() - since);
        ++to->calls;
    }
};

auto shop(Slowest& slowest) {
    auto r = weir::router{"shop."}.layer(timing{&slowest});
    r.subscribe(topics::orders, count);
    r.subscribe("lines", remember);
    return r;
}

void see_receipt(const Receipt&, Totals& totals) { ++totals.receipts; }

void providing() {
    weir::application app{{"prices", "1"}, {.threads = 2}};
    Fixed_prices prices;
    Counter counter;
    app.provide<Prices>(prices);         // handlers take `const Prices&`, or `Prices&`
    app.provide(weir::shared(counter));  // handlers on all threads may take `Counter&`
    app.provide(weir::per_thread([] { return Scratch{}; }));
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(topics::orders, price);
    broker.subscribe(topics::orders, price);  // dealt to the second thread
    auto running = app.start();
    running.publisher().publish(topics::orders, {1, "Ada", 0}).wait_for(10s);
    while (counter.value != 2) std::this_thread::yield();
    running.shutdown();
}

void refused() {
    weir::application app{{"forgetful", "1"}};
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(topics::orders, count);
    std::string said;
    try {
        app.start().shutdown();
    } catch (const weir::error& e) {
        said = e.what();
    }
    check(said ==
          "weir: subscription 'orders' takes 'Totals&', which nobody provides - call app.provide(x) before "
          "start()");
}

int main() {
    weir::application app{{"handlers", "1"}};
    app.log(weir::log_level::error);
    Totals totals;
    Table table;
    Truck truck;
    Slowest slowest;
    app.provide(totals).provide(table).provide(truck);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(topics::orders, count);
    broker.subscribe("bulk", store, weir::batch(64));
    broker.subscribe("mixed", sort_out, weir::batch(64), weir::retries{.dead_letter = "mixed.dead"});
    broker.subscribe("parcels", ship);
    broker.subscribe("blobs", measure);
    broker.subscribe("confirm", confirm, weir::reply_to(topics::receipts));
    broker.subscribe("paid", confirm_paid, weir::reply_to("receipts"));
    broker.subscribe("audit", audit);
    broker.subscribe("numbers", [](const int& n, Totals& t) { t.sum += n; });
    broker.subscribe(topics::receipts, see_receipt);
    broker.subscribe("mixed.dead", measure);
    broker.include(shop(slowest));  // "shop.orders" and "shop.lines"

    auto running = app.start_here();
    const auto publisher = running.publisher();
    const auto send = [&](std::string_view to, const auto& message) {
        check(!publisher.publish(to, message).try_now());
    };
    const Order order{7, "Ada", 2.5}, free_one{8, "Grace", 0};
    send("orders", order);
    send("numbers", 40);
    send("shop.orders", order);
    send("bulk", order);
    send("bulk", free_one);
    send("mixed", order);
    send("mixed", free_one);
    send("parcels", order);
    send("parcels", order);
    send("blobs", weir::bytes{"12345"});
    send("confirm", order);
    send("paid", order);
    send("paid", free_one);
    send("audit", order);
    send("shop.lines", Line{"hello"});
    running.run_until([&] {
        return totals.calls == 3 && totals.receipts == 3 && totals.shipped == 2 && table.rows == 2 &&
               totals.sum == 45 && totals.bytes > 5 && totals.last == "hello";
    });
    check(slowest.calls == 2);
    check(running.shutdown().complete);
    check(slowest.most > 0ns);
    providing();
    refused();
}
