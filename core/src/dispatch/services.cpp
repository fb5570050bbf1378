#include <weir/dispatch/services.hpp>

namespace weir::detail {

void check_provided(start_check& check, const std::string& subscription, const char* key,
                    std::string_view type, bool takes_const) {
    const std::string takes =
        std::string{"takes '"} + (takes_const ? "const " : "") + std::string{type} + "&', ";
    const services::entry* e = check.provided.find(key);
    if (e == nullptr)
        return check.say(subscription, takes + "which nobody provides - call app.provide(x) before start()");
    if (takes_const) return;
    if (e->how == services::kind::constant)
        return check.say(subscription, takes + "but what was provided is const - take it as const");
    if (e->how != services::kind::plain) return;
    for (const start_check::user& u : check.mutable_users)
        if (u.key == key && u.thread != check.thread)
            return check.say(
                subscription,
                takes + "and so does '" + u.subscription +
                    "' on another thread - provide shared(x) if it is thread-safe, or per_thread(factory)");
    check.mutable_users.push_back({key, check.thread, subscription});
}

}  // namespace weir::detail
