#include "support/heap_count.hpp"

#include <weir/runtime/this_task.hpp>
#include <weir/weir.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weir::test {
namespace {

struct order {
    std::uint64_t id;
    std::uint32_t quantity;
};
struct named_order {
    std::uint64_t id;
    std::string customer;
};
struct receipt {
    std::uint64_t id;
};
inline constexpr topic<order> orders{"orders"};
inline constexpr topic<named_order> named_orders{"orders"};
inline constexpr topic<receipt> receipts{"receipts"};
constexpr std::string_view small = R"({"id":1234567,"quantity":12})";
constexpr std::string_view named =
    R"({"id":1234567,"customer":"a name that is too long to fit into the string itself"})";

unsigned calls = 0;

void on_bytes(bytes) { ++calls; }
void on_order(const order&) { ++calls; }
void on_named_order(const named_order&) { ++calls; }
task<void> on_order_task(const order&) {
    ++calls;
    co_return;
}
task<void> on_order_suspending(const order&) {
    co_await this_task::yield();
    ++calls;
}
void on_batch(std::span<const order> all) { calls += static_cast<unsigned>(all.size()); }
task<void> on_batch_task(std::span<const order> all) {
    co_await this_task::yield();
    calls += static_cast<unsigned>(all.size());
}
void on_order_out(const order& o, out<receipts> to) {
    to.publish({o.id});
    ++calls;
}
const headers origin{{"x-origin", "test"}};
void on_order_out_with_header(const order& o, out<receipts> to) {
    to.publish({o.id}, origin);
    ++calls;
}
receipt on_order_reply(const order& o) {
    ++calls;
    return {o.id};
}
void on_receipt(const receipt&) { ++calls; }
outcome on_order_retry(const order&, const context& c) {
    ++calls;
    if (c.attempt() == 1) return retry_in(nanos{0});
    return ack;
}
settled on_delivery(delivery<order> d) {
    ++calls;
    return std::move(d).ack();
}

struct layer {
    std::size_t seen = 0;
    std::size_t before(const incoming& in) { return seen += in.size(); }
    void after(const incoming&, std::size_t, outcome&) {}
};

/// A service on the in-process broker whose first thread is the test's.
class steady_state : public ::testing::Test {
protected:
    void SetUp() override {
        if (!heap_is_counted) GTEST_SKIP() << "heap blocks cannot be counted under sanitizers";
        app.log(log_level::off);
        calls = 0;
    }

    /// Heap blocks that a thousand messages take, a hundred at a time, once the pools hold what such messages need. Each
    /// leads to `calls_each` calls.
    std::size_t blocks_of_a_thousand(std::string_view body, unsigned calls_each = 1) {
        running_application running = app.start_here();
        for (unsigned i = 0; i != 40; ++i) handle_a_hundred(running, body, calls_each);
        const std::size_t before = heap_blocks();
        for (unsigned i = 0; i != 10; ++i) handle_a_hundred(running, body, calls_each);
        const std::size_t taken = heap_blocks() - before;
        static_cast<void>(running.shutdown());
        return taken;
    }

    void handle_a_hundred(running_application& running, std::string_view body, unsigned calls_each) {
        const publish_port port = broker.connection().publishes();
        void* const destination = port.table->open(port.self, "orders");
        const unsigned expected = calls + 100 * calls_each;
        for (unsigned i = 0; i != 100; ++i) {
            outgoing message{destination, make_block(body), static_cast<std::uint32_t>(body.size())};
            unsigned taken = 0;
            const publish_status s = port.table->publish(port.self, &message, 1, taken, nullptr, false);
            ASSERT_EQ(s, publish_status::done);
        }
        running.run_until([expected] { return calls >= expected; });
        while (running.run_ready()) {}
        ASSERT_EQ(calls, expected);
        ASSERT_EQ(broker.connection().counters().in_queues, 0u);
    }

    application app{{"steady state", "1"}, {.spin = nanos{0}}};
    attached<memory::broker>& broker = app.use(memory::broker{});
};

TEST_F(steady_state, raw_bytes_take_no_heap_block) {
    broker.subscribe("orders", on_bytes);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, a_plain_struct_takes_no_heap_block) {
    broker.subscribe(orders, on_order);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, a_reused_string_member_takes_no_heap_block) {
    broker.subscribe(named_orders, on_named_order);
    EXPECT_EQ(blocks_of_a_thousand(named), 0u);
}

TEST_F(steady_state, a_task_that_never_suspends_takes_no_heap_block) {
    broker.subscribe(orders, on_order_task);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, a_task_that_suspends_takes_no_heap_block) {
    broker.subscribe(orders, on_order_suspending);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, batches_take_no_heap_block) {
    broker.subscribe(orders, on_batch, batch(64));
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, batches_in_a_task_take_no_heap_block) {
    broker.subscribe(orders, on_batch_task, batch(64));
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, a_pool_of_four_slots_takes_no_heap_block) {
    broker.subscribe(orders, on_order_task, workers(4));
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, a_pool_whose_tasks_suspend_takes_no_heap_block) {
    broker.subscribe(orders, on_order_suspending, workers(4));
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, layers_take_no_heap_block) {
    auto r = router{}.layer(layer{}).layer(layer{});
    r.subscribe(orders, on_order);
    broker.include(r);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, layers_of_an_outer_router_take_no_heap_block) {
    router inner;
    inner.subscribe(orders, on_order_task);
    auto outer = router{}.layer(layer{});
    outer.include(inner);
    broker.include(outer);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, an_out_parameter_takes_no_heap_block) {
    broker.subscribe(orders, on_order_out);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, an_out_parameter_whose_topic_is_read_takes_no_heap_block) {
    broker.subscribe(orders, on_order_out).subscribe(receipts, on_receipt);
    EXPECT_EQ(blocks_of_a_thousand(small, 2), 0u);
}

TEST_F(steady_state, a_published_header_takes_no_heap_block) {
    broker.subscribe(orders, on_order_out_with_header).subscribe(receipts, on_receipt);
    EXPECT_EQ(blocks_of_a_thousand(small, 2), 0u);
}

TEST_F(steady_state, a_reply_takes_no_heap_block) {
    broker.subscribe(orders, on_order_reply, reply_to(receipts)).subscribe(receipts, on_receipt);
    EXPECT_EQ(blocks_of_a_thousand(small, 2), 0u);
}

TEST_F(steady_state, a_retry_takes_no_heap_block) {
    broker.subscribe(orders, on_order_retry);
    EXPECT_EQ(blocks_of_a_thousand(small, 2), 0u);
}

TEST_F(steady_state, settling_by_hand_takes_no_heap_block) {
    broker.subscribe(orders, on_delivery);
    EXPECT_EQ(blocks_of_a_thousand(small), 0u);
}

TEST_F(steady_state, what_is_not_reused_is_counted) {
    const std::size_t before = heap_blocks();
    const auto block = std::make_unique<int>(1);
    EXPECT_EQ(heap_blocks() - before, 1u);
    EXPECT_EQ(*block, 1);
}

}  // namespace
}  // namespace weir::test
