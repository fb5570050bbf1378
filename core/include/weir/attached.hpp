#pragma once
#include <weir/memory/broker.hpp>
#include <weir/publisher.hpp>
#include <weir/router.hpp>

namespace weir {

namespace detail {

/// A broker in use, as the application sees it: whatever its type.
class attached_base {
public:
    explicit attached_base(std::string_view scheme) : publishing_(std::make_shared<publishing_state>()) {
        publishing_->broker = scheme;
    }
    attached_base(const attached_base&) = delete;
    attached_base& operator=(const attached_base&) = delete;
    virtual ~attached_base() = default;

    virtual std::string_view scheme() const noexcept = 0;
    virtual task<void> connect(connect_context c) = 0;
    /// Queues of this process in place of the server. False: the broker has no server, connect it.
    virtual bool connect_in_process(connect_context c) = 0;
    virtual task<feed> open(const mounted& m, const subscribe_request& r) = 0;
    virtual publish_port port() = 0;
    virtual task<void> shutdown() = 0;
    virtual void disconnect() noexcept = 0;

    /// From now on nothing can be mounted.
    void seal() noexcept { sealed_ = true; }
    const std::vector<mounted>& all() const noexcept { return all_; }
    const std::shared_ptr<publishing_state>& publishing() const noexcept { return publishing_; }

protected:
    void mount(mounted m);

private:
    std::vector<mounted> all_;
    std::shared_ptr<publishing_state> publishing_;
    bool sealed_ = false;
};

}  // namespace detail

/// What `app.use(broker)` returns: a broker of the application, at an address that stays. Subscribe on it before the
/// start; afterwards it refuses with weir::error (misuse).
template <class Broker>
class attached final : public detail::attached_base,
                       public detail::subscribing<attached<Broker>, Broker, layers<>> {
public:
    explicit attached(Broker b) : attached_base(Broker::scheme), broker_(std::move(b)) {}

    /// Copies the subscriptions of a router. One that asks for what this broker cannot do is refused with weir::error
    /// (misuse).
    template <bool No = false, class B, class... M> attached& include(const router<B, M...>& r) {
        constexpr bool fits = std::is_same_v<B, neutral> || std::is_same_v<B, Broker>;
        static_assert(fits || No,
                      "weir: this router was written for another broker - include it there, or write "
                      "router{\"prefix.\"} without a broker");
        if constexpr (fits)
            for (const detail::mounted& m : r.all_) {
                if ((m.what->options().needs & ~Broker::capabilities) != 0)
                    throw error(errc::misuse,
                                "weir: subscription '" + m.what->name() +
                                    "' has an option that asks for what " + std::string{Broker::scheme} +
                                    " cannot do - remove it, or use a broker that has the capability");
                add(m.copy());
            }
        return *this;
    }

    /// A publisher for any thread; see its own rules for before and after the run.
    weir::publisher publisher() const noexcept { return weir::publisher{publishing()}; }
    /// The live connection, between start and shutdown; its members say on which threads they may be called. Not where an
    /// in-process form stands in for it.
    typename Broker::connection& connection() noexcept { return *connection_; }

private:
    template <class, class, class> friend class detail::subscribing;
    void add(detail::mounted m) { mount(std::move(m)); }

    std::string_view scheme() const noexcept override { return Broker::scheme; }
    task<void> connect(connect_context c) override {
        auto connecting = std::move(broker_).connect(c);
        connection_ = co_await std::move(connecting);
    }
    bool connect_in_process(connect_context c) override {
        if constexpr (std::is_same_v<Broker, memory::broker>) return false;
        stand_in_ = std::make_unique<memory::connection>(memory::options{}, c.log,
                                                         &in_process_routes<Broker>::reaches);
        return true;
    }
    task<feed> open(const detail::mounted& m, const subscribe_request& r) override {
        if (stand_in_) return open_in_process(m, r);
        if (m.from.open != nullptr) return m.from.open(connection_.get(), m.from.descriptor.get(), r);
        return connection_->subscribe(r);
    }
    task<feed> open_in_process(const detail::mounted& m, const subscribe_request& r) {
        routed_subscription s{};
        if (m.from.route != nullptr) s = m.from.route(m.from.descriptor.get());
        s.name = r.name;
        return stand_in_->subscribe(s, r);
    }
    publish_port port() override { return stand_in_ ? stand_in_->publishes() : connection_->publishes(); }
    task<void> shutdown() override {
        return stand_in_ ? std::move(*stand_in_).shutdown() : std::move(*connection_).shutdown();
    }
    void disconnect() noexcept override {
        connection_.reset();
        stand_in_.reset();
    }

    Broker broker_;
    std::unique_ptr<memory::connection> stand_in_;
    std::unique_ptr<typename Broker::connection> connection_;
    [[no_unique_address]] layers<> layers_;
};

}  // namespace weir
