// A publisher can be copied and used on any thread. Where the queue is full, wait_for() waits for the
// handlers, for as long as the caller says; after the end it reports that, never a success.
//
// Prints:
//   4000 ticks from 4 threads, sum 7998000
//   nobody listens on 'tocks', and that is no error
//   after the end: closed
#include <weir/weir.hpp>

#include <cstdio>
#include <future>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

struct Tick {
    int number;
};
inline constexpr weir::topic<Tick> ticks{"ticks"};
inline constexpr weir::topic<Tick> tocks{"tocks"};

struct Sum {
    long total = 0;
    int left = 4000;
    std::promise<long> complete;
};
void add(const Tick& tick, Sum& sum) {
    sum.total += tick.number;
    if (--sum.left == 0) sum.complete.set_value(sum.total);
}

int main() {
    weir::application app;
    Sum sum;
    auto complete = sum.complete.get_future();
    app.provide(sum);
    auto& broker =
        app.use(weir::memory::broker{{.capacity = 64}});  // small, so that publishers do have to wait
    broker.subscribe(ticks, add);

    auto running = app.start();  // returns once the service runs, on a thread of its own
    const auto publisher = running.publisher();
    std::vector<std::thread> threads;
    for (int first : {0, 1000, 2000, 3000})
        threads.emplace_back([publisher, first] {
            for (int i = 0; i != 1000; ++i) publisher.publish(ticks, {first + i}).wait_for(10s);
        });
    for (std::thread& thread : threads) thread.join();
    std::printf("4000 ticks from 4 threads, sum %ld\n", complete.get());

    const std::error_code heard = publisher.publish(tocks, {1}).try_wait_for(10s);
    if (!heard) std::printf("nobody listens on 'tocks', and that is no error\n");

    running.shutdown();
    const std::error_code late = publisher.publish(ticks, {1}).try_wait_for(10s);
    std::printf("after the end: %s\n", late.message().c_str());
}
