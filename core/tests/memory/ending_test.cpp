// What becomes of messages when one subscription ends and others go on. In an application all of them end together, so
// here the parts are put together by hand.
#include "memory/hub.hpp"
#include "support/service.hpp"

#include <deque>

namespace weir::test {
namespace {

struct quiet_host final : dispatch_host {
    void fail_fast(std::string) noexcept override {}
    void progress() noexcept override {}
};

class ending : public testing::Test {
protected:
    ending() {
        host.log = logger{log, log_level::debug};
        host.seed = 1;
        provided.add({&detail::type_key<gate>, detail::services::kind::plain, &g, {}, {}});
        provided.add({&detail::type_key<journal>, detail::services::kind::plain, &j, {}, {}});
    }
    ~ending() override {
        for (auto& s : all) s->close();
    }
    template <class Handler>
    subscription_base& subscribe(Handler h, std::string group, settings options = settings()) {
        const layers<> none;
        all.push_back(std::make_unique<subscription<Handler, layers<>>>("in", h, std::move(options), none));
        subscription_base& s = *all.back();
        groups.push_back(std::move(group));
        const feed f = hub.subscribe({"in", groups.back(), false}, s.prepare(loop, host));
        s.open(f, hub.publishes(), provided, 0);
        s.window().wake();
        run();
        return s;
    }
    void run() {
        while (loop.run_ready()) {}
    }
    publish_status publish(int id, publish_waiter* who = nullptr) {
        const publish_port p = hub.publishes();
        const std::string text = order_json(id);
        outgoing o{p.table->open(p.self, "in"), make_block(text), static_cast<std::uint32_t>(text.size())};
        unsigned taken = 0;
        const publish_status s = p.table->publish(p.self, &o, 1, taken, who, who != nullptr);
        if (taken == 0) release(o.body);
        return s;
    }

    manual_clock time;
    run_loop loop{{.time = &time.source(), .spin = nanos{0}}};
    log_collector log;
    quiet_host host;
    detail::services provided;
    gate g;
    journal j;
    memory::hub hub{
        {.capacity = 8}, logger{log, log_level::debug}, &in_process_routes<memory::broker>::reaches};
    std::deque<std::string> groups;
    std::vector<std::unique_ptr<subscription_base>> all;
};

task<outcome> leaves_things_behind(const order& o, const context& c, gate& here, journal& to) {
    to.add("a" + std::to_string(o.id) + "/" + std::to_string(c.attempt()));
    if (o.id == 1) co_return retry_in(1h);
    co_await here.open.wait();
    co_return ack;
}

TEST_F(ending, of_a_member_gives_the_rest_of_the_group_all_it_had_not_settled) {
    subscription_base& a = subscribe(leaves_things_behind, "g");
    for (int id = 1; id <= 4; ++id) EXPECT_EQ(publish(id), publish_status::done);
    run();
    EXPECT_EQ(j.joined(), "a1/1 a2/1") << "one is put off, one is at work, two have not begun";
    subscribe(
        [this](const order& o, const context& c) {
            j.add("b" + std::to_string(o.id) + "/" + std::to_string(c.attempt()));
        },
        "g");
    a.stop();
    run();
    EXPECT_EQ(j.joined(), "a1/1 a2/1 b3/1 b4/1") << "what had not begun is as if it had never been taken";
    a.close();
    run();
    std::ranges::sort(j.lines);
    EXPECT_EQ(j.joined(), "a1/1 a2/1 b1/2 b2/2 b3/1 b4/1") << "what had begun counts as an attempt";
    EXPECT_EQ(hub.counters().in_queues, 0u);
    EXPECT_EQ(log.count("messages were left in a queue whose last subscription has ended"), 0u);
}

TEST_F(ending, of_the_last_one_drops_the_queue_and_what_is_published_later_reaches_nobody) {
    subscription_base& a = subscribe(leaves_things_behind, "");
    for (int id = 1; id <= 4; ++id) EXPECT_EQ(publish(id), publish_status::done);
    run();
    a.close();
    EXPECT_EQ(log.last("messages were left in a queue whose last subscription has ended").field("messages"),
              "4");
    EXPECT_EQ(publish(5), publish_status::done);
    EXPECT_EQ(hub.counters().unrouted, 1u);
    EXPECT_EQ(hub.counters().in_queues, 0u);
}

TEST_F(ending, of_one_subscription_leaves_the_others_their_copies) {
    subscription_base& a = subscribe(leaves_things_behind, "");
    subscribe([this](const order& o) { j.add("b" + std::to_string(o.id)); }, "");
    EXPECT_EQ(publish(2), publish_status::done);
    run();
    a.close();
    EXPECT_EQ(publish(3), publish_status::done);
    run();
    std::ranges::sort(j.lines);
    EXPECT_EQ(j.joined(), "a2/1 b2 b3");
}

struct counted_waiter : publish_waiter {
    counted_waiter() {
        wake = [](publish_waiter* w) noexcept { ++static_cast<counted_waiter*>(w)->woken; };
    }
    int woken = 0;
};

TEST_F(ending, wakes_whoever_waits_for_room) {
    subscription_base& a = subscribe(leaves_things_behind, "");
    for (int id = 2; id <= 9; ++id) EXPECT_EQ(publish(id), publish_status::done);
    run();
    counted_waiter w;
    EXPECT_EQ(publish(10, &w), publish_status::wait);
    EXPECT_EQ(w.woken, 0);
    a.stop();
    EXPECT_EQ(w.woken, 1);
    EXPECT_EQ(w.result, publish_status::done) << "to look again";
}

TEST_F(ending, of_a_wait_that_was_just_called_in_passes_its_place_on) {
    subscribe(
        [](const order& o, gate& here) -> task<void> {
            co_await here.open.wait();
            here.open.reset();  // one message each time
            static_cast<void>(o);
        },
        "");
    for (int id = 1; id <= 8; ++id) EXPECT_EQ(publish(id), publish_status::done);
    run();
    counted_waiter first, second;
    EXPECT_EQ(publish(9, &first), publish_status::wait);
    EXPECT_EQ(publish(10, &second), publish_status::wait);
    g.open.set();
    run();
    EXPECT_EQ(first.woken, 1);
    EXPECT_EQ(second.woken, 0) << "one place, one waiter";
    const publish_port p = hub.publishes();
    p.table->abandon(p.self, first);
    EXPECT_EQ(second.woken, 1);
    p.table->abandon(p.self, second);
    EXPECT_EQ(publish(11), publish_status::done) << "and nobody wanted it in the end";
}

TEST_F(ending, wakes_whoever_waits_with_the_news_that_all_is_closed) {
    subscribe(leaves_things_behind, "");
    for (int id = 2; id <= 9; ++id) EXPECT_EQ(publish(id), publish_status::done);
    run();
    counted_waiter w;
    EXPECT_EQ(publish(10, &w), publish_status::wait);
    hub.shutdown();
    EXPECT_EQ(w.woken, 1);
    EXPECT_EQ(w.result, publish_status::closed);
    EXPECT_EQ(publish(11), publish_status::closed);
}

TEST_F(ending, a_subscription_of_a_closed_broker_is_refused) {
    hub.shutdown();
    EXPECT_EQ(code_of([&] { subscribe([](const order&) {}, ""); }), errc::closed);
}

TEST_F(ending, and_beginning_over_and_over_keeps_the_service_going) {
    subscribe([this](const order& o) { j.add(std::to_string(o.id)); }, "");
    for (int round = 1; round <= 50; ++round) {
        subscription_base& a = subscribe([](const order&) {}, "");
        EXPECT_EQ(publish(round), publish_status::done);
        run();
        a.close();
    }
    EXPECT_EQ(j.size(), 50u);
    EXPECT_EQ(hub.counters().in_queues, 0u);
}

}  // namespace
}  // namespace weir::test
