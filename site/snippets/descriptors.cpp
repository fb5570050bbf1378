#include "check.hpp"

#include <weir/weir.hpp>

using namespace std::chrono_literals;

// The parts of a broker that a broker author adds for descriptors, contexts and the in-process form.
namespace paper {

class connection;

class broker {
public:
    static constexpr std::string_view scheme = "paper";
    static constexpr unsigned capabilities = 0;
    using connection = paper::connection;
    weir::task<std::unique_ptr<paper::connection>> connect(weir::connect_context c) &&;
};

class shelf {  // a descriptor: has a broker, a name, and perhaps a group
public:
    using broker = paper::broker;
    explicit shelf(std::string name) : name_(std::move(name)) {}
    shelf group(std::string g) && {
        group_ = std::move(g);
        return std::move(*this);
    }
    const std::string& name() const noexcept { return name_; }
    const std::string& group() const noexcept { return group_; }

private:
    std::string name_, group_;
};

struct context {  // what handlers take as `const paper::context&`
    using broker = paper::broker;
    int page = 0;
    static context from(const weir::record& r) noexcept {
        if (r.native == nullptr) return {};  // in process, or a message that has none
        return {*static_cast<const int*>(r.native)};
    }
};

}  // namespace paper

template <> struct weir::in_process_routes<paper::broker> {
    static routed_subscription of(const paper::shelf& s) noexcept { return {s.name(), s.group(), false}; }
    /// The paper server delivers to a shelf whatever is addressed to it, or to "all".
    static bool reaches(std::string_view destination, const routed_subscription& s) noexcept {
        return destination == "all" || destination == s.name;
    }
};

namespace paper {

class connection {
public:
    weir::task<weir::feed> subscribe(const weir::subscribe_request&) { return nowhere(); }
    weir::task<weir::feed> subscribe(const shelf&, const weir::subscribe_request&) { return nowhere(); }
    weir::publish_port publishes() noexcept { return {}; }
    weir::task<void> shutdown() && { co_return; }

private:
    static weir::task<weir::feed> nowhere() {
        throw weir::error(weir::errc::not_supported, "there is no paper server");
        co_return weir::feed{};
    }
};
weir::task<std::unique_ptr<connection>> broker::connect(weir::connect_context) && {
    throw weir::error(weir::errc::not_supported, "there is no paper server");
    co_return nullptr;
}

}  // namespace paper

struct Seen {
    int letters = 0, pages = 0;
};
void open_letter(const std::string&, const paper::context& about, Seen& seen) {
    ++seen.letters;
    seen.pages += about.page;
}

int main() {
    weir::application app{{"paper", "1"}};
    Seen seen;
    app.provide(seen);
    auto& broker = app.use(paper::broker{});
    broker.subscribe(paper::shelf("history"), open_letter);
    broker.subscribe(paper::shelf("cooking").group("kitchen"), open_letter);
    auto running = app.start_here(weir::transport::in_process);  // the same application, and no server
    const std::string letter = "dear reader";
    running.publisher().publish("all", letter).wait_for(1s);
    running.run_until([&] { return seen.letters == 2; });
    check(seen.pages == 0);
    running.shutdown();
}
