#pragma once
#include "program.hpp"
#include "region.hpp"

#include <weir/weir.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::bench {

/// The message that nearly all rows consume.
struct order {
    std::uint64_t id;
    std::uint32_t quantity;
};
inline constexpr topic<order> orders{"orders"};
inline constexpr std::string_view small_body = R"({"id":1234567,"quantity":12})";
static_assert(small_body.size() == 28);

/// How many deliveries are still to come. A handler says `handled` once for each.
inline std::uint64_t left = 0;
inline void handled() noexcept { --left; }
/// Reads both members, so that decoding them is no dead code.
inline void handled(const order& o) noexcept {
    keep(o.id);
    keep(o.quantity);
    handled();
}

/// Publishes the body through the broker's own publisher, past every encoder.
inline void fill(memory::connection& broker, std::string_view body, unsigned messages) {
    const publish_port port = broker.publishes();
    void* const destination = port.table->open(port.self, orders.name);
    for (unsigned i = 0; i != messages; ++i) {
        outgoing message{destination, make_block(body), static_cast<std::uint32_t>(body.size())};
        unsigned taken = 0;
        if (port.table->publish(port.self, &message, 1, taken, nullptr, false) != publish_status::done)
            program::fail("the queue did not take all messages");
    }
}

/// One row: a service on the in-process broker, one thread. `mount(broker)` writes the subscriptions; each of the messages
/// is handled `times` times. Counted are the start, and the time from a full queue until everything is settled;
/// building the application, filling the queue and the shutdown are not.
template <class Mount>
int count_in_process(int argc, char** argv, std::string_view body, Mount mount, unsigned times = 1) {
    const program given = program::from(argc, argv);
    application app{{"bench", "1"}, {.threads = 1, .spin = nanos{0}}};
    app.log(log_level::off);
    auto& broker = app.use(memory::broker{{.capacity = given.capacity}});
    mount(broker);

    std::optional<running_application> running;
    counted([&] { running.emplace(app.start_here()); });

    left = std::uint64_t{given.messages} * times;
    fill(broker.connection(), body, given.messages);
    if (left != std::uint64_t{given.messages} * times)
        program::fail("messages were handled while the queue was filled");

    counted([&] {
        running->run_until([] { return left == 0; });
        while (running->run_ready()) {}
    });
    if (broker.connection().counters().in_queues != 0) program::fail("messages were left unsettled");
    given.report(std::uint64_t{given.messages} * times);
    static_cast<void>(running->shutdown());
    return 0;
}

}  // namespace weir::bench
