#include "check.hpp"

#include <weir/weir.hpp>

using namespace std::chrono_literals;

struct Order {
    std::uint64_t id = 0;
    double total = 0;
};
struct Seen {
    int tries = 0, dead = 0, mailed = 0, thrown = 0;
    std::string about;
};

weir::outcome charge(const Order& order, Seen& seen) {
    ++seen.tries;
    if (order.total < 0) return weir::reject("a price cannot be negative");  // hopeless: to the dead letters
    if (order.total == 0) return weir::discard;                              // not wanted: dropped
    if (order.id == 1 && seen.tries < 3) return weir::retry;                 // again, after the backoff
    if (order.id == 2) return weir::retry_in(2ms);                           // again, not sooner than this
    return weir::ack;
}

weir::outcome parse(const Order& order) {
    if (order.total > 1e6) return weir::reject("order " + std::to_string(order.id) + " is too large");
    return weir::ack;
}

weir::task<void> mail(const Order& order, Seen& seen) {
    co_await weir::sleep_for(1ms);  // the order has been acknowledged; it lives until this task ends
    if (order.id == 3) ++seen.mailed;
}
weir::outcome accept(const Order& order, Seen& seen) { return weir::ack.then(mail(order, seen)); }

void call_bank(const Order&, Seen& seen) {
    ++seen.thrown;
    throw std::runtime_error("the bank is closed");
}

void read_dead_letter(weir::bytes, const weir::headers& about, Seen& seen) {
    ++seen.dead;
    seen.about = std::string{about.get("x-weir-source")} + ": " + std::string{about.get("x-weir-reason")} +
                 ", attempts " + std::string{about.get("x-weir-attempts")};
}

void fast() {
    weir::application app{{"careful", "1"}};
    app.log(weir::log_level::off);
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe("orders", call_bank, weir::on_failure{.exception = weir::fail_fast});
    auto running = app.start_here();
    const Order order{1, 1};
    check(!running.publisher().publish("orders", order).try_now());
    running.run_until([&] { return seen.thrown == 1; });
    check(running.health().state == weir::health_state::failed);
    std::string said;
    try {
        running.shutdown();  // run() and run_until() throw the same
    } catch (const weir::error& e) {
        if (e.code() == weir::errc::failed_fast) said = e.what();
    }
    check(said ==
          "weir: a failure policy stopped the application: subscription 'orders', memory message 1 of "
          "'orders': the bank is closed");
}

int main() {
    weir::application app{{"failure", "1"}};
    app.log(weir::log_level::off);
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(
        "orders", charge,
        weir::retries{.attempts = 4, .backoff = weir::exponential(1ms, 20ms), .dead_letter = "orders.dead"});
    broker.subscribe("orders.dead", read_dead_letter);
    broker.subscribe(
        "calls", call_bank, weir::retries{.attempts = 2, .backoff = weir::constant(1ms)},
        weir::on_failure{
            .decode = weir::discard, .exception = weir::retry_in(1ms), .exhausted = weir::discard});
    broker.subscribe("parse", parse);
    broker.subscribe("accept", accept);

    auto running = app.start_here();
    const auto send = [&](std::string_view to, const auto& message) {
        check(!running.publisher().publish(to, message).try_now());
    };
    send("orders", Order{1, 5});
    running.run_until([&] { return seen.tries == 3; });
    send("orders", Order{9, -1});
    running.run_until([&] { return seen.dead == 1; });
    check(seen.about == "orders: a price cannot be negative, attempts 1");
    send("orders", Order{2, 5});
    running.run_until([&] { return seen.dead == 2; });
    check(seen.about == "orders: attempts exhausted, attempts 4");
    send("orders", weir::bytes{R"({"id":1})"});
    running.run_until([&] { return seen.dead == 3; });
    check(seen.about == "orders: undecodable: a member is missing, in total, at byte 7, attempts 1");
    send("orders", Order{4, 0});
    send("accept", Order{3, 1});
    send("parse", Order{5, 2e6});
    send("calls", Order{1, 1});
    send("calls", weir::bytes{"no JSON"});
    running.run_until([&] { return seen.mailed == 1 && seen.thrown == 2; });
    while (running.run_ready()) {}
    const auto reports = running.subscriptions();
    check(reports[2].counters.exceptions == 2 && reports[2].counters.undecodable == 1 &&
          reports[2].counters.acked == 2);
    running.shutdown();
    fast();
}
