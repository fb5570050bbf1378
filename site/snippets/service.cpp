#include <weir/weir.hpp>

#include <csignal>
#include <thread>

struct Order {
    std::uint64_t id;
};

void take(const Order&) {
    static bool first = true;
    if (std::exchange(first, false)) std::raise(SIGTERM);  // what a supervisor does when the service shall go
}

int main(int argc, char** argv) {
    weir::application app{{"billing", "1.0.0", "writes an invoice for every order"}};
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe("orders", take);

    const std::jthread feeder{[publisher = broker.publisher()](const std::stop_token& stop) {
        const Order order{1};
        while (!stop.stop_requested())
            if (publisher.publish("orders", order).try_now())
                std::this_thread::yield();  // not started, or full
    }};
    return weir::main(app, argc, argv);  // run | --help | --version
}
