#pragma once
#include <weir/dispatch/slot.hpp>
#include <weir/json/encode.hpp>
#include <weir/payload/bytes.hpp>
#include <weir/topic.hpp>

namespace weir {

namespace detail {
/// Writes a message as its topic's type says: raw bytes as they are, all else as JSON.
template <class T> void encode_message(output& to, const T& message) {
    if constexpr (std::is_same_v<T, bytes>) to.append(message.text());
    else json::encode(to, message);
}
}  // namespace detail

/// Where a handler publishes: a parameter `out<topics::invoices> invoices`. `publish` encodes at the call and keeps nothing of
/// its arguments; the message leaves before the input is acknowledged, and not at all if the handler fails. Throws weir::error
/// when the message cannot be encoded or the outbox of the delivery is full.
template <const auto& Topic> class out {
public:
    using message = typename std::remove_cvref_t<decltype(Topic)>::message;
    out(slot& from, void* destination) noexcept : from_(&from), destination_(destination) {}

    void publish(const message& m) {
        output encoded;
        detail::encode_message(encoded, m);
        from_->publish(destination_, encoded);
    }
    void publish(const message& m, const headers& h) {
        output encoded;
        encoded.head() = h;
        detail::encode_message(encoded, m);
        from_->publish(destination_, encoded);
    }

private:
    slot* from_;
    void* destination_;
};

}  // namespace weir
