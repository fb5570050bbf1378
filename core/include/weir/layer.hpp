#pragma once
#include <weir/broker/record.hpp>
#include <weir/dispatch/nothing.hpp>
#include <weir/outcome.hpp>
#include <weir/payload/bytes.hpp>

#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace weir {

/// What a layer sees of the call that is about to be made: one message, or the messages of a batch.
class incoming {
public:
    incoming(std::string_view subscription, std::span<const record> records) noexcept
        : subscription_(subscription), records_(records) {}
    std::string_view subscription() const noexcept { return subscription_; }
    std::size_t size() const noexcept { return records_.size(); }
    bytes payload(std::size_t i = 0) const noexcept { return {records_[i].data, records_[i].size}; }
    /// 1 for the first delivery; brokers that do not count always say 1.
    unsigned attempt(std::size_t i = 0) const noexcept {
        return records_[i].attempt != 0 ? records_[i].attempt : 1;
    }
    /// Null: none.
    const headers* head(std::size_t i = 0) const noexcept { return records_[i].head; }

private:
    std::string_view subscription_;
    std::span<const record> records_;
};

namespace detail {

template <class L>
concept keeps_state = !std::is_void_v<decltype(std::declval<L&>().before(std::declval<const incoming&>()))>;

template <class L> struct bracket_state {
    using type = decltype(std::declval<L&>().before(std::declval<const incoming&>()));
};
template <class L>
    requires(!keeps_state<L>)
struct bracket_state<L> {
    using type = nothing;
};

template <class L> auto enter(L& layer, const incoming& in) {
    if constexpr (keeps_state<L>) return layer.before(in);
    else {
        layer.before(in);
        return nothing{};
    }
}
template <class L>
void leave(L& layer, const incoming& in, typename bracket_state<L>::type& state, outcome& o) {
    if constexpr (keeps_state<L>) layer.after(in, state, o);
    else layer.after(in, o);
}

}  // namespace detail

/// A layer is a bracket around the handler: `before(in)` may return something that `after(in, it, outcome)` gets back, and
/// `after` may replace the outcome. It wraps plain functions and tasks, single messages, batches and bytes alike,
/// because the dispatch loop awaits between the two. Neither may throw.
template <class L>
concept bracket =
    requires(L& layer, const incoming& in, outcome& o, typename detail::bracket_state<L>::type& state) {
        detail::enter(layer, in);
        detail::leave(layer, in, state, o);
    };

/// Layers of one router, the first one outermost; composed at compile time, so an empty list costs nothing.
template <class... L> struct layers {
    std::tuple<L...> each;
    using state = std::tuple<typename detail::bracket_state<L>::type...>;
    static constexpr bool none = sizeof...(L) == 0;

    state enter_all(const incoming& in) {
        return std::apply([&](L&... l) { return state{detail::enter(l, in)...}; }, each);
    }
    void leave_all(const incoming& in, state& s, outcome& o) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::leave(std::get<sizeof...(L) - 1 - I>(each), in, std::get<sizeof...(L) - 1 - I>(s), o),
             ...);
        }(std::index_sequence_for<L...>{});
    }
};

/// The same bracket behind two function pointers: what the layers of an outer router are on one that was included.
struct layer_hook {
    struct alignas(std::max_align_t) state {
        std::byte raw[16];
    };
    std::shared_ptr<void> self;
    void (*before)(void*, const incoming&, void* state);
    void (*after)(void*, const incoming&, void* state, outcome&);

    template <class L> static layer_hook of(const L& layer) {
        using S = typename detail::bracket_state<L>::type;
        static_assert(
            sizeof(S) <= sizeof(state) && std::is_trivially_destructible_v<S>,
            "weir: a layer used on an included router keeps at most 16 plain bytes between before and after");
        return {
            std::make_shared<L>(layer),
            [](void* l, const incoming& in, void* s) { ::new (s) S(detail::enter(*static_cast<L*>(l), in)); },
            [](void* l, const incoming& in, void* s, outcome& o) {
                detail::leave(*static_cast<L*>(l), in, *static_cast<S*>(s), o);
            }};
    }
};

}  // namespace weir
