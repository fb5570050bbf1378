#pragma once
#include <weir/broker/concepts.hpp>
#include <weir/broker/in_process.hpp>
#include <weir/dispatch/check.hpp>
#include <weir/dispatch/subscription.hpp>

#include <memory>
#include <string>

namespace weir {

namespace detail {

/// Opens a subscription through its descriptor; set where one was given, by the code that knows its type.
struct described_source {
    std::shared_ptr<const void> descriptor;
    task<feed> (*open)(void* connection, const void* descriptor, const subscribe_request&) = nullptr;
    routed_subscription (*route)(const void* descriptor) = nullptr;

    template <class D> static described_source of(const D& d) {
        return {std::make_shared<const D>(d),
                [](void* connection, const void* held, const subscribe_request& r) {
                    auto& c = *static_cast<typename D::broker::connection*>(connection);
                    return c.subscribe(*static_cast<const D*>(held), r);
                },
                [](const void* held) {
                    return in_process_routes<typename D::broker>::of(*static_cast<const D*>(held));
                }};
    }
};

/// A subscription that has been written, and where it comes from.
struct mounted {
    std::unique_ptr<subscription_base> what;
    described_source from;
    mounted copy() const { return {what->clone(), from}; }
};

/// `subscribe` for everything that has layers and a place to put subscriptions.
template <class Self, class Broker, class Layers> class subscribing {
public:
    /// Mounts `handler` on a name, a topic or a descriptor of the broker. Its signature says what it takes and gives;
    /// options follow in any order. Mistakes are compile errors of one sentence; what only run time can know is said by
    /// start().
    template <class Where, class Handler, class... O>
    Self& subscribe(const Where& where, Handler handler, const O&... options) {
        using named = std::conditional_t<name_like<Where>, std::string_view, Where>;
        Self& self = static_cast<Self&>(*this);
        if constexpr (accepted<false, Broker, named, Handler, O...>()) {
            settings set;
            ((options.apply(set), set.needs |= O::needs), ...);
            const named& at = where;
            described_source from;
            if constexpr (descriptor<Where>) from = described_source::of(where);
            std::unique_ptr<subscription_base> written{new subscription<Handler, Layers>(
                std::string{target<named>::name(at)}, std::move(handler), std::move(set), self.layers_)};
            self.add({std::move(written), std::move(from)});
        }
        return self;
    }
};

}  // namespace detail

/// A value that collects subscriptions: written once, mounted on any number of brokers. `router{"prefix."}` is
/// broker-neutral, `router<pulsar::broker>` may use that broker's own descriptors and contexts. The prefix applies to every name that the
/// router's handlers state: what they subscribe to, publish to, reply to, and their dead letters.
template <class Broker = neutral, class... L>
class router : public detail::subscribing<router<Broker, L...>, Broker, layers<L...>> {
public:
    router() = default;
    explicit router(std::string_view prefix) : prefix_(prefix) {}
    router(router&&) noexcept = default;
    router& operator=(router&&) noexcept = default;
    router(const router& o) : prefix_(o.prefix_), layers_(o.layers_) {
        for (const detail::mounted& m : o.all_) all_.push_back(m.copy());
    }

    /// Adds a layer inside the ones there are. Every subscription gets a copy of it, so what copies are to share stands behind a
    /// pointer. A new type, so write it before the first subscribe:
    /// `auto r = router{"p."}.layer(a).layer(b)`.
    template <bracket New> router<Broker, L..., New> layer(New added) && {
        if (!all_.empty()) throw error(errc::misuse, "weir: write layers before the first subscribe");
        router<Broker, L..., New> wider(prefix_);
        wider.layers_.each = std::tuple_cat(std::move(layers_.each), std::tuple<New>(std::move(added)));
        return wider;
    }
    template <class New, bool No = false> void layer(New&&) & {
        static_assert(
            No, "weir: write layers before the first subscribe: auto r = router{\"p.\"}.layer(a).layer(b)");
    }
    /// Copies the subscriptions of `inner`; this router's layers go around them as run-time hooks.
    template <class B, class... M> router& include(const router<B, M...>& inner) {
        static_assert(std::is_same_v<B, neutral> || std::is_same_v<B, Broker>,
                      "weir: this router was written for another broker - include it there, or write "
                      "router{\"prefix.\"} without a broker");
        for (const detail::mounted& m : inner.all_) {
            detail::mounted copy = m.copy();
            std::vector<layer_hook> around;
            std::apply([&](const L&... l) { (around.push_back(layer_hook::of(l)), ...); }, layers_.each);
            copy.what->hooks.insert(copy.what->hooks.begin(), around.begin(), around.end());
            add(std::move(copy));
        }
        return *this;
    }

private:
    template <class, class...> friend class router;
    template <class> friend class attached;
    template <class, class, class> friend class detail::subscribing;
    void add(detail::mounted m) {
        m.what->prefix(prefix_);
        all_.push_back(std::move(m));
    }
    std::string prefix_;
    [[no_unique_address]] layers<L...> layers_;
    std::vector<detail::mounted> all_;
};
router(const char*) -> router<>;
router(std::string_view) -> router<>;
router() -> router<>;

}  // namespace weir
