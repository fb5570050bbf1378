#include <weir/attached.hpp>

namespace weir::detail {

void attached_base::mount(mounted m) {
    if (sealed_)
        throw error(errc::misuse,
                    "weir: subscription '" + m.what->name() +
                        "' comes after the start - subscribe before start(), run() or run_until()");
    all_.push_back(std::move(m));
}

}  // namespace weir::detail
