// What an application owes to those around it: brokers, log sinks, other threads' payload pools.
#include "support/service.hpp"
#include "support/tally.hpp"

#include <thread>

namespace weir::test {
namespace {

/// Wakes the subscription from a thread of its own and refuses it then.
struct hasty_broker {
    static constexpr std::string_view scheme = "hasty";
    static constexpr unsigned capabilities = 0;
    struct connection {
        task<feed> subscribe(const subscribe_request& r) {
            std::thread([&r] { r.to.wake(); }).join();
            throw error(errc::invalid_name, "not here");
            co_return feed{};
        }
        publish_port publishes() noexcept { return {}; }
        task<void> shutdown() && { co_return; }
    };
    task<std::unique_ptr<connection>> connect(connect_context) && {
        auto made = std::make_unique<connection>();
        co_return made;
    }
};

TEST(application, forgets_a_subscription_that_could_not_be_opened_before_its_loops_end) {
    driven s;
    auto& broker = s.app.use(hasty_broker{});
    broker.subscribe("in", [](const order&) {});
    EXPECT_EQ(s.refusal(), "weir: subscription 'in' on broker 'hasty' could not be opened: not here");
}

/// Looks at the application whenever something is logged.
struct curious_sink final : log_sink {
    void write(const log_record& r) noexcept override {
        if (running == nullptr || r.level != log_level::error) return;
        static_cast<void>(running->health());
        static_cast<void>(running->subscriptions());
        ++asked;
    }
    running_application* running = nullptr;
    int asked = 0;
};

TEST(application, may_be_asked_by_the_log_sink_that_is_told_of_its_failure) {
    curious_sink sink;
    driven s;
    s.app.log(sink);
    auto& memory = s.app.use(memory::broker{});
    memory.subscribe(
        "in", [](const order&) { throw std::runtime_error("broken"); }, on_failure{.exception = fail_fast});
    s.start();
    sink.running = &*s.running;
    EXPECT_EQ(memory.publisher().publish("in", order{1}).try_now(), std::error_code{});
    s.run();
    EXPECT_EQ(sink.asked, 2) << "the handler's failure and the application's";
    EXPECT_EQ(s.running->health().state, health_state::failed);
    EXPECT_THROW(s.shutdown(), error);
}

TEST(application, sends_the_payloads_of_other_threads_home_when_it_has_nothing_left_to_do) {
    service s;
    s.memory.subscribe("in", [](const order&) {});
    s.start();
    tally published, consumed;
    std::size_t first = 0, second = 0;
    std::thread other([&] {
        EXPECT_EQ(s.publish("in", order_json(1)), std::error_code{});
        first = local_blocks().stats().bytes;
        published.add();
        consumed.wait_for(1);
        EXPECT_EQ(s.publish("in", order_json(2)), std::error_code{});
        second = local_blocks().stats().bytes;
    });
    published.wait_for(1);
    s.run();
    consumed.add();
    other.join();
    EXPECT_EQ(first, second) << "the second message used the block of the first";
    s.run();
}

}  // namespace
}  // namespace weir::test
