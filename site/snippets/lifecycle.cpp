#include "check.hpp"

#include <weir/runtime/event.hpp>
#include <weir/weir.hpp>

#include <atomic>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

struct Order {
    std::uint64_t id = 0;
};
struct Seen {
    std::atomic<int> orders = 0;
    weir::event never;
};

void count(const Order&, Seen& seen) { ++seen.orders; }
weir::task<void> hang(const Order&, Seen& seen) {
    ++seen.orders;
    co_await seen.never.wait();
}

class collecting_sink final : public weir::log_sink {
public:
    void write(
        const weir::log_record& record) noexcept override {  // any thread, several at once; must not throw
        const std::lock_guard lock(mutex_);
        if (record.level >= weir::log_level::warning) ++warnings_;
        lines_ += weir::format_line(record) + '\n';
    }
    std::string lines() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

private:
    mutable std::mutex mutex_;
    std::string lines_;
    int warnings_ = 0;
};

void until() {
    weir::application app{{"until", "1"}};
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe("orders", count);
    std::thread feeder{[publisher = broker.publisher()] {
        const Order order{1};
        while (publisher.publish("orders", order).try_now() != weir::errc::closed) std::this_thread::yield();
    }};
    const weir::drain_report report = app.run_until([&] { return seen.orders >= 3; });
    feeder.join();
    check(report.complete);
}

void background() {
    weir::application app{{"background", "1"}};
    collecting_sink sink;
    app.log(sink, weir::log_level::warning);  // or app.log(weir::log_level::debug) for more on standard error
    app.log(sink, weir::log_level::info);
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe("orders", count);
    weir::running_application running =
        app.start();  // returns once it runs; its handlers have threads of their own
    const weir::publisher publisher = running.publisher();
    publisher.publish("orders", Order{1}).wait_for(5s);
    while (seen.orders != 1) std::this_thread::yield();
    const weir::health_report health = running.health();
    if (health.state != weir::health_state::running)
        std::printf("%s: %s\n", std::string{weir::to_string(health.state)}.c_str(), health.reason.c_str());
    for (const weir::subscription_report& s : running.subscriptions())
        std::printf("%s on %s: %llu done, %llu retried\n", s.name.c_str(), s.broker.c_str(),
                    static_cast<unsigned long long>(s.counters.acked),
                    static_cast<unsigned long long>(s.counters.retried));
    const weir::drain_report report = running.shutdown();
    for (const weir::drain_report::left& l : report.leftovers)
        std::printf("%s: %zu deliveries were not settled\n", l.subscription.c_str(), l.deliveries);
    check(health.state == weir::health_state::running && report.complete);
    check(running.health().state == weir::health_state::stopped &&
          running.subscriptions()[0].counters.acked == 1);
    check(
        sink.lines().find("info started service=background version=1 brokers=1 subscriptions=1 threads=1") !=
        std::string::npos);
}

void deadline() {
    weir::application app{{"impatient", "1.0.0"}, {.drain = 10ms}};
    app.log(weir::log_level::off);
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe("orders", hang);
    weir::running_application running = app.start_here();  // spawns no thread: this one is the first thread
    running.publisher().publish("orders", Order{1}).wait_for(1s);
    running.run_until([&] { return seen.orders == 1; });  // handlers run in here
    while (running.run_ready()) {                         // or: all that can run now
    }
    const weir::drain_report report = running.shutdown();
    check(!report.complete && report.leftovers.size() == 1 && report.leftovers[0].deliveries == 1);
}

void refused() {
    weir::application app{{"wrong", "1"}};
    auto& broker = app.use(weir::memory::broker{});
    std::string said;
    broker.subscribe("orders", count, weir::prefetch(0));
    try {
        app.start().shutdown();
    } catch (const weir::error& e) {
        said = e.what();
    }  // every mistake it found, a line each
    check(said ==
          "weir: subscription 'orders' asks for prefetch(0) - at least one delivery has to be taken\n"
          "weir: subscription 'orders' takes 'Seen&', which nobody provides - call app.provide(x) before "
          "start()");
}

int main() {
    until();
    background();
    deadline();
    refused();
}
