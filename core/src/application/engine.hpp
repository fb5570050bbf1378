#pragma once
#include <weir/application.hpp>
#include <weir/runtime/run_loop.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace weir {

namespace detail {

class engine;

struct application_parts {
    app_info info;
    runtime how;
    logger log;
    services provided;
    std::vector<std::unique_ptr<attached_base>> brokers;
    std::shared_ptr<detail::engine> engine;
    bool started = false;  // also when it failed: the brokers are consumed
};

/// One run of an application: its loops and threads, and the order in which everything starts and ends.
class engine final : public dispatch_host {
public:
    /// Who drives the first loop.
    enum class first_thread : bool { spawned, caller };

    engine(application_parts& of, first_thread who, transport how);
    ~engine();
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;

    void start();
    drain_report shutdown();
    void force() noexcept;
    void wait();
    bool failed() const;
    health_report health() const;
    std::vector<subscription_report> subscriptions() const;
    std::shared_ptr<publishing_state> only_publisher() const;
    run_loop& first_loop() noexcept { return threads_.front()->loop; }
    std::size_t threads() const noexcept { return threads_.size(); }

    void fail_fast(std::string reason) noexcept override;
    void progress() noexcept override;

private:
    struct loop_place {
        explicit loop_place(run_loop::options o) : loop(o) {}
        run_loop loop;
        std::atomic<bool> stop{false};
        std::thread thread;
    };
    struct opened {
        subscription_base* what;
        attached_base* on;
        run_loop* loop;
    };
    struct stop_node : run_node {
        engine* of;
        run_loop* loop;
    };
    class progress_wait;

    void check();
    void spawn(unsigned index);
    void end_threads() noexcept;
    /// Runs a task on the first loop and waits for it, driving the loop if nobody else does. Throws what it throws.
    void run_on_first(task<void> work);
    /// For the thread that waits for a shutdown: says which thread does not come back from a handler.
    void complain_of_stuck_thread() noexcept;
    task<void> start_up();
    task<void> connect_all();
    task<void> open_all();
    void open_publishing();
    task<void> shut_down(drain_report& report);
    task<void> drain(drain_report& report);
    task<void> close_all();
    void close_publishing(attached_base& b) noexcept;
    void set_health(health_state s) noexcept;

    application_parts& parts_;
    const first_thread who_;
    const transport transport_;
    std::vector<std::unique_ptr<loop_place>> threads_;
    std::vector<std::unique_ptr<stop_node>> stop_nodes_;
    std::vector<opened> opened_;
    std::size_t connected_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    health_report health_{health_state::stopped, {}};
    std::atomic<bool> failing_{false};  // a moment before the health says so
    bool shutting_down_ = false;
    bool ended_ = false;
    drain_report report_;
    std::vector<subscription_report> last_report_;

    std::atomic<bool> forced_{false};
    std::atomic<bool> draining_{false};
    std::atomic<run_loop*> asked_{nullptr};   // the loop that the shutdown waits for
    progress_wait* progress_wait_ = nullptr;  // first loop only
    std::atomic<bool> progressed_{false};
    struct progress_node : run_node {
        engine* of;
    } progress_node_;
    std::atomic<bool> progress_posted_{false};
};

}  // namespace detail
}  // namespace weir
