// A week of earthquakes as a service: every row is a message, strong ones raise an alert, alerts go out in
// batches, a busy pager is tried again later, and the one row that is broken becomes a dead letter.
//
//     01_quickstart [FILE]        one JSON object a line, as in examples/data/earthquakes.jsonl
#include <weir/weir.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include <unistd.h>

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

// Messages are plain structs. Members of the JSON that a struct does not name are skipped.
struct Earthquake {
    double magnitude;
    std::string place;
};
struct Alert {
    std::string text;
};
namespace topics {
inline constexpr weir::topic<Earthquake> earthquakes{"earthquakes"};
inline constexpr weir::topic<Alert> alerts{"alerts"};
}  // namespace topics

// What handlers need is given to them by type. All of them share one thread here: only what main() reads
// meanwhile has to be atomic.
struct Week {
    std::map<int, std::size_t> by_magnitude;
    std::set<std::pair<double, std::string>> strongest;
    std::string last_reason;
    std::atomic<std::size_t> finished = 0;  // rows that were harmless, are paged, or are dead letters
};
struct Pager {
    std::size_t calls = 0;
    bool send(std::span<const Alert>) { return ++calls % 10 != 0; }  // every tenth call finds it busy
};

// The signature is the contract: what comes in, where something goes out, and what else is needed. An alert
// leaves before its earthquake is acknowledged, so none is lost.
weir::outcome watch(const Earthquake& quake, weir::out<topics::alerts> alerts, Week& week) {
    ++week.by_magnitude[static_cast<int>(quake.magnitude)];
    if (quake.magnitude < 5) {
        ++week.finished;
        return weir::ack;
    }
    alerts.publish({"Earthquake! " + quake.place});
    week.strongest.emplace(quake.magnitude, quake.place);
    if (week.strongest.size() > 3) week.strongest.erase(week.strongest.begin());
    return weir::ack;
}

// A batch is a span: what is waiting, at most as much as the subscription says. A retry brings back all of it.
weir::outcome page(std::span<const Alert> alerts, Pager& pager, Week& week) {
    if (!pager.send(alerts)) return weir::retry;
    week.finished += alerts.size();
    return weir::ack;
}

// Dead letters are messages too: the bytes are what once came in, the headers say why nobody could use them.
void set_aside(weir::bytes, const weir::headers& about, Week& week) {
    week.last_reason = about.get("x-weir-reason");
    ++week.finished;
}

std::vector<std::string> read_rows(const char* path);
void print_progress(std::size_t rows);
void print_summary(const Week&, std::size_t weeks, const std::vector<weir::subscription_report>&,
                   std::chrono::duration<double> took);

int main(int argc, char** argv) try {
    const auto rows = read_rows(argc > 1 ? argv[1] : "examples/data/earthquakes.jsonl");

    weir::application app{{"earthquakes", "1.0.0"}};
    app.log(weir::log_level::error);  // the same broken row thousands of times is not worth a warning each
    Week week;
    Pager pager;
    app.provide(week).provide(pager);

    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(topics::earthquakes, watch, weir::retries{.dead_letter = "earthquakes.dead"});
    broker.subscribe(topics::alerts, page, weir::batch(16),
                     weir::retries{.attempts = 10, .backoff = weir::exponential(1ms, 20ms)});
    broker.subscribe("earthquakes.dead", set_aside);

    // The handlers have a thread of their own now, and this one publishes. A full queue makes it wait.
    auto running = app.start();
    const auto publisher = running.publisher();
    const auto began = steady::now();
    std::size_t weeks = 0;
    for (; steady::now() - began < 2s; ++weeks) {  // a week takes less than a millisecond: play many
        for (const std::string& row : rows)
            publisher.publish(topics::earthquakes.name, weir::bytes{row}).wait_for(5s);
        print_progress(week.finished);
    }
    while (week.finished != weeks * rows.size()) {  // the last alerts may still be waiting for the pager
        if (steady::now() - began > 60s) throw std::runtime_error("some rows never came to an end");
        std::this_thread::sleep_for(1ms);
    }
    const auto took = steady::now() - began;
    running.shutdown();  // ends the handlers' thread; now the week can be read
    print_summary(week, weeks, running.subscriptions(), took);
} catch (const std::exception& e) {
    std::fprintf(stderr, "01_quickstart: %s\n", e.what());
    return 1;
}

// ---- From here on it is only reading and printing.

std::vector<std::string> read_rows(const char* path) {
    std::vector<std::string> rows;
    std::ifstream file{path};
    for (std::string row; std::getline(file, row);) rows.push_back(row);
    if (rows.empty())
        throw std::runtime_error("no rows in '" + std::string{path} +
                                 "': start in the repository, or name a file that has some");
    return rows;
}

std::string grouped(std::size_t number) {  // 1234567 -> 1,234,567
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

void print_progress(std::size_t rows) {
    static auto next = steady::now();
    if (!isatty(STDERR_FILENO) || steady::now() < next) return;
    std::fprintf(stderr, "\r  %s rows ", grouped(rows).c_str());
    next += 50ms;
}

void print_summary(const Week& week, std::size_t weeks, const std::vector<weir::subscription_report>& reports,
                   std::chrono::duration<double> took) {
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
    const bool styled = isatty(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
    const char *bold = styled ? "\033[1m" : "", *orange = styled ? "\033[33m" : "",
               *plain = styled ? "\033[0m" : "";

    std::printf("%sEarthquakes of one week%s, by magnitude\n", bold, plain);
    for (const auto& [magnitude, count] : week.by_magnitude) {
        std::string bar;
        for (std::size_t n = 0; n < count / weeks; n += 5) bar += "█";
        std::printf("  %d  %s%s%s %zu\n", magnitude, orange, bar.c_str(), plain, count / weeks);
    }
    std::printf("\n%sThe strongest%s\n", bold, plain);
    for (auto quake = week.strongest.rbegin(); quake != week.strongest.rend(); ++quake)
        std::printf("  %.1f  %s\n", quake->first, quake->second.c_str());

    const auto &watched = reports[0].counters, &paged = reports[1].counters, &dead = reports[2].counters;
    const auto rows = static_cast<double>(watched.acked);
    std::printf("\n%sThe service%s, with that week played %s times in %.1f seconds\n", bold, plain,
                grouped(weeks).c_str(), took.count());
    std::printf("  consumed      %10s   %s a second, %.2f us each\n", grouped(watched.acked).c_str(),
                grouped(static_cast<std::size_t>(rows / took.count())).c_str(), took.count() * 1e6 / rows);
    std::printf("  alerts        %10s   magnitude 5 and more, paged in batches of up to 16\n",
                grouped(paged.acked).c_str());
    std::printf("  retries       %10s   because the pager was busy\n", grouped(paged.retried).c_str());
    std::printf("  dead letters  %10s   %s\n", grouped(dead.acked).c_str(), week.last_reason.c_str());
}
