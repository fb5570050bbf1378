// Publishers that wait while their connection goes away.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

#include <weir/runtime/task_group.hpp>

namespace weir::test {
namespace {

struct never {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};

task<void> publish_to(publisher p, std::string_view where) {
    order o{1};
    co_await p.publish(where, o);
}

/// Its task waits for room until the handler is destroyed: after publishing was closed, before the connection ends.
task<void> publish_beside(const order&, publisher& p) {
    task_group beside(*run_loop::current());
    beside.spawn(publish_to(p, "full"));
    never forever;
    co_await forever;
}

TEST(waiting_publisher, that_is_destroyed_while_the_application_closes_leaves_the_broker_before_it) {
    script told;
    driven s;
    auto& broker = s.app.use(scripted_broker<>{told});
    publisher p = broker.publisher();
    s.app.provide(p);
    broker.subscribe("in", publish_beside);
    s.start();
    told.publishes = publish_status::wait;
    told.deliver("in", order_json(1));
    s.run();
    ASSERT_EQ(told.waiting.size(), 1u);
    s.shutdown();
    EXPECT_TRUE(told.waiting.empty()) << "the broker would wake what is gone";
    EXPECT_EQ(told.seen({"abandon", "shutdown"}), "abandon, shutdown");
}

TEST(waiting_publisher, that_is_destroyed_while_the_application_closes_is_not_woken_by_the_memory_broker) {
    service s({.capacity = 1});
    publisher p = s.memory.publisher();
    gate g;
    s.app.provide(p).provide(g);
    s.memory.subscribe("in", publish_beside);
    s.memory.subscribe("full", [](const order&, gate& here) -> task<void> { co_await here.open.wait(); });
    s.start();
    s.send("full", order_json(1));
    s.send("in", order_json(1));
    EXPECT_FALSE(s.shutdown().complete);
}

}  // namespace
}  // namespace weir::test
