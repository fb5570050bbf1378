// What comes after the deadline of a drain is too late.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

namespace weir::test {
namespace {

inline constexpr topic<order> copies{"copies"};

/// When it is cancelled, there is room again at last.
task<void> makes_room_when_cancelled(const order&, gate& g, script& told) {
    try {
        co_await g.open.wait();
    } catch (const error&) {
        told.publishes = publish_status::done;
        told.answer(publish_status::done);
        throw;
    }
}

class after_the_deadline : public testing::Test {
protected:
    after_the_deadline() {
        s.app.provide(told).provide(g);
        broker.subscribe("waits", [](const order& o, out<copies> to) { to.publish({o.id}); });
        broker.subscribe("later", makes_room_when_cancelled);
        s.start();
    }
    void run_with(publish_status answer) {
        told.publishes = answer;
        told.deliver("waits", order_json(1));
        told.deliver("later", order_json(1));
        s.run();
        EXPECT_EQ(told.waiting.size(), 1u);
        report = s.shutdown();
    }
    script told;
    gate g;
    driven s;
    attached<scripted_broker<>>& broker = s.app.use(scripted_broker<>{told});
    drain_report report;
};

TEST_F(after_the_deadline, an_outbox_that_waited_for_room_goes_nowhere_and_its_message_stays_unsettled) {
    run_with(publish_status::wait);
    EXPECT_EQ(report.leftovers.size(), 2u);
    EXPECT_EQ(told.seen({"publish", "ack", "nack", "give"}), "give back 1 started, give back 1 started");
    EXPECT_EQ(s.counters("waits").acked, 0u);
}

TEST_F(after_the_deadline, a_confirmation_settles_nothing_more) {
    run_with(publish_status::sent);
    EXPECT_EQ(report.leftovers.size(), 2u);
    EXPECT_EQ(told.seen({"publish", "ack", "nack", "give"}),
              "publish copies {\"id\":1}, give back 1 started, give back 1 started");
}

TEST(after_the_drain, a_verdict_by_hand_is_not_taken_any_more) {
    script told;
    gate g;
    driven s;
    auto& broker = s.app.use(scripted_broker<>{told});
    s.app.provide(g);
    broker.subscribe("in", [](delivery<order> d, gate& here) -> task<settled> {
        try {
            co_await here.open.wait();
        } catch (const error&) {}
        co_return std::move(d).ack();
    });
    s.start();
    told.deliver("in", order_json(1));
    s.run();
    const drain_report report = s.shutdown();
    ASSERT_EQ(report.leftovers.size(), 1u);
    EXPECT_EQ(told.seen({"ack", "give"}), "give back 1 started") << "as the report says";
    EXPECT_EQ(s.counters("in").acked, 0u);
}

}  // namespace
}  // namespace weir::test
