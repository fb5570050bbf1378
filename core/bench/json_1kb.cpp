// The same message, padded with members that the handler's type does not have.
#include "in_process.hpp"

#include <string>

static void on_order(const weir::bench::order& o) { weir::bench::handled(o); }

static std::string padded_body() {
    std::string body{weir::bench::small_body};
    body.pop_back();
    for (unsigned i = 0; body.size() + 1 < 1022; ++i) {
        const std::string name = (i < 10 ? "field0" : "field") + std::to_string(i);
        body += ",\"" + name + "\":\"0123456789012345\"";
    }
    return body + "}";
}

int main(int argc, char** argv) {
    const std::string body = padded_body();
    if (body.size() != 1043) weir::bench::program::fail("the padded body is not 1,043 bytes long");
    return weir::bench::count_in_process(
        argc, argv, body, [](auto& broker) { broker.subscribe(weir::bench::orders, on_order); });
}
