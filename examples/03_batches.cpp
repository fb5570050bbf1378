// A handler that takes a std::span gets what is waiting in one call, so that a database sees one insert and
// not sixty-four. It may settle all of them alike, or each by itself.
//
// Prints:
//   stored 10 readings in batches of 4 4 2
//   refused 1 reading: -300 degrees are too cold
#include <weir/weir.hpp>

#include <cstdio>
#include <string>
#include <vector>

struct Reading {
    int sensor;
    int degrees;
};
inline constexpr weir::topic<Reading> readings{"readings"};

struct Counts {
    std::size_t stored = 0, checked = 0;
    std::string batches, refused;
};

// One outcome for the whole batch. `void` is an acknowledgement; an exception would bring all of them back.
void store(std::span<const Reading> batch, Counts& counts) {
    counts.stored += batch.size();
    counts.batches.append(" ").append(std::to_string(batch.size()));
}

// One outcome a message, in the order of the batch. The others are not held up by the bad one.
std::vector<weir::outcome> check(std::span<const Reading> batch, Counts& counts) {
    std::vector<weir::outcome> verdicts;
    for (const Reading& reading : batch)
        if (reading.degrees < -273)
            verdicts.push_back(weir::reject(std::to_string(reading.degrees) + " degrees are too cold"));
        else verdicts.push_back(weir::ack);
    counts.checked += batch.size();
    return verdicts;
}

void refuse(weir::bytes, const weir::headers& about, Counts& counts) {
    counts.refused = about.get("x-weir-reason");
}

int main() {
    weir::application app;
    Counts counts;
    app.provide(counts);

    // Each subscription of a name gets all of its messages. batch(n) is an upper bound: nobody waits for more
    // to come.
    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(readings, store, weir::batch(4));
    broker.subscribe(readings, check, weir::batch(64), weir::retries{.dead_letter = "readings.dead"});
    broker.subscribe("readings.dead", refuse);

    auto running = app.start_here();
    const auto publisher = running.publisher();
    for (int sensor = 0; sensor != 10; ++sensor)
        if (publisher.publish(readings, {sensor, sensor == 7 ? -300 : 20}).try_now()) return 1;
    running.run_until([&] { return counts.stored == 10 && counts.checked == 10 && !counts.refused.empty(); });

    std::printf("stored %zu readings in batches of%s\n", counts.stored, counts.batches.c_str());
    std::printf("refused 1 reading: %s\n", counts.refused.c_str());
}
