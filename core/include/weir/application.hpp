#pragma once
#include <weir/attached.hpp>
#include <weir/running_application.hpp>

namespace weir {

/// Who the service is; for logs and documents.
struct app_info {
    std::string title = "service";
    std::string version = "0";
    std::string description{};
};

/// Whether brokers connect to their servers, or are replaced by queues of this process that route as the servers do.
enum class transport : bool { live, in_process };

/// How the application runs.
struct runtime {
    unsigned threads = 1;  ///< run loops; subscriptions are dealt to them in turn
    nanos spin =
        std::chrono::microseconds{50};  ///< how long a loop looks for work before it sleeps; 0: never spin
    nanos drain = std::chrono::seconds{30};   ///< how long a shutdown waits for handlers
    const weir::clock* time = &real_clock();  ///< must outlive the application
    std::uint64_t seed = 0;                   ///< of the draws that backoff makes; 0: another one every time
};

namespace detail {
struct application_parts;
template <class T> struct shared_object {
    T& object;
};
template <class T> struct per_thread_object {
    std::function<std::shared_ptr<void>()> make;
};
}  // namespace detail

/// For `provide`: x is thread-safe, so that handlers on several threads may take it as T&.
template <class T> detail::shared_object<T> shared(T& x) noexcept { return {x}; }
/// For `provide`: every thread of the application gets an object of its own from `factory`.
template <class F> auto per_thread(F factory) {
    using T = std::invoke_result_t<F&>;
    return detail::per_thread_object<T>{
        [f = std::move(factory)]() mutable -> std::shared_ptr<void> { return std::make_shared<T>(f()); }};
}

/// A service: brokers in use, what their handlers are given, and how it all runs. Built on one thread, started once.
class application {
public:
    explicit application(app_info info = {}, runtime how = {});
    application(const application&) = delete;
    application& operator=(const application&) = delete;
    /// Ends a run that is still going on, as `running_application::shutdown` does.
    ~application();

    /// Takes a broker's settings; it connects at the start, in the order of use. The reference stays good.
    template <broker B> attached<B>& use(B b) {
        auto made = std::make_unique<attached<B>>(std::move(b));
        attached<B>& reference = *made;
        add(std::move(made));
        return reference;
    }

    /// Lets handlers take `T&` and `const T&` as a parameter. Kept by reference: x must outlive the run. A `T&` that handlers on
    /// two threads take is refused by the start; see `shared` and `per_thread`. `provide<base>(x)` injects as the base.
    template <class T> application& provide(T& x) {
        using plain = std::remove_const_t<T>;
        return provide_as(
            &detail::type_key<plain>,
            std::is_const_v<T> ? detail::services::kind::constant : detail::services::kind::plain,
            const_cast<plain*>(&x));
    }
    template <class T> application& provide(detail::shared_object<T> x) {
        return provide_as(&detail::type_key<T>, detail::services::kind::shared, &x.object);
    }
    template <class T> application& provide(detail::per_thread_object<T> x) {
        return provide_as(&detail::type_key<T>, detail::services::kind::per_thread, nullptr,
                          std::move(x.make));
    }

    /// Where the log lines go, and from which level on; standard error and `info` unless said otherwise.
    application& log(log_sink& sink, log_level from = log_level::info) noexcept;
    application& log(log_level from) noexcept { return log(standard_error_log(), from); }

    /// Checks everything, connects the brokers in order, opens the subscriptions, spawns the threads. Returns once it
    /// runs; throws weir::error and leaves nothing behind if any step fails. Sets no signal handlers.
    running_application start();
    /// The same, but the calling thread is the first thread: it drives the loop by `run_until` or `run_ready` of what this
    /// returns. For tests, benchmarks, and programs that have a main loop of their own.
    running_application start_here(transport how = transport::live);
    /// Starts, drives the first thread on the calling one until SIGINT or SIGTERM, and shuts down. A second signal ends the
    /// drain at once. Throws weir::error (failed_fast) if a failure policy stopped the application.
    drain_report run();
    /// The same until `done()` is true, without signal handlers. `done` is asked on the first thread, between messages;
    /// where the application has several threads, also every 10 ms.
    drain_report run_until(const std::function<bool()>& done);

    const app_info& info() const noexcept;

private:
    void add(std::unique_ptr<detail::attached_base> b);
    application& provide_as(const char* key, detail::services::kind how, void* object,
                            std::function<std::shared_ptr<void>()> make = {});
    std::unique_ptr<detail::application_parts> parts_;
};

/// The usual `main` of a service: no argument or `run` runs it; `--help` says what there is. Returns the exit code: 0 after a
/// clean run, 1 with a sentence on standard error after a failure, 2 for arguments it does not know.
int main(application& app, int argc, char** argv);

}  // namespace weir
