#pragma once
#include <weir/dispatch/settings.hpp>
#include <weir/dispatch/slot.hpp>
#include <weir/layer.hpp>
#include <weir/log.hpp>

#include <list>
#include <string>

namespace weir {

namespace detail {
class services;
struct start_check;
}  // namespace detail

/// What a subscription needs of the application that runs it.
class dispatch_host {
public:
    logger log;
    std::uint64_t seed = 0;
    /// A failure policy said so: the message stays unsettled and the application stops. Any thread.
    virtual void fail_fast(std::string reason) noexcept = 0;
    /// Something ended that a drain may be waiting for. Any thread.
    virtual void progress() noexcept = 0;

protected:
    ~dispatch_host() = default;
};

/// What one subscription has done so far. Each number is written by the subscription's thread alone and may be read by
/// any.
struct subscription_counters {
    std::uint64_t acked = 0;     ///< done with, discarded ones and dead letters included
    std::uint64_t retried = 0;   ///< sent back to the broker for another attempt
    std::uint64_t rejected = 0;  ///< hopeless, whether or not there is a dead letter
    std::uint64_t dead_lettered = 0;
    std::uint64_t undecodable = 0;
    std::uint64_t exceptions = 0;  ///< handlers that threw
    std::uint64_t published = 0;   ///< messages that left through outboxes
};

/// One subscription, as far as it does not depend on its handler: name, settings, slots, counters, and everything that
/// is rare enough not to be compiled once a handler.
class subscription_base {
public:
    subscription_base(std::string name, settings s);
    subscription_base(const subscription_base&) = delete;
    subscription_base& operator=(const subscription_base&) = delete;
    virtual ~subscription_base();

    /// A copy for another mount of the same router; not opened.
    virtual std::unique_ptr<subscription_base> clone() const = 0;
    /// Everything that only start() can know: injected objects, values of options.
    virtual void check(detail::start_check&) const = 0;
    /// The part of it that does not depend on the handler.
    void check_values(detail::start_check&) const;
    /// Whether a suspended handler lets another message in: task handlers with workers(n).
    virtual bool overlaps() const noexcept = 0;

    const std::string& name() const noexcept { return name_; }
    void prefix(std::string_view p);
    const settings& options() const noexcept { return settings_; }
    subscription_counters counters() const noexcept;

    // ---- life, driven by the application on the subscription's thread
    /// Makes the window, so that the broker can be given something to wake.
    intake& prepare(run_loop& home, dispatch_host& host);
    /// The feed is there: makes the slots.
    void open(feed f, publish_port to, detail::services& s, unsigned thread);
    /// No more messages into handlers.
    void stop() noexcept;
    /// Deliveries that a handler has, or whose outbox waits, and continuations that have not ended.
    unsigned busy() const noexcept;
    /// Asks the waits of every handler to end.
    void cancel() noexcept;
    /// Destroys what is left of the handlers and closes the feed. What was not settled stays the broker's.
    void close() noexcept;
    std::size_t unsettled() const noexcept;

    const logger& log() const noexcept { return host_->log; }
    dispatch_host& host() const noexcept { return *host_; }
    run_loop& home() const noexcept { return in_->home(); }
    intake& window() noexcept { return *in_; }
    publish_port port() const noexcept { return port_; }

    /// Layers of outer routers, the outermost first.
    std::vector<layer_hook> hooks;

protected:
    /// For clone(): what a router has added since the subscription was written.
    void take_from(const subscription_base& o) {
        hooks = o.hooks;
        prefix_ = o.prefix_;
    }
    virtual std::unique_ptr<slot> make_slot(detail::services& s, unsigned thread) = 0;
    /// Names that the router's prefix applies to as well.
    settings settings_;
    std::string prefix_;

private:
    friend class slot;
    friend class intake;
    struct counter {
        std::atomic<std::uint64_t> value{0};
        void add(std::uint64_t n) noexcept {  // one writer
            value.store(value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
        }
        std::uint64_t get() const noexcept { return value.load(std::memory_order_relaxed); }
    };
    struct continuation;

    std::uint64_t random() noexcept;
    std::string describe(const record& r) const;
    void report(settle_status s, std::string_view verb, const record& r) const noexcept;
    /// Remembers when a message failed first, for its dead letter. Of two whose identities fall together the later one stays.
    void note_failure(std::uint64_t id);
    std::chrono::system_clock::time_point first_failure(std::uint64_t id) const;
    void stamp_dead_letter(headers& h, const record& r, std::string_view reason);
    void continue_with(std::vector<task<void>> all, std::unique_ptr<detail::message_store_base> message,
                       std::vector<block*> owners);
    bool crowded(slot& s) noexcept;
    void continuation_ended() noexcept;

    std::string name_;
    dispatch_host* host_ = nullptr;
    publish_port port_;
    void* dead_letters_ = nullptr;
    std::unique_ptr<intake> in_;
    std::vector<std::unique_ptr<slot>> slots_;
    counter acked_, retried_, rejected_, dead_lettered_, undecodable_, exceptions_, published_;
    struct failing {
        std::uint64_t id = 0;
        std::chrono::system_clock::time_point first{};  // the epoch: nobody
    };
    std::vector<failing> failing_;  // by the low bits of the identity; empty until something fails
    std::uint64_t random_state_ = 0;
    std::list<std::unique_ptr<continuation>> continuations_;
    std::vector<slot*> held_by_continuations_;
    stop_state continuations_stop_;
    mutable bool unsupported_reported_ = false;
};

}  // namespace weir
