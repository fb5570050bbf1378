#pragma once
#include <weir/runtime/clock.hpp>
#include <weir/runtime/task.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace weir {

/// What becomes of a delivery. Sixteen bytes; owns its text when it was made from a std::string, a literal costs
/// nothing. Made with the words `ack`, `retry`, `discard` and the functions `retry_in`, `reject`.
class [[nodiscard]] outcome {
public:
    enum class verdict : unsigned char { ack, retry, reject, discard };

    constexpr explicit outcome(verdict v, nanos delay = nanos{-1}) noexcept
        : verdict_(v), delay_(delay.count()) {}
    constexpr outcome(verdict v, const char* literal, std::size_t size) noexcept
        : verdict_(v), form_(form::literal), length_(static_cast<std::uint32_t>(size)), literal_(literal) {}
    outcome(verdict v, std::string text);
    constexpr outcome(outcome&& o) noexcept
        : verdict_(o.verdict_), form_(std::exchange(o.form_, form::plain)), length_(o.length_), delay_(0) {
        take_payload(o);
    }
    constexpr outcome& operator=(outcome&& o) noexcept {
        if (this != &o) {
            if (form_ == form::extended) [[unlikely]]
                drop();
            verdict_ = o.verdict_;
            form_ = std::exchange(o.form_, form::plain);
            length_ = o.length_;
            take_payload(o);
        }
        return *this;
    }
    constexpr ~outcome() {
        if (form_ == form::extended) [[unlikely]]
            drop();
    }

    constexpr verdict what() const noexcept { return verdict_; }
    /// An acknowledgement with nothing to do afterwards: what nearly every message ends with.
    constexpr bool plain_ack() const noexcept { return verdict_ == verdict::ack && form_ == form::plain; }
    /// How long to wait at least before the next attempt; negative where the backoff of the subscription decides.
    nanos delay() const noexcept;
    /// The reason given to `reject`; lives as long as the outcome.
    std::string_view why() const noexcept;

    /// `next` starts after the delivery has been settled, whatever the verdict, at most once; message and payload live
    /// until it ends. A second call replaces the first. Its failure is logged and settles nothing.
    outcome then(task<void> next) &&;
    bool has_continuation() const noexcept;
    task<void> take_continuation();

private:
    enum class form : unsigned char { plain, literal, extended };
    struct extension {
        std::string text;
        nanos delay{};
        task<void> next;
    };
    constexpr void take_payload(outcome& o) noexcept {
        if (form_ == form::literal) literal_ = o.literal_;
        else if (form_ == form::extended) more_ = o.more_;
        else delay_ = o.delay_;
    }
    void drop() noexcept;

    verdict verdict_;
    form form_ = form::plain;
    std::uint32_t length_ = 0;
    union {
        std::int64_t delay_;
        const char* literal_;
        extension* more_;
    };
};

namespace detail {
/// A word rather than an object, so that `return weir::ack;` works although outcomes cannot be copied.
struct outcome_word {
    outcome::verdict what;
    constexpr operator outcome() const noexcept { return outcome{what}; }
    outcome then(task<void> next) const { return outcome{what}.then(std::move(next)); }
};
}  // namespace detail

/// The message is done with.
inline constexpr detail::outcome_word ack{outcome::verdict::ack};
/// Deliver it again, after the backoff of the subscription's `retries`.
inline constexpr detail::outcome_word retry{outcome::verdict::retry};
/// Drop it; it never becomes a dead letter.
inline constexpr detail::outcome_word discard{outcome::verdict::discard};
/// Deliver it again, not sooner than `delay` from now.
constexpr outcome retry_in(nanos delay) noexcept { return outcome{outcome::verdict::retry, delay}; }
/// Hopeless: to the declared dead letter with this reason, else to the broker's own rules.
template <std::size_t N> constexpr outcome reject(const char (&why)[N]) noexcept {
    return {outcome::verdict::reject, why, N - 1};
}
inline outcome reject(std::string why) { return {outcome::verdict::reject, std::move(why)}; }

}  // namespace weir
