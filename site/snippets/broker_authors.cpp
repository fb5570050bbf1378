#include "check.hpp"

#include <weir/weir.hpp>

#include <atomic>
#include <deque>
#include <mutex>

namespace lines {

/// What was published, for whoever wants to read it. Any thread.
class written {
public:
    void add(std::string line) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
    }
    std::vector<std::string> all() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
};

class connection;

/// Delivers lines, each to every subscription; whatever name it has. Publishing appends "topic: text" to `to`.
class broker {
public:
    static constexpr std::string_view scheme = "lines";
    static constexpr unsigned capabilities = weir::counts_attempts;
    using connection = lines::connection;

    broker(std::vector<std::string> all, written& to) : lines_(std::move(all)), to_(&to) {}
    weir::task<std::unique_ptr<lines::connection>> connect(weir::connect_context c) &&;

private:
    std::vector<std::string> lines_;
    written* to_;
};

}  // namespace lines

namespace lines {

/// One subscription. All of it happens on the subscription's thread, so it needs no lock.
class reader {
public:
    reader(const std::vector<std::string>& all, weir::intake& to) : lines_(all), to_(to) {
        for (std::size_t i = 0; i != all.size(); ++i) waiting_.push_back({i, 1});
    }
    static const weir::feed_table table;

private:
    struct place {
        std::size_t line;
        std::uint32_t attempt;
    };
    unsigned fill(weir::record* out, unsigned max) {
        unsigned n = 0;
        for (; n != max && !waiting_.empty(); ++n) {
            const place p = waiting_.front();
            waiting_.pop_front();
            weir::block* const body = weir::make_block(lines_[p.line]);  // one reference: the core drops it
            out[n] = {.data = body->data(),
                      .size = static_cast<std::uint32_t>(lines_[p.line].size()),
                      .attempt = p.attempt,
                      .owner = body,
                      .head = nullptr,
                      .id = p.line + 1,
                      .ticket = p.line,
                      .native = nullptr,
                      .published = 0};
        }
        idle_ = n == 0;  // from here on the core waits for one wake
        return n;
    }
    void again(const weir::record& r) {
        waiting_.push_back({static_cast<std::size_t>(r.ticket), r.attempt + 1});
        wake();
    }
    void unread(const weir::record& r) {
        waiting_.push_front({static_cast<std::size_t>(r.ticket), r.attempt});
    }
    void wake() {
        if (std::exchange(idle_, false)) to_.wake();
    }

    const std::vector<std::string>& lines_;
    weir::intake& to_;
    std::deque<place> waiting_;
    bool idle_ = false;
};

const weir::feed_table reader::table{
    .fill = [](void* self, weir::record* out,
               unsigned max) { return static_cast<reader*>(self)->fill(out, max); },
    .ack = [](void*, const weir::record*, unsigned) { return weir::settle_status::done; },
    .nack =
        [](void* self, const weir::record& r) {
            static_cast<reader*>(self)->again(r);
            return weir::settle_status::done;
        },
    .nack_after = nullptr,  // no can_delay: retries come again at once
    .reject = [](void*, const weir::record&, std::string_view) { return weir::settle_status::done; },
    .give_back =
        [](void* self, const weir::record& r, bool started) {
            if (!started) static_cast<reader*>(self)->unread(r);
        },
    .describe = [](void*, const weir::record& r) { return "line " + std::to_string(r.id); },
    .partition_key = nullptr,  // no can_key
    .stop = [](void*) {},
    .close = [](void*) {},
};

}  // namespace lines

namespace lines {

class connection {
public:
    connection(std::vector<std::string> all, written& to) : lines_(std::move(all)), to_(to) {}

    weir::task<weir::feed> subscribe(const weir::subscribe_request& r) {
        readers_.push_back(std::make_unique<reader>(lines_, r.to));
        weir::feed opened{readers_.back().get(), &reader::table};
        co_return opened;
    }
    weir::publish_port publishes() noexcept { return {this, &table}; }
    weir::task<void> shutdown() && {
        closed_ = true;
        co_return;
    }

private:
    static const weir::publish_table table;
    struct topic {
        std::string name;
    };
    void* open(std::string_view name) {
        const std::lock_guard lock(mutex_);
        for (const auto& t : topics_)
            if (t->name == name) return t.get();
        return topics_.emplace_back(std::make_unique<topic>(topic{std::string{name}})).get();
    }
    weir::publish_status publish(weir::outgoing* first, unsigned n, unsigned& taken) {
        taken = 0;
        if (closed_) return weir::publish_status::closed;
        for (; taken != n; ++taken) {
            const weir::outgoing& o = first[taken];
            to_.add(static_cast<topic*>(o.destination)->name + ": " + std::string(o.body->data(), o.size));
            weir::release(o.body);  // taken, and so is the reference
        }
        return weir::publish_status::done;
    }

    const std::vector<std::string> lines_;
    written& to_;
    std::vector<std::unique_ptr<reader>> readers_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<topic>> topics_;
    std::atomic<bool> closed_ = false;
};

const weir::publish_table connection::table{
    .open = [](void* self, std::string_view name) { return static_cast<connection*>(self)->open(name); },
    .publish = [](void* self, weir::outgoing* first, unsigned n, unsigned& taken, weir::publish_waiter*,
                  bool) { return static_cast<connection*>(self)->publish(first, n, taken); },
    .abandon = [](void*, weir::publish_waiter&) {},  // nobody ever waits here
};

weir::task<std::unique_ptr<connection>> broker::connect(weir::connect_context) && {
    auto made = std::make_unique<lines::connection>(std::move(lines_), *to_);
    co_return made;
}

}  // namespace lines

static_assert(weir::broker<lines::broker>);

struct Shout {
    std::string text;
};
namespace topics {
inline constexpr weir::topic<Shout> shouts{"shouts"};
}  // namespace topics

struct Progress {
    int attempts = 0, done = 0;
};

weir::outcome shout(weir::bytes line, const weir::context& about, weir::out<topics::shouts> out,
                    Progress& seen) {
    ++seen.attempts;
    if (line.text() == "again" && about.attempt() == 1) return weir::retry;
    out.publish({std::string{line.text()} + "!"});
    ++seen.done;
    return weir::ack;
}

int main() {
    weir::application app{{"shouting", "1.0.0"}};
    Progress seen;
    app.provide(seen);
    lines::written out;
    auto& broker = app.use(lines::broker{{"one", "again", "two"}, out});
    broker.subscribe("lines", shout);

    app.run_until([&] { return seen.done == 3; });
    check(seen.attempts == 4);
    check(out.all() == std::vector<std::string>{R"(shouts: {"text":"one!"})", R"(shouts: {"text":"two!"})",
                                                R"(shouts: {"text":"again!"})"});
}
