// Four concurrency slots, and a handler that really suspends once for each message.
#include "in_process.hpp"

#include <weir/runtime/this_task.hpp>

static weir::task<void> on_order(const weir::bench::order& o) {
    co_await weir::this_task::yield();
    weir::bench::handled(o);
}

int main(int argc, char** argv) {
    return weir::bench::count_in_process(argc, argv, weir::bench::small_body, [](auto& broker) {
        broker.subscribe(weir::bench::orders, on_order, weir::workers(4));
    });
}
