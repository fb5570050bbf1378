#include <weir/retries.hpp>

#include <algorithm>

namespace weir {

nanos backoff_policy::after(unsigned attempt, std::uint64_t random) const noexcept {
    if (!grows) return first;
    const unsigned doublings = std::min(attempt == 0 ? 0u : attempt - 1, 62u);
    std::int64_t most = first.count();
    for (unsigned i = 0; i != doublings && most < cap.count(); ++i)
        most = most > cap.count() / 2 ? cap.count() : most * 2;  // never past the cap, so never past the type
    most = std::min(most, cap.count());
    if (most <= 0) return {};
    return nanos{static_cast<std::int64_t>(random % (static_cast<std::uint64_t>(most) + 1))};
}

}  // namespace weir
