#include "engine.hpp"

namespace weir {

std::string_view to_string(health_state s) noexcept {
    switch (s) {
    case health_state::running: return "running";
    case health_state::shutting_down: return "shutting down";
    case health_state::stopped: return "stopped";
    case health_state::failed: return "failed";
    }
    return "?";
}

running_application::~running_application() {
    if (!engine_) return;
    try {
        static_cast<void>(engine_->shutdown());
    } catch (const std::exception& e) {
        engine_->log.error("the application ended with an error", {{"error", e.what()}});
    }
}

health_report running_application::health() const { return engine_->health(); }
weir::publisher running_application::publisher() const { return weir::publisher{engine_->only_publisher()}; }
std::vector<subscription_report> running_application::subscriptions() const {
    return engine_->subscriptions();
}
drain_report running_application::shutdown() { return engine_->shutdown(); }
void running_application::force() noexcept { engine_->force(); }
void running_application::wait() { engine_->wait(); }
run_loop& running_application::first_loop() noexcept { return engine_->first_loop(); }

}  // namespace weir
