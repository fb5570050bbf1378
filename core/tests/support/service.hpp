#pragma once
#include "support/log_collector.hpp"

#include <weir/runtime/event.hpp>
#include <weir/weir.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace weir::test {

using namespace std::chrono_literals;

/// The message most tests send: {"id":1}.
struct order {
    int id = 0;
};
inline std::string order_json(int id) { return "{\"id\":" + std::to_string(id) + "}"; }

/// What handlers tell the test, in order. Provided to them, so that task handlers need no captures.
struct journal {
    std::vector<std::string> lines;
    void add(std::string line) { lines.push_back(std::move(line)); }
    std::size_t size() const noexcept { return lines.size(); }
    std::string joined() const {
        std::string all;
        for (const std::string& l : lines) (all += all.empty() ? "" : " ") += l;
        return all;
    }
};

/// 2026-01-01T00:00:00Z
inline constexpr std::chrono::system_clock::time_point new_year{std::chrono::seconds{1'767'225'600}};

/// An application that the test drives itself, on a clock that stands still. It has no time for draining unless told
/// otherwise, because nobody would move the clock meanwhile.
class driven {
public:
    explicit driven(runtime how = {.drain = nanos{0}}) : app({"test", "1"}, on(time, how)) {
        app.log(log, log_level::debug);
    }

    void start() {
        running.emplace(app.start_here());
        run();
    }
    /// Until nothing is left that could run now.
    void run() {
        while (running->run_ready()) {}
    }
    void advance(nanos by) {
        time.advance(by);
        run();
    }
    drain_report shutdown() { return running->shutdown(); }
    subscription_counters counters(std::string_view subscription) const {
        for (const subscription_report& r : running->subscriptions())
            if (r.name == subscription) return r.counters;
        ADD_FAILURE() << "no subscription " << subscription;
        return {};
    }
    /// The sentences that the start is refused with; empty if it is not.
    std::string refusal() {
        try {
            start();
        } catch (const error& e) {
            return e.what();
        }
        return {};
    }

    manual_clock time{nanos{0}, new_year};
    log_collector log;
    application app;
    std::optional<running_application> running;

private:
    static runtime on(const manual_clock& time, runtime how) {
        how.time = &time.source();
        how.spin = nanos{0};
        how.seed = 1;
        return how;
    }
};

/// The same with the memory broker.
class service : public driven {
public:
    explicit service(memory::options o = {}, runtime how = {.drain = nanos{0}})
        : driven(how), memory(app.use(memory::broker{o})) {}

    std::error_code publish(std::string_view topic, std::string_view payload, const headers& h = {}) {
        return running->publisher().publish(topic, bytes{payload}, h).try_now();
    }
    /// Publishes and lets everything happen that follows from it.
    void send(std::string_view topic, std::string_view payload, const headers& h = {}) {
        EXPECT_EQ(publish(topic, payload, h), std::error_code{});
        run();
    }
    /// Likewise for several at once, so that they meet in one window.
    void send_orders(std::string_view topic, int first, int last) {
        for (int id = first; id <= last; ++id) EXPECT_EQ(publish(topic, order_json(id)), std::error_code{});
        run();
    }

    attached<memory::broker>& memory;
};

/// The code of the `weir::error` that `f` throws; none if it throws nothing.
template <class F> std::error_code code_of(F f) {
    try {
        f();
    } catch (const error& e) {
        return e.code();
    }
    return {};
}
/// Its text.
template <class F> std::string text_of(F f) {
    try {
        f();
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

/// Handlers wait here until the test opens it.
struct gate {
    event open;
    int inside = 0;       ///< handlers that wait now
    int most_inside = 0;  ///< ... and the most there have been
};

}  // namespace weir::test
