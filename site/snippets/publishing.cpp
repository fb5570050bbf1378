#include "check.hpp"

#include <weir/weir.hpp>

#include <thread>

using namespace std::chrono_literals;

struct Order {
    std::uint64_t id = 0;
    double total = 0;
};
struct Invoice {
    std::uint64_t order = 0;
    double amount = 0;
};
struct Answer {
    std::string text;
};
namespace topics {
inline constexpr weir::topic<Order> orders{"orders"};
inline constexpr weir::topic<Invoice> invoices{"invoices"};
inline constexpr weir::topic<Answer> answers{"answers"};
}  // namespace topics

struct Seen {
    int invoices = 0, answers = 0, raw = 0;
    std::string key, correlation;
};

void bill(const Order& order, const weir::headers& came_with, weir::out<topics::invoices> invoices) {
    weir::headers head{{"partition-key", std::to_string(order.id)}};
    if (const auto id = came_with.find("correlation-id")) head.set("correlation-id", *id);
    invoices.publish({order.id, order.total * 1.2}, head);
    invoices.publish({order.id, 0});  // as often as you like; all leave together, in this order
}

Answer answer(const Order& order) { return {"order " + std::to_string(order.id) + " is on its way"}; }

weir::task<void> forward(const Order& order, const weir::publisher& publisher) {
    Invoice invoice{order.id, order.total};
    auto sending = publisher.publish(topics::invoices, invoice);  // encoded here, not sent yet
    co_await std::move(sending);                                  // waits for room and for the confirmation
}

void see_invoice(const Invoice&, const weir::context& about, Seen& seen) {
    ++seen.invoices;
    if (!about.partition_key().empty()) seen.key = about.partition_key();
    if (const auto id = about.headers().find("correlation-id")) seen.correlation = *id;
}
void see_answer(const Answer&, Seen& seen) { ++seen.answers; }
void see_raw(weir::bytes, Seen& seen) { ++seen.raw; }

void header_map() {
    weir::headers h{{"Content-Type", "application/json"}, {"x-shop", "north"}};
    h.set("X-Shop", "south");  // replaces: names are compared without regard to case, and kept in lower case
    check(h.size() == 2 && h.get("x-shop") == "south");
    check(h.content_type() == "application/json");
    check(!h.find("reply-to").has_value() && h.get("reply-to").empty());
    for (const weir::headers::field f : h)
        std::printf("%s=%s\n", std::string{f.name}.c_str(), std::string{f.value}.c_str());
    h.erase("x-shop");
    check(h.size() == 1);
}

int main() {
    header_map();
    weir::application app{{"publishing", "1"}};
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    const weir::publisher publisher =
        broker.publisher();  // before the start: it answers not_started until then
    app.provide(publisher);
    broker.subscribe(topics::orders, bill);
    broker.subscribe("questions", answer, weir::reply_to(topics::answers));
    broker.subscribe("forward", forward);
    broker.subscribe(topics::invoices, see_invoice);
    broker.subscribe(topics::answers, see_answer);
    broker.subscribe("raw", see_raw);

    const Order early{1, 1};
    check(publisher.publish("forward", early).try_now() == weir::errc::not_started);
    auto running = app.start_here();
    std::thread feeder{[&publisher] {
        const weir::headers head{{"correlation-id", "c-17"}};
        publisher.publish(topics::orders, {17, 100.0}, head).wait_for(5s);  // throws weir::error

        const Order order{18, 50.0};
        const std::error_code why =
            publisher.publish("forward", order).try_wait_for(5s);  // the same, as a code
        if (why == weir::errc::timed_out) std::puts("nobody reads fast enough");

        if (publisher.publish("raw", weir::bytes{"any bytes"}).try_now() ==
            weir::errc::queue_full)  // never waits
            std::puts("dropped one");
        check(!publisher.publish("questions", order).try_wait_for(5s));
    }};
    running.run_until([&] { return seen.invoices == 3 && seen.answers == 1 && seen.raw == 1; });
    feeder.join();
    check(seen.key == "17" && seen.correlation == "c-17");
    running.shutdown();
    check(publisher.publish("forward", early).try_now() == weir::errc::closed);
}
