// Publishing after the verdict is said to be wrong, not lost.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

namespace weir::test {
namespace {

inline constexpr topic<order> copies{"copies"};

class late_publishing : public testing::Test {
protected:
    void deliver() {
        s.start();
        told.deliver("in", order_json(1));
        s.run();
    }
    script told;
    driven s;
    attached<scripted_broker<>>& broker = s.app.use(scripted_broker<>{told});
};

TEST_F(late_publishing, throws_and_the_verdict_stands) {
    broker.subscribe("in", [](delivery<order> d, out<copies> to) -> settled {
        settled proof = std::move(d).ack();
        to.publish({2});
        return proof;
    });
    deliver();
    EXPECT_EQ(told.seen({"publish", "ack", "nack"}), "ack 1");
    EXPECT_EQ(s.log.last("handler failed after it had settled its message").field("error"),
              "weir: subscription 'in' publishes after its handler has settled the delivery - publish first");
}

TEST_F(late_publishing, throws_also_where_the_verdict_waits_for_what_was_published_before) {
    broker.subscribe("in", [](delivery<order> d, out<copies> to) -> settled {
        to.publish({2});
        settled proof = std::move(d).ack();
        to.publish({3});
        return proof;
    });
    deliver();
    EXPECT_EQ(told.seen({"publish", "ack", "nack"}), R"(publish copies {"id":2}, ack 1)");
}

TEST_F(late_publishing, of_one_message_says_nothing_about_the_next) {
    broker.subscribe("in", [](delivery<order> d, out<copies> to) -> settled {
        to.publish({d->id});
        return std::move(d).ack();
    });
    deliver();
    told.deliver("in", order_json(2));
    s.run();
    EXPECT_EQ(told.seen({"publish", "ack"}),
              R"(publish copies {"id":1}, ack 1, publish copies {"id":2}, ack 2)");
}

}  // namespace
}  // namespace weir::test
