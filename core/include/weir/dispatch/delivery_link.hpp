#pragma once
#include <weir/outcome.hpp>

namespace weir {

class slot;

namespace detail {

/// The tie between a `delivery<T>` and the slot that handles it; each knows where the other is, so that a delivery which
/// is kept for too long answers with an error instead of touching a message that is gone.
class delivery_link {
public:
    explicit delivery_link(slot& s) noexcept;
    delivery_link(delivery_link&& o) noexcept;
    delivery_link& operator=(delivery_link&&) = delete;
    ~delivery_link();
    /// Throws weir::error (misuse) if there is nothing to settle any more.
    void settle(outcome&& o);
    void expire() noexcept { slot_ = nullptr; }
    slot* where() const noexcept { return slot_; }

private:
    slot* slot_;
};

}  // namespace detail
}  // namespace weir
