// Settling by hand: the verb acts at the call, once, and nothing that happens later settles again.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

#include <optional>

namespace weir::test {
namespace {

struct receipt {
    int order = 0;
};
inline constexpr topic<receipt> receipts{"receipts"};

class by_hand : public testing::Test {
protected:
    by_hand() : broker(s.app.use(scripted_broker<can_delay>{told})) {
        s.app.provide(j).provide(g).provide(told);
    }
    void deliver(int first, int last, std::uint32_t attempt = 1) {
        for (int id = first; id <= last; ++id) told.deliver("in", order_json(id), attempt);
        s.run();
    }
    std::string seen() const { return told.seen({"publish", "ack", "nack", "reject", "give"}); }

    script told;
    journal j;
    gate g;
    driven s;
    attached<scripted_broker<can_delay>>& broker;
};

TEST_F(by_hand, a_verb_acts_at_the_call_after_what_came_before) {
    std::string at_the_call;
    broker.subscribe("in", [&](delivery<order> d) -> settled {
        settled proof = std::move(d).ack();
        at_the_call = seen();
        return proof;
    });
    s.start();
    deliver(1, 2);
    EXPECT_EQ(at_the_call, "ack 1 2");
    EXPECT_EQ(s.counters("in").acked, 2u);
}

TEST_F(by_hand, a_verb_of_a_task_acts_before_the_task_goes_on) {
    broker.subscribe("in", [](delivery<order> d, gate& here, journal& to) -> task<settled> {
        settled proof = std::move(d).ack();
        co_await here.open.wait();
        // NOLINTNEXTLINE(bugprone-use-after-move): that the message is still there is what is tested
        to.add("message " + std::to_string(d->id) + " is still here");
        co_return proof;
    });
    s.start();
    deliver(7, 7);
    EXPECT_EQ(seen(), "ack 1");
    EXPECT_EQ(j.joined(), "");
    g.open.set();
    s.run();
    EXPECT_EQ(j.joined(), "message 7 is still here");
    EXPECT_EQ(seen(), "ack 1");
}

TEST_F(by_hand, all_verbs_reach_the_broker) {
    broker.subscribe(
        "in",
        [](delivery<order> d) -> settled {
            switch (d->id) {
            case 1: return std::move(d).ack();
            case 2: return std::move(d).retry();
            case 3: return std::move(d).retry_in(7s);
            case 4: return std::move(d).reject("four");
            default: return std::move(d).discard();
            }
        },
        retries{.backoff = constant(1s)});
    s.start();
    deliver(1, 5);
    EXPECT_EQ(seen(), "ack 1, nack 2 after 1000ms, nack 3 after 7000ms, reject 4: four, ack 5");
}

TEST_F(by_hand, retries_count_under_the_cap) {
    broker.subscribe(
        "in", [](delivery<order> d) -> settled { return std::move(d).retry(); },
        retries{.attempts = 3, .dead_letter = "dead"});
    s.start();
    deliver(1, 1, 3);
    EXPECT_EQ(seen(), R"(publish dead {"id":1}, ack 1)");
    EXPECT_EQ(told.published.at(0).head.get("x-weir-reason"), "attempts exhausted");
}

TEST_F(by_hand, a_throw_after_the_verb_is_logged_and_settles_nothing) {
    broker.subscribe("in", [](delivery<order> d) -> settled {
        static_cast<void>(std::move(d).ack());
        throw std::runtime_error("afterwards");
    });
    s.start();
    deliver(1, 2);
    EXPECT_EQ(seen(), "ack 1 2");
    EXPECT_EQ(s.log.last("handler failed after it had settled its message").field("error"), "afterwards");
    EXPECT_EQ(s.counters("in").exceptions, 2u);
    EXPECT_EQ(s.counters("in").retried, 0u);
}

TEST_F(by_hand, a_throw_before_any_verb_follows_the_policy) {
    broker.subscribe(
        "in",
        [](delivery<order> d) -> settled {
            if (d->id == 1) throw std::runtime_error("before");
            return std::move(d).ack();
        },
        retries{.backoff = constant(1s)});
    s.start();
    deliver(1, 2);
    EXPECT_EQ(seen(), "nack 1 after 1000ms, ack 2");
}

TEST_F(by_hand, a_second_verb_of_the_same_delivery_is_refused) {
    std::string text;
    broker.subscribe("in", [&](delivery<order> d) -> settled {
        settled proof = std::move(d).ack();
        // NOLINTNEXTLINE(bugprone-use-after-move): the mistake that is tested
        text = text_of([&] { static_cast<void>(std::move(d).reject("changed my mind")); });
        return proof;
    });
    s.start();
    deliver(1, 1);
    EXPECT_EQ(seen(), "ack 1");
    EXPECT_EQ(text, "weir: this delivery has been settled, moved from, or outlived its handler");
}

TEST_F(by_hand, a_delivery_that_was_moved_from_settles_nothing) {
    std::error_code code;
    broker.subscribe("in", [&](delivery<order> d) -> settled {
        delivery<order> mine = std::move(d);
        // NOLINTNEXTLINE(bugprone-use-after-move): the mistake that is tested
        code = code_of([&] { static_cast<void>(std::move(d).reject("moved from")); });
        return std::move(mine).ack();
    });
    s.start();
    deliver(1, 1);
    EXPECT_EQ(code, errc::misuse);
    EXPECT_EQ(seen(), "ack 1");
}

TEST_F(by_hand, a_delivery_that_outlives_its_handler_settles_nothing_of_a_later_message) {
    std::optional<delivery<order>> kept;
    broker.subscribe(
        "in",
        [&](delivery<order> d) -> settled {
            if (d->id != 1) return std::move(d).ack();
            kept.emplace(std::move(d));
            throw std::runtime_error("kept");
        },
        retries{.backoff = constant(1s)});
    s.start();
    deliver(1, 1);
    EXPECT_EQ(seen(), "nack 1 after 1000ms");
    EXPECT_EQ(code_of([&] { static_cast<void>(std::move(*kept).ack()); }), errc::misuse);
    EXPECT_EQ(seen(), "nack 1 after 1000ms");
    deliver(2, 2);
    EXPECT_EQ(seen(), "nack 1 after 1000ms, ack 2");
}

TEST_F(by_hand, a_delivery_that_outlives_the_application_settles_nothing) {
    std::optional<delivery<order>> kept;
    broker.subscribe("in", [&](delivery<order> d) -> settled {
        kept.emplace(std::move(d));
        throw std::runtime_error("kept");
    });
    s.start();
    deliver(1, 1);
    s.shutdown();
    EXPECT_EQ(code_of([&] { static_cast<void>(std::move(*kept).ack()); }), errc::misuse);
}

TEST_F(by_hand, a_handler_that_returns_the_proof_of_another_message_follows_the_exception_policy) {
    std::optional<settled> stolen;
    broker.subscribe(
        "in",
        [&](delivery<order> d) -> settled {
            if (d->id == 2) return std::move(*stolen);
            stolen.emplace(std::move(d).ack());
            throw std::runtime_error("afterwards");
        },
        retries{.backoff = constant(1s)});
    s.start();
    deliver(1, 2);
    EXPECT_EQ(seen(), "ack 1, nack 2 after 1000ms");
    EXPECT_EQ(s.log.last("handler failed").field("error"),
              "the handler returned without settling its delivery");
}

TEST_F(by_hand, what_was_published_before_the_verb_leaves_before_it) {
    broker.subscribe("in", [](delivery<order> d, out<receipts> to) -> settled {
        to.publish({d->id});
        return std::move(d).ack();
    });
    s.start();
    deliver(5, 5);
    EXPECT_EQ(seen(), R"(publish receipts {"order":5}, ack 1)");
}

TEST_F(by_hand, what_was_published_does_not_leave_when_the_verb_is_no_acknowledgement) {
    broker.subscribe("in", [](delivery<order> d, out<receipts> to) -> settled {
        to.publish({d->id});
        return std::move(d).reject("no");
    });
    s.start();
    deliver(5, 5);
    EXPECT_EQ(seen(), "reject 1: no");
}

TEST_F(by_hand,
       what_was_published_and_cannot_leave_makes_the_message_try_again_although_it_was_acknowledged) {
    broker.subscribe(
        "in",
        [](delivery<order> d, out<receipts> to) -> settled {
            to.publish({d->id});
            return std::move(d).ack();
        },
        retries{.backoff = constant(1s)});
    s.start();
    told.publishes = publish_status::failed;
    deliver(5, 5);
    EXPECT_EQ(seen(), "nack 1 after 1000ms");
}

TEST_F(by_hand, a_context_and_headers_come_with_it) {
    std::vector<std::string> of_it;
    broker.subscribe("in", [&](delivery<order> d) -> settled {
        of_it = {std::to_string(d.message().id), std::to_string((*d).id),
                 std::to_string(d.context().attempt()), std::string{d.headers().get("x")}};
        return std::move(d).ack();
    });
    s.start();
    told.deliver("in", order_json(3), 2, {{"x", "y"}});
    s.run();
    EXPECT_EQ(of_it, (std::vector<std::string>{"3", "3", "2", "y"}));
}

TEST_F(by_hand, several_slots_settle_each_its_own) {
    broker.subscribe(
        "in",
        [](delivery<order> d, gate& here) -> task<settled> {
            if (d->id != 2) co_await here.open.wait();
            co_return std::move(d).ack();
        },
        workers(3));
    s.start();
    deliver(1, 3);
    EXPECT_EQ(seen(), "ack 2");
    g.open.set();
    s.run();
    EXPECT_EQ(seen(), "ack 2 1 3");
}

TEST_F(by_hand, a_handler_that_has_settled_and_is_still_at_work_at_the_end_leaves_nothing_unsettled) {
    broker.subscribe("in", [](delivery<order> d, gate& here) -> task<settled> {
        settled proof = std::move(d).ack();
        co_await here.open.wait();
        co_return proof;
    });
    s.start();
    deliver(1, 1);
    const drain_report r = s.shutdown();
    EXPECT_FALSE(r.complete) << "the handler had not ended";
    EXPECT_TRUE(r.leftovers.empty()) << "but its message had been settled";
    EXPECT_EQ(seen(), "ack 1");
}

}  // namespace
}  // namespace weir::test
