#pragma once
#include <weir/dispatch/subscription_base.hpp>
#include <weir/publisher.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir {

class application;
template <class> class attached;
namespace detail {
class engine;
class attached_base;
}  // namespace detail

enum class health_state : unsigned char { running, shutting_down, stopped, failed };
std::string_view to_string(health_state) noexcept;

struct health_report {
    health_state state;
    std::string reason;  ///< why it failed; empty otherwise
};

/// What a shutdown left behind.
struct drain_report {
    struct left {
        std::string subscription;
        std::size_t
            deliveries;  ///< that a handler had not settled when the time was up; they stay with the broker
    };
    bool complete = true;  ///< every handler ended in time
    std::vector<left> leftovers;
};

/// What one subscription has done so far.
struct subscription_report {
    std::string name;
    std::string broker;
    subscription_counters counters;
};

/// The handle of a started application. Move-only; must not outlive the application, which ends the run if it is destroyed
/// first. Every function may be called from any thread, unless it says otherwise;
/// `shutdown` and `wait` refuse, or would never return, on a loop of the application itself.
class running_application {
public:
    explicit running_application(std::shared_ptr<detail::engine> e) noexcept : engine_(std::move(e)) {}
    running_application(running_application&&) noexcept = default;
    running_application& operator=(running_application&&) = delete;
    /// Shuts down if nobody has.
    ~running_application();

    health_report health() const;
    /// A publisher of the only broker in use; throws weir::error (misuse) where there are several: ask the one you mean,
    /// `attached::publisher()`.
    weir::publisher publisher() const;
    /// Broker by broker in the order of use, and in the order in which they were subscribed.
    std::vector<subscription_report> subscriptions() const;

    /// Stops reading, lets handlers finish for at most the drain time, settles nothing more after it, shuts the brokers
    /// down in reverse order, ends the threads. A second call returns the first one's report. Throws weir::error
    /// (failed_fast) where a failure policy had stopped the application, (misuse) in a handler. After start_here() on the
    /// thread that called it.
    drain_report shutdown();
    /// The drain time is over now. Any thread, also while `shutdown` waits.
    void force() noexcept;
    /// Blocks until the application has failed, or was shut down by somebody else.
    void wait();

    // ---- after start_here(), on the thread that called it
    /// Drives the first thread's loop until `done()` is true.
    template <class Condition> void run_until(Condition done) { first_loop().run_until(std::move(done)); }
    /// Runs everything that can run now. True if anything did.
    bool run_ready() { return first_loop().run_ready(); }
    run_loop& first_loop() noexcept;

private:
    std::shared_ptr<detail::engine> engine_;
};

}  // namespace weir
