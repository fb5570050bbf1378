#pragma once
#include <weir/context.hpp>
#include <weir/dispatch/delivery_link.hpp>

namespace weir {

/// Proof that a delivery has been settled. Only the verbs of `delivery` make one, so a handler that returns it cannot
/// forget to settle on any path.
class [[nodiscard]] settled {
public:
    settled(settled&&) noexcept = default;
    settled& operator=(settled&&) noexcept = default;

private:
    template <class> friend class delivery;
    settled() = default;
};

/// A message whose handler settles it by hand, at a moment of its choice. Move-only; every verb consumes it and acts at
/// the call (after what the handler has published, if it has). What is thrown later is logged and settles nothing.
/// Publishing after a verb throws weir::error (misuse). The message lives until the handler ends, also after a verb. When
/// the drain's deadline has passed, no verb settles any more and the message stays with the broker.
template <class T> class delivery {
public:
    delivery(slot& s, const T& message) noexcept : link_(s), message_(&message), context_(s) {}
    delivery(delivery&&) noexcept = default;
    delivery& operator=(delivery&&) = delete;

    const T& message() const& noexcept { return *message_; }
    const T& operator*() const& noexcept { return *message_; }
    const T* operator->() const& noexcept { return message_; }
    const weir::context& context() const noexcept { return context_; }
    const weir::headers& headers() const noexcept { return context_.headers(); }

    settled ack() && { return settle(outcome{outcome::verdict::ack}); }
    /// Again, after the backoff of the subscription.
    settled retry() && { return settle(outcome{outcome::verdict::retry}); }
    /// Again, not sooner than `delay` from now.
    settled retry_in(nanos delay) && { return settle(weir::retry_in(delay)); }
    settled reject(std::string why) && { return settle(weir::reject(std::move(why))); }
    settled discard() && { return settle(outcome{outcome::verdict::discard}); }

private:
    settled settle(outcome&& o) {
        link_.settle(std::move(o));
        return {};
    }
    detail::delivery_link link_;
    const T* message_;
    weir::context context_;
};

}  // namespace weir
