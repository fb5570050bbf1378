#pragma once
#include <weir/broker/concepts.hpp>
#include <weir/error.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::test {

/// What a test tells a scripted broker to do, and what it sees of it. Outlives the application. One thread.
struct script {
    // ---- answers
    settle_status settles = settle_status::done;
    publish_status publishes = publish_status::done;
    std::string refuse_connect, refuse_subscribe, refuse_shutdown;  ///< texts of errors; empty: it works
    bool redelivers = false;                                        ///< what is nacked comes again at once

    // ---- what happened
    std::vector<std::string> calls;
    struct message {
        std::string topic, body;
        headers head;
    };
    std::vector<message> published;
    std::vector<publish_waiter*> waiting;

    class source;
    std::map<std::string, source*, std::less<>> sources;

    /// A delivery for the subscription of that name.
    void deliver(std::string_view subscription, std::string_view payload, std::uint32_t attempt = 1,
                 const headers& head = {});
    /// Wakes everybody who waits for room or for a confirmation.
    void answer(publish_status result) {
        for (publish_waiter* w : std::exchange(waiting, {})) {
            w->result = result;
            w->wake(w);
        }
    }
    /// The calls that begin with one of these words, joined. Acknowledgements that follow each other are written as one:
    /// where a run is cut depends on the time of day as well, see `acknowledgements()` for their number.
    std::string seen(std::initializer_list<std::string_view> words) const {
        std::string all;
        bool after_ack = false;
        for (const std::string& c : calls) {
            if (std::ranges::none_of(words, [&c](std::string_view w) { return c.starts_with(w); })) continue;
            const bool is_ack = c.starts_with("ack ");
            if (is_ack && after_ack) all += c.substr(3);
            else (all += all.empty() ? "" : ", ") += c;
            after_ack = is_ack;
        }
        return all;
    }
    /// How many calls acknowledged something.
    std::size_t acknowledgements() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(calls, [](const std::string& c) { return c.starts_with("ack "); }));
    }
};

class script::source {
public:
    source(script& s, std::string name, intake& to) : script_(s), name_(std::move(name)), to_(to) {
        script_.sources[name_] = this;
    }
    source(const source&) = delete;
    source& operator=(const source&) = delete;
    ~source() {
        for (const record& r : queue_) release(r.owner);
        script_.sources.erase(name_);
    }
    void push(block* owner, std::uint32_t size, std::uint32_t attempt, std::uint64_t id) {
        queue_.push_back({owner->data(), size, attempt, owner, owner->head.empty() ? nullptr : &owner->head,
                          id, 0, nullptr, 0});
        if (std::exchange(armed_, false)) to_.wake();
    }
    std::uint64_t next_id() noexcept { return ++ids_; }
    void count_from_one() noexcept { ids_ = 0; }
    /// Deliveries that nobody has taken yet.
    std::size_t size() const noexcept { return queue_.size(); }

    template <bool Delays> static const feed_table* table() {
        static constexpr feed_table t{
            .fill = [](void* s, record* out, unsigned max) { return of(s).fill(out, max); },
            .ack =
                [](void* s, const record* first, unsigned n) {
                    std::string line = "ack";
                    for (unsigned i = 0; i != n; ++i) line += " " + std::to_string(first[i].id);
                    return of(s).say(line);
                },
            .nack =
                [](void* s, const record& r) {
                    of(s).again(r);
                    return of(s).say("nack " + std::to_string(r.id));
                },
            .nack_after = Delays ? +[](void* s, const record& r, nanos delay) {
                return of(s).say("nack " + std::to_string(r.id) + " after " +
                                 std::to_string(delay / std::chrono::milliseconds{1}) + "ms");
            }
                                 : nullptr,
            .reject =
                [](void* s, const record& r, std::string_view why) {
                    return of(s).say("reject " + std::to_string(r.id) + ": " + std::string{why});
                },
            .give_back =
                [](void* s, const record& r, bool started) {
                    static_cast<void>(
                        of(s).say("give back " + std::to_string(r.id) + (started ? " started" : " untouched")));
                },
            .describe = [](void*, const record& r) { return "scripted message " + std::to_string(r.id); },
            .partition_key = nullptr,
            .stop = [](void* s) { static_cast<void>(of(s).say("stop " + of(s).name_)); },
            .close = [](void* s) { static_cast<void>(of(s).say("close " + of(s).name_)); }};
        return &t;
    }

private:
    static source& of(void* s) noexcept { return *static_cast<source*>(s); }
    settle_status say(std::string line) {
        script_.calls.push_back(std::move(line));
        return script_.settles;
    }
    void again(const record& r) {
        if (!script_.redelivers) return;
        retain(r.owner);
        push(r.owner, r.size, r.attempt + 1, r.id);
    }
    unsigned fill(record* out, unsigned max) {
        unsigned n = 0;
        for (; n != max && !queue_.empty(); ++n) {
            out[n] = queue_.front();
            queue_.pop_front();
        }
        if (n == 0) armed_ = true;
        return n;
    }
    script& script_;
    std::string name_;
    intake& to_;
    std::deque<record> queue_;
    bool armed_ = false;
    std::uint64_t ids_ = 0;
};

inline void script::deliver(std::string_view subscription, std::string_view payload, std::uint32_t attempt,
                            const headers& head) {
    source& s = *sources.find(subscription)->second;
    block* b = make_block(payload);
    b->head = head;
    s.push(b, static_cast<std::uint32_t>(payload.size()), attempt, s.next_id());
}

/// A broker that does what a `script` says, and nothing the contract does not ask for: that it works proves that the
/// contract suffices.
template <unsigned Capabilities = 0> class scripted_broker {
public:
    static constexpr std::string_view scheme = "scripted";
    static constexpr unsigned capabilities = Capabilities;

    class connection {
    public:
        explicit connection(script& s) : script_(s) {}
        connection(const connection&) = delete;
        connection& operator=(const connection&) = delete;
        ~connection() { script_.calls.emplace_back("disconnect"); }
        task<feed> subscribe(const subscribe_request& r) {
            script_.calls.push_back("subscribe " + std::string{r.name});
            if (!script_.refuse_subscribe.empty()) throw error(errc::invalid_name, script_.refuse_subscribe);
            sources_.push_back(std::make_unique<script::source>(script_, std::string{r.name}, r.to));
            const feed f{sources_.back().get(), script::source::table<(Capabilities & can_delay) != 0>()};
            co_return f;
        }
        publish_port publishes() noexcept { return {this, &table}; }
        task<void> shutdown() && {
            script_.calls.emplace_back("shutdown");
            if (!script_.refuse_shutdown.empty()) throw error(errc::closed, script_.refuse_shutdown);
            co_return;
        }

    private:
        static void* open(void* self, std::string_view topic) {
            auto& all = static_cast<connection*>(self)->topics_;
            return &all.emplace(topic, topic).first->second;
        }
        static publish_status publish(void* self, outgoing* first, unsigned n, unsigned& taken,
                                      publish_waiter* who, bool wait_for_room) {
            script& s = static_cast<connection*>(self)->script_;
            taken = 0;
            publish_status answer = s.publishes;
            if (answer == publish_status::wait && (who == nullptr || !wait_for_room))
                answer = publish_status::queue_full;
            if (answer == publish_status::wait || answer == publish_status::sent) {
                if (who != nullptr) s.waiting.push_back(who);
                else answer = publish_status::done;
            }
            if (answer != publish_status::done && answer != publish_status::sent) return answer;
            for (; taken != n; ++taken) {
                outgoing& o = first[taken];
                const std::string& topic = *static_cast<const std::string*>(o.destination);
                s.published.push_back({topic, std::string{o.body->data(), o.size}, o.body->head});
                s.calls.push_back("publish " + topic + " " + s.published.back().body);
                release(o.body);
            }
            return answer;
        }
        static void abandon(void* self, publish_waiter& who) {
            script& s = static_cast<connection*>(self)->script_;
            std::erase(s.waiting, &who);
            s.calls.emplace_back("abandon");
        }
        static constexpr publish_table table{.open = open, .publish = publish, .abandon = abandon};
        script& script_;
        std::vector<std::unique_ptr<script::source>> sources_;
        std::map<std::string, std::string, std::less<>> topics_;
    };

    explicit scripted_broker(script& s) noexcept : script_(&s) {}
    task<std::unique_ptr<connection>> connect(connect_context) && {
        script_->calls.emplace_back("connect");
        if (!script_->refuse_connect.empty()) throw error(errc::closed, script_->refuse_connect);
        auto made = std::make_unique<connection>(*script_);
        co_return made;
    }

private:
    script* script_;
};
static_assert(broker<scripted_broker<>>);

}  // namespace weir::test
