#pragma once
#include "support/service.hpp"

namespace weir::test {

/// Messages that fail, with the memory broker, which counts and delays, on a clock that stands still.
class retrying : public testing::Test {
protected:
    retrying() { s.app.provide(j); }
    void start_with_dead_letters() {
        s.memory.subscribe("dead",
                           [this](bytes b, const headers& h) { dead.push_back({std::string{b.text()}, h}); });
        s.start();
    }
    struct letter {
        std::string body;
        headers head;
    };
    journal j;
    std::vector<letter> dead;
    service s;
};

inline void note_attempt(const context& c, journal& j) { j.add(std::to_string(c.attempt())); }

inline outcome always_again(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    return retry;
}
inline void always_throws(const order&, const context& c, journal& j) {
    note_attempt(c, j);
    throw std::runtime_error("database is away");
}

}  // namespace weir::test
