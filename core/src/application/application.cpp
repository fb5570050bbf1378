#include "engine.hpp"

#include <weir/runtime/signal_watch.hpp>
#include <weir/runtime/sleep.hpp>
#include <weir/runtime/task_group.hpp>

#include <cstdlib>
#include <cstring>

namespace weir {
namespace {

/// Ends the process when a second signal finds the first thread stuck in a plain handler, where no drain can reach it.
class last_resort {
public:
    last_resort(const signal_watch& watch, const logger& log)
        : thread_([this, &watch, log] { stand_by(watch, log); }) {}
    last_resort(const last_resort&) = delete;
    last_resort& operator=(const last_resort&) = delete;
    ~last_resort() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

private:
    void stand_by(const signal_watch& watch, const logger& log) {
        using namespace std::chrono;
        auto forced = steady_clock::time_point::max();
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, milliseconds{250}, [this] { return over_; })) {
            const auto now = steady_clock::now();
            if (watch.count() >= 2 && forced == steady_clock::time_point::max()) forced = now + seconds{3};
            if (now < forced) continue;
            log.error(
                "a second signal came and a handler does not give its thread back: the process ends here",
                {{"signal", watch.last()}});
            std::_Exit(128 + watch.last());
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::thread thread_;
};

task<void> force_on_second(signal_watch& watch, detail::engine& engine) {
    co_await watch.next();
    co_await watch.next();
    engine.force();
}

task<void> look_again_every_10ms() {
    for (;;) co_await sleep_for(std::chrono::milliseconds{10});
}

}  // namespace

application::application(app_info info, runtime how)
    : parts_(new detail::application_parts{std::move(info), how, {}, {}, {}, {}, false}) {}

application::~application() {
    if (!parts_->engine) return;
    try {
        static_cast<void>(parts_->engine->shutdown());
    } catch (const std::exception& e) {
        parts_->log.error("the application ended with an error", {{"error", e.what()}});
    }
}

application& application::log(log_sink& sink, log_level from) noexcept {
    parts_->log = logger{sink, from};
    return *this;
}

const app_info& application::info() const noexcept { return parts_->info; }

void application::add(std::unique_ptr<detail::attached_base> b) {
    if (parts_->started) throw error(errc::misuse, "weir: use(broker) comes after the start - use it before");
    parts_->brokers.push_back(std::move(b));
}

application& application::provide_as(const char* key, detail::services::kind how, void* object,
                                     std::function<std::shared_ptr<void>()> make) {
    if (parts_->started)
        throw error(errc::misuse, "weir: provide(x) comes after the start - provide it before");
    parts_->provided.add({key, how, object, std::move(make), {}});
    return *this;
}

namespace {

std::shared_ptr<detail::engine> start_engine(detail::application_parts& of, detail::engine::first_thread who,
                                             transport how = transport::live) {
    if (std::exchange(of.started, true))
        throw error(errc::misuse, "weir: an application runs once - make a new one to run again");
    auto made = std::make_shared<detail::engine>(of, who, how);
    made->start();
    of.engine = made;
    return made;
}

}  // namespace

running_application application::start() {
    return running_application{start_engine(*parts_, detail::engine::first_thread::spawned)};
}

running_application application::start_here(transport how) {
    return running_application{start_engine(*parts_, detail::engine::first_thread::caller, how)};
}

drain_report application::run() {
    const auto engine = start_engine(*parts_, detail::engine::first_thread::caller);
    run_loop& loop = engine->first_loop();
    signal_watch watch(loop);
    const last_resort guard(watch, parts_->log);
    task_group watching(loop);
    watching.on_failure([](std::exception_ptr) noexcept {});
    watching.spawn(force_on_second(watch, *engine));
    loop.run_until([&] { return watch.count() != 0 || engine->failed(); });
    return engine->shutdown();
}

drain_report application::run_until(const std::function<bool()>& done) {
    const auto engine = start_engine(*parts_, detail::engine::first_thread::caller);
    run_loop& loop = engine->first_loop();
    task_group looking(loop);
    if (engine->threads() > 1) looking.spawn(look_again_every_10ms());
    loop.run_until([&] { return done() || engine->failed(); });
    return engine->shutdown();
}

int main(application& app, int argc, char** argv) {
    const std::string_view command = argc > 1 ? argv[1] : "run";
    if (argc > 2 || (command != "run" && command != "--help" && command != "--version")) {
        std::fprintf(stderr, "%s: unknown argument '%s' - see --help\n", app.info().title.c_str(),
                     argc > 2 ? argv[2] : argv[1]);
        return 2;
    }
    if (command == "--version") {
        std::printf("%s %s\n", app.info().title.c_str(), app.info().version.c_str());
        return 0;
    }
    if (command == "--help") {
        std::printf(
            "%s %s%s%s\n\n  run         run the service until SIGINT or SIGTERM (also without an argument)\n"
            "  --version   print the version\n",
            app.info().title.c_str(), app.info().version.c_str(), app.info().description.empty() ? "" : ": ",
            app.info().description.c_str());
        return 0;
    }
    try {
        static_cast<void>(app.run());
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", app.info().title.c_str(), e.what());
        return 1;
    }
}

}  // namespace weir
