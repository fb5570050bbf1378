#pragma once
#include <weir/dispatch/settings.hpp>
#include <weir/topic.hpp>

#include <concepts>

namespace weir {

/// What an option fills; `subscribe` takes at most one of each.
enum class option_slot : unsigned char { batch, workers, prefetch, retries, reply, failure, outbox, start };

/// An option of `subscribe`: says what it fills and what it needs of the broker, and writes itself into the settings. A broker
/// may bring options of its own.
template <class O>
concept subscribe_option = requires(const O& option, settings& s) {
    { O::fills } -> std::convertible_to<option_slot>;
    { O::needs } -> std::convertible_to<unsigned>;
    option.apply(s);
};

/// How many messages a batch handler gets at most in one call. There is no minimum and no waiting for one.
struct batch {
    static constexpr option_slot fills = option_slot::batch;
    static constexpr unsigned needs = 0;
    unsigned most;
    explicit constexpr batch(unsigned n) noexcept : most(n) {}
    void apply(settings& s) const {
        s.batch = most;
        s.batch_given = true;
    }
};

/// Concurrency slots on the subscription's thread: how many messages may be in the handler at once. Only a handler that
/// suspends (a task) gains by it; order is kept no longer.
struct workers {
    static constexpr option_slot fills = option_slot::workers;
    static constexpr unsigned needs = 0;
    unsigned slots;
    explicit constexpr workers(unsigned n) noexcept : slots(n) {}
    void apply(settings& s) const { s.workers = slots; }
};

/// How many deliveries may be taken from the broker and not yet settled.
struct prefetch {
    static constexpr option_slot fills = option_slot::prefetch;
    static constexpr unsigned needs = 0;
    unsigned deliveries;
    explicit constexpr prefetch(unsigned n) noexcept : deliveries(n) {}
    void apply(settings& s) const {
        s.prefetch = deliveries;
        s.prefetch_given = true;
    }
};

/// How often a message is tried, how long it waits in between, and where it goes when all attempts are used up or
/// the handler rejects it. An aggregate: `retries{.attempts = 5, .backoff = exponential(100ms, 30s), .dead_letter = "orders.dead"}`.
struct retries {
    unsigned attempts = 5;
    backoff_policy backoff = exponential(std::chrono::milliseconds{100}, std::chrono::seconds{30});
    std::string_view dead_letter{};  ///< copied by `subscribe`; empty: the broker's own rules

    static constexpr option_slot fills = option_slot::retries;
    static constexpr unsigned needs = 0;
    void apply(settings& s) const {
        s.retries_declared = true;
        s.attempts = attempts;
        s.backoff = backoff;
        s.dead_letter = dead_letter;
    }
};

/// Where the value that a handler returns is published, before its input is acknowledged.
template <class Message = void> struct reply_to {
    using message = Message;
    static constexpr option_slot fills = option_slot::reply;
    static constexpr unsigned needs = 0;
    std::string_view name;
    constexpr explicit reply_to(std::string_view n) noexcept : name(n) {}
    constexpr explicit reply_to(const topic<Message>& t) noexcept
        requires(!std::is_void_v<Message>)
        : name(t.name) {}
    void apply(settings& s) const { s.reply_to = name; }
};
reply_to(std::string_view) -> reply_to<void>;
reply_to(const char*) -> reply_to<void>;
template <class Message> reply_to(const topic<Message>&) -> reply_to<Message>;

/// What happens to a message that cannot be decoded, whose handler throws, or whose attempts are used up. What is not
/// named keeps its default: reject, retry, reject.
struct on_failure {
    failure_action decode{failure_action::kind::turn_down};
    failure_action exception{failure_action::kind::try_again};
    failure_action exhausted{failure_action::kind::turn_down};

    static constexpr option_slot fills = option_slot::failure;
    static constexpr unsigned needs = 0;
    void apply(settings& s) const {
        s.on_undecodable = decode;
        s.on_exception = exception;
        s.on_exhausted = exhausted;
    }
};

/// How many bytes one delivery may publish before it fails.
struct outbox {
    static constexpr option_slot fills = option_slot::outbox;
    static constexpr unsigned needs = 0;
    std::size_t most;
    explicit constexpr outbox(std::size_t bytes) noexcept : most(bytes) {}
    void apply(settings& s) const { s.outbox = most; }
};

}  // namespace weir
