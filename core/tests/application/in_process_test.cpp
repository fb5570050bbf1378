// The production application with the memory broker's queues in place of the servers.
#include "support/scripted_broker.hpp"
#include "support/service.hpp"

namespace weir::test {

/// A broker whose server compares names without regard to case.
class loud_broker : public scripted_broker<can_delay> {
public:
    using scripted_broker::scripted_broker;
    static constexpr std::string_view scheme = "loud";
};
}  // namespace weir::test

template <> struct weir::in_process_routes<weir::test::loud_broker> {
    static bool reaches(std::string_view destination, const routed_subscription& s) noexcept {
        const auto quiet = [](char c) { return static_cast<char>(c | 0x20); };
        return std::ranges::equal(destination, s.name, {}, quiet, quiet);
    }
};

namespace weir::test {
namespace {

TEST(in_process, needs_no_server_and_delivers_what_the_handlers_publish) {
    script told;
    told.refuse_connect = "there is no server here";
    journal j;
    driven s;
    auto& broker = s.app.use(scripted_broker<>{told});
    broker.subscribe("in", [](const order& o) { return order{o.id + 1}; }, reply_to("out"));
    broker.subscribe("out", [&j](const order& o) { j.add(std::to_string(o.id)); });
    s.running.emplace(s.app.start_here(transport::in_process));
    EXPECT_FALSE(broker.publisher().publish("in", order{1}).try_now());
    s.run();
    EXPECT_EQ(j.joined(), "2");
    EXPECT_TRUE(told.calls.empty());
    EXPECT_TRUE(s.shutdown().complete);
    EXPECT_EQ(broker.publisher().publish("in", order{1}).try_now(), errc::closed);
}

TEST(in_process, keeps_the_servers_of_an_application_apart) {
    script told;
    journal j;
    driven s;
    auto& a = s.app.use(scripted_broker<>{told});
    auto& b = s.app.use(scripted_broker<>{told});
    a.subscribe("in", [&j](const order&) { j.add("a"); });
    b.subscribe("in", [&j](const order&) { j.add("b"); });
    s.running.emplace(s.app.start_here(transport::in_process));
    EXPECT_FALSE(b.publisher().publish("in", order{1}).try_now());
    s.run();
    EXPECT_EQ(j.joined(), "b");
}

TEST(in_process, redelivers_although_the_scripted_server_would_not) {
    script told;
    std::vector<unsigned> attempts;
    driven s;
    auto& broker = s.app.use(scripted_broker<>{told});
    broker.subscribe(
        "in",
        [&attempts](const order&, const context& c) -> outcome {
            attempts.push_back(c.attempt());
            return retry;
        },
        retries{.attempts = 3, .backoff = constant(1s)});
    s.running.emplace(s.app.start_here(transport::in_process));
    EXPECT_FALSE(broker.publisher().publish("in", order{1}).try_now());
    s.run();
    s.advance(1s);
    s.advance(1s);
    EXPECT_EQ(attempts, (std::vector{1u, 2u, 3u}));
}

TEST(in_process, leaves_the_memory_broker_what_it_is) {
    service s;
    s.memory.subscribe("in", [](const order&) {});
    s.running.emplace(s.app.start_here(transport::in_process));
    s.send("in", order_json(1));
    EXPECT_EQ(s.memory.connection().counters().published, 1u);
}

TEST(routes, lists_whom_a_destination_reaches) {
    const routed_subscription all[] = {
        {"orders.eu", "", false}, {"orders.*", "g", true}, {"invoices", "", false}};
    EXPECT_EQ(routes<memory::broker>("orders.eu", all), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(routes<memory::broker>("invoices", all), std::vector<std::size_t>{2});
    EXPECT_TRUE(routes<memory::broker>("nobody", all).empty());
    EXPECT_EQ(routes<scripted_broker<>>("orders.*", all), std::vector<std::size_t>{1})
        << "no patterns: a name";
    EXPECT_EQ(routes<loud_broker>("INVOICES", all), std::vector<std::size_t>{2});
}

}  // namespace
}  // namespace weir::test
