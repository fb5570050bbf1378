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

}  // namespace
}  // namespace weir::test
