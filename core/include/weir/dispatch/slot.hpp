#pragma once
#include <weir/dispatch/intake.hpp>
#include <weir/outcome.hpp>
#include <weir/payload/output.hpp>
#include <weir/runtime/stop.hpp>

#include <coroutine>
#include <exception>

namespace weir {

namespace detail {
class delivery_link;

/// The message objects of a slot, whatever their type; apart from the slot, so that a continuation can take them along.
struct message_store_base {
    message_store_base() = default;
    message_store_base(const message_store_base&) = delete;
    message_store_base& operator=(const message_store_base&) = delete;
    virtual ~message_store_base() = default;
};
}  // namespace detail

/// Why a delivery ends as it does; decides which cap and which log line apply.
enum class cause : unsigned char { verdict, exception, undecodable, publishing };

/// One place at which a message is handled: sequential subscriptions have one, `workers(n)` has n. Everything here is
/// shared by all handlers; the part that knows the handler is `subscription<...>::place`.
class slot : public run_node {
public:
    slot(subscription_base& of, intake& from, publish_port to) noexcept;
    slot(const slot&) = delete;
    slot& operator=(const slot&) = delete;
    virtual ~slot();

    // ---- publishing from a handler
    /// Adds a message to what leaves before the input is acknowledged. Throws weir::error when the bound of the
    /// subscription is exceeded, or when the handler has settled the input already.
    void publish(void* destination, output& encoded);
    bool nothing_to_publish() const noexcept { return outbox_.empty(); }

    subscription_base& sub;
    intake& in;
    record* now = nullptr;  ///< the delivery being handled, the first one of a batch
    unsigned taken = 1;     ///< records of the current call
    slot* next_parked = nullptr;
    detail::delivery_link* manual = nullptr;  ///< the live delivery<T> of this message
    publish_port to;
    stop_state stop;          ///< asked when the handler has to come to an end
    bool in_handler = false;  ///< a task is suspended
    bool fresh = false;       ///< has taken a window in this turn
    bool shared = false;      ///< several slots take from one window: records are copied, acks go one by one
    bool waits = false;       ///< the outbox could not leave yet
    bool settled_by_hand = false;

protected:
    /// Settles what is at hand as `o` says; the outbox goes first. False: it waits, and `run` comes again.
    bool settle(outcome&& o, cause why);
    bool settle(std::vector<outcome>&& each);
    /// Inside a catch block: logs the exception, and remembers what the policy makes of it.
    void note_exception() noexcept;
    outcome take_failure() noexcept { return std::move(failure_); }
    /// What `note_exception` decided, after the layers have seen the outcome. False: it waits.
    bool settle_failure(outcome&& o) noexcept;
    /// The first record at hand is no message of the handler's type. False: it waits.
    bool undecodable(std::string_view why);
    /// The outbox goes, then the verdicts. False: it waits.
    bool leave();
    bool resume_leaving();
    /// After the handler of a `delivery<T>` has returned.
    bool finish_by_hand();
    bool unsettled_by_hand();
    /// Whether what is at hand waits for a verdict still.
    bool unsettled() const noexcept { return !settled_by_hand || deferred_; }
    /// The drain's deadline has passed while the handler was waiting: nothing is settled any more, whatever it says.
    void give_up() noexcept;
    /// Plain acknowledgement: stays in the run.
    void keep_run() noexcept {
        if (shared) return settle_copies();
        in.hold_ack(in.position);
    }
    /// Nothing may be held back while a handler waits: the run goes out, or another slot goes on.
    void suspended() noexcept;
    /// A new window. False: return from the loop, `run` comes again when there is something.
    bool next_window() noexcept;
    /// The next `n` records are at hand; shared slots copy them.
    void take(unsigned n) noexcept {
        now = in.records.get() + in.position;
        taken = n;
        in.position += n;
        if (shared) copy_records();
    }
    /// Gives the message objects away to a continuation and makes new ones.
    virtual std::unique_ptr<detail::message_store_base> hand_over_message() = 0;
    /// Destroys the coroutine of a handler that has not ended.
    virtual void end_handler() noexcept = 0;

private:
    friend class subscription_base;
    friend class detail::delivery_link;
    struct step {
        enum class kind : unsigned char { acknowledge, again, refuse, leave } what;
        nanos delay;             // of `again`
        std::size_t reason = 0;  // of `refuse`: which of reasons_
    };
    struct waiter : publish_waiter {
        slot* of;
    };
    bool settle_alone(outcome&& o, cause why);
    void settle_one(const step& s, const record& r);
    void plan(outcome&& o, cause why);
    step resolve(record& r, const outcome& o, cause why);
    step resolve_exhausted(record& r);
    step turn_down(record& r, std::string_view reason);
    step stop_application(const record& r, std::string_view reason);
    void decide_by_policy();
    bool settle_by_policy();
    void settle_by_hand(outcome&& o);
    void expire_delivery() noexcept;
    bool after_flush(publish_status s);
    void apply();
    void apply_verdicts();
    void end_delivery();
    void leave_unsettled();
    void start_continuations();
    void drop_outbox() noexcept;
    void settle_copies() noexcept;
    void copy_records() noexcept;
    unsigned index() const noexcept { return static_cast<unsigned>(now - in.records.get()); }

    std::vector<outgoing> outbox_;  // keeps its capacity
    std::size_t outbox_bytes_ = 0;
    std::vector<step> steps_;           // one a record; empty: acknowledge all
    std::vector<outcome> outcomes_;     // what the steps came from, one for all or one each
    std::vector<std::string> reasons_;  // what the broker is told about those it shall refuse
    std::unique_ptr<record[]> own_;     // copies, when shared
    std::string last_error_;
    outcome failure_{outcome::verdict::retry};
    bool leaves_unsettled_ = false;  // a failure that stays with the broker
    waiter waiter_;
    bool confirming_ = false;  // waits for confirmations, not for room
    bool giving_up_ = false;   // the outbox holds dead letters: a failed flush must not give up again
    bool deferred_ = false;    // settled by hand, but what was published has to go first
};

}  // namespace weir
