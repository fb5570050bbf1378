#include <weir/runtime/loop_thread.hpp>

#include <utility>

#include <pthread.h>

namespace weir {

loop_thread::loop_thread(std::string name, run_loop::options options) : loop_(options) {
    if (name.size() > 15) name.resize(15);
    thread_ = std::thread([this, named = std::move(name)] {
        ::pthread_setname_np(::pthread_self(), named.c_str());
        loop_.run_until([this] { return stop_.load(std::memory_order_acquire); });
        loop_.detached().clear();
    });
}

loop_thread::~loop_thread() {
    stop();
    join();
}

void loop_thread::stop() noexcept {
    stop_.store(true, std::memory_order_release);
    loop_.wake();
}

void loop_thread::join() {
    if (thread_.joinable()) thread_.join();
}

}  // namespace weir
