#include <weir/runtime/signal_watch.hpp>

#include <cerrno>
#include <thread>

namespace weir {

namespace {

// What the handler may touch: lock-free atomics only.
std::atomic<signal_watch*> active{nullptr};
std::atomic<int> in_handler{0};
static_assert(std::atomic<signal_watch*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

}  // namespace

signal_watch::signal_watch(run_loop& loop, std::initializer_list<int> signals) : loop_(loop) {
    arrival_.at = this;
    arrival_.run = [](run_node* n) noexcept { static_cast<arrival*>(n)->at->deliver(); };
    before_.reserve(signals.size());
    signal_watch* nobody = nullptr;
    if (!active.compare_exchange_strong(nobody, this)) {
        throw error(errc::misuse,
                    "weir: signals are already watched; there can be one signal_watch at a time");
    }
    struct sigaction action{};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    for (const int s : signals) {
        struct sigaction old{};
        if (::sigaction(s, &action, &old) == 0) {
            before_.emplace_back(s, old);
            continue;
        }
        const int why = errno;
        for (const auto& [number, handler] : before_) ::sigaction(number, &handler, nullptr);
        active.store(nullptr);
        while (in_handler.load() != 0) std::this_thread::yield();
        loop_.withdraw(arrival_);
        throw error(std::error_code(why, std::system_category()),
                    "weir: signal " + std::to_string(s) + " cannot be watched");
    }
}

signal_watch::~signal_watch() {
    for (const auto& [number, handler] : before_) ::sigaction(number, &handler, nullptr);
    active.store(nullptr);
    while (in_handler.load() != 0) std::this_thread::yield();  // on another thread, for an instant
    loop_.withdraw(arrival_);
}

void signal_watch::on_signal(int signal) noexcept {
    const int saved = errno;
    in_handler.fetch_add(1);
    if (signal_watch* w = active.load()) w->record(signal);
    in_handler.fetch_sub(1);
    errno = saved;
}

void signal_watch::record(int signal) noexcept {
    unsigned at = written_.load();
    do {
        if (at - read_.load() >= pending) return;
    } while (!written_.compare_exchange_weak(at, at + 1));
    last_.store(signal);
    slots_[at % pending].store(signal);
    if (!posted_.exchange(true)) loop_.post(arrival_);
}

bool signal_watch::available() const noexcept { return slots_[read_.load() % pending].load() != 0; }

void signal_watch::deliver() noexcept {
    posted_.store(false);  // first: a signal from here on posts again
    if (waiter_ == nullptr || !available()) return;
    std::exchange(waiter_, nullptr)->arrive();
}

bool signal_watch::next_wait::await_ready() {
    prepare();
    if (watch_.waiter_ != nullptr)
        throw error(errc::already_waited, "weir: another task already waits for signals");
    return watch_.available();
}

signal_watch::delivery signal_watch::next_wait::await_resume() {
    check();
    const unsigned at = watch_.read_.load();
    const int signal = watch_.slots_[at % pending].exchange(0);
    watch_.read_.store(at + 1);
    return delivery{signal, at + 1};
}

}  // namespace weir
