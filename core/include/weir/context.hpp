#pragma once
#include <weir/dispatch/slot.hpp>
#include <weir/payload/bytes.hpp>

#include <optional>
#include <string>

namespace weir {

namespace detail {
inline const headers no_headers{};
}

/// What is known of a delivery beside its message. Read on demand, so asking for it costs nothing; valid as long as the
/// handler runs. In a batch it describes the first message.
class context {
public:
    context() = default;
    explicit context(const slot& of) noexcept : of_(&of) {}

    std::string_view subscription() const noexcept { return of_->in.subscription(); }
    /// 1 for the first delivery; brokers that do not count always say 1.
    unsigned attempt() const noexcept { return std::max(of_->now->attempt, 1u); }
    const weir::headers& headers() const noexcept {
        return of_->now->head != nullptr ? *of_->now->head : detail::no_headers;
    }
    bytes payload() const noexcept { return {of_->now->data, of_->now->size}; }
    /// The broker's own name of this message, for logs.
    std::string describe() const { return of_->in.from.table->describe(of_->in.from.self, *of_->now); }
    /// Empty: the message has none, or the broker knows no keys.
    std::string_view partition_key() const noexcept {
        const feed& f = of_->in.from;
        return f.table->partition_key != nullptr ? f.table->partition_key(f.self, *of_->now)
                                                 : std::string_view{};
    }
    /// When it was published, where the broker says so.
    std::optional<std::chrono::system_clock::time_point> published() const noexcept {
        if (of_->now->published == 0) return std::nullopt;
        return std::chrono::system_clock::time_point{
            std::chrono::duration_cast<std::chrono::system_clock::duration>(nanos{of_->now->published})};
    }

private:
    const slot* of_ = nullptr;
};

}  // namespace weir
