#pragma once
#include <weir/dispatch/injection.hpp>
#include <weir/json/decode.hpp>
#include <weir/layer.hpp>

namespace weir {

/// The permanent coroutine of a slot whose handler is a task; made at the first message, destroyed with the slot.
struct slot_coroutine {
    struct promise_type : detail::promise_base {
        slot_coroutine get_return_object() noexcept {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

namespace detail {

/// Awaits a task that was started by hand.
template <class Task> class resumption {
public:
    explicit resumption(Task& child) noexcept : child_(child) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> parent) noexcept { child_.then(parent); }
    void await_resume() const noexcept {}

private:
    Task& child_;
};

/// The message objects of a slot, reused from call to call.
template <class T, bool Batch> struct message_store : message_store_base {
    T one{};
    json::scratch scratch;
};
template <class T> struct message_store<T, true> : message_store_base {
    std::vector<T> many;
    json::scratch scratch;
};
template <> struct message_store<bytes, false> : message_store_base {
    bytes one;
};
template <> struct message_store<bytes, true> : message_store_base {
    std::vector<bytes> many;
};

}  // namespace detail

/// The dispatch loop: a template over handler and layers only. For a plain handler it is a plain function, for a task
/// one permanent coroutine a slot; everything rare is in `slot`, which is compiled once.
template <class Handler, class Layers> class subscription final : public subscription_base {
    using C = detail::contract<Handler>;
    using T = typename C::message;
    using extras = detail::injected_of<C, typename C::extra_indices>;

public:
    subscription(std::string name, Handler handler, settings s, const Layers& l)
        : subscription_base(std::move(name), std::move(s)), handler_(std::move(handler)), layers_(l) {}

    std::unique_ptr<subscription_base> clone() const override {
        // Not make_unique: the owner of the base is instantiated once for all handlers, and this is compiled for each.
        auto* copy = new subscription(name(), handler_, settings_, layers_);
        std::unique_ptr<subscription_base> owner{copy};
        copy->take_from(*this);
        return owner;
    }
    void check(detail::start_check& c) const override { extras::check(c, *this); }
    bool overlaps() const noexcept override { return C::is_task; }

protected:
    std::unique_ptr<slot> make_slot(detail::services& provided, unsigned thread) override {
        return std::unique_ptr<slot>{new place(*this, detail::slot_setup{provided, port(), thread, prefix_})};
    }

private:
    class place final : public slot {
    public:
        place(subscription& s, const detail::slot_setup& setup)
            : slot(s, s.window(), s.port()),
              my_(s),
              extra_(extras::make(setup)),
              hook_states_(s.hooks.empty() ? nullptr
                                           : std::make_unique<layer_hook::state[]>(s.hooks.size())) {
            run = [](run_node* n) noexcept { static_cast<place*>(static_cast<slot*>(n))->drive(); };
            make_store();
            if constexpr (C::replies)
                reply_to_ = setup.port.table->open(setup.port.self, s.options().reply_to);
        }
        ~place() override { end_handler(); }

    private:
        enum class loaded : unsigned char { yes, skipped, waits };

        void drive() noexcept
            requires(!C::is_task)
        {
            if (waits && !resume_leaving()) return;
            while (next())
                if (!handle()) return;
        }
        void drive() noexcept
            requires(C::is_task)
        {
            if (!body_) {
                auto frame = forever(*this);
                body_ = frame.handle;
            }
            body_.resume();
        }
        static slot_coroutine forever(place& p)
            requires(C::is_task)
        {
            for (;;) {
                if (p.waits) {
                    const bool left = p.resume_leaving();
                    if (!left) {
                        co_await std::suspend_always{};
                        continue;
                    }
                }
                const bool got = p.next();
                if (!got) {
                    co_await std::suspend_always{};
                    continue;
                }
                typename C::returned work = p.begin();
                work.use_stop(p.stop);
                const bool at_once = work.start();
                if (!at_once) {
                    p.suspended();
                    p.in_handler = true;
                    detail::resumption<typename C::returned> rest{work};
                    co_await rest;
                    p.in_handler = false;
                    if (p.stop.stop_requested() && p.unsettled()) [[unlikely]] {
                        p.cut_short();
                        continue;
                    }
                }
                const bool left = p.conclude([&work]() -> decltype(auto) { return work.take(); });
                if (!left) co_await std::suspend_always{};
            }
        }

        /// The next message (or batch) is decoded and the layers have seen it. False: `run` comes again.
        bool next() noexcept {
            for (;;) {
                if (in.position == in.count && !next_window()) return false;
                const loaded l = load();
                if (l == loaded::yes) break;
                if (l == loaded::waits) return false;
            }
            if (hook_states_ != nullptr) [[unlikely]]
                for (std::size_t i = 0; i != my_.hooks.size(); ++i)
                    my_.hooks[i].before(my_.hooks[i].self.get(), view(), &hook_states_[i]);
            if constexpr (!Layers::none) brackets_.emplace(my_.layers_.enter_all(view()));
            return true;
        }
        [[gnu::always_inline]] loaded load() noexcept {
            if constexpr (C::batch) return gather();
            else {
                take(1);
                if constexpr (C::raw) store_->one = bytes{now->data, now->size};
                else {
                    store_->scratch.clear();
                    json::decode_failure why;
                    if (!json::decode(now->data, now->size, store_->one, store_->scratch, why)) [[unlikely]]
                        return refuse(why);
                }
                return loaded::yes;
            }
        }
        [[gnu::noinline]] loaded refuse(const json::decode_failure& why) noexcept {
            return undecodable(why.text()) ? loaded::skipped : loaded::waits;
        }
        /// As many records as there are, up to the first that does not decode; that one is settled alone when its turn
        /// comes.
        loaded gather() noexcept
            requires(C::batch)
        {
            const unsigned available = in.count - in.position;
            const record* first = in.records.get() + in.position;
            if constexpr (C::raw) {
                for (unsigned i = 0; i != available; ++i)
                    store_->many[i] = bytes{first[i].data, first[i].size};
                take(available);
            } else {
                store_->scratch.clear();
                json::decode_failure why;
                unsigned good = 0;
                while (good != available && json::decode(first[good].data, first[good].size,
                                                         store_->many[good], store_->scratch, why)) [[likely]]
                    ++good;
                if (good == 0) {
                    take(1);
                    return refuse(why);
                }
                take(good);
            }
            return loaded::yes;
        }

        bool handle() noexcept
            requires(!C::is_task)
        {
            return conclude([this]() -> decltype(auto) { return call(); });
        }
        /// Calls a task handler. A handler that is no coroutine itself may throw already here.
        typename C::returned begin()
            requires(C::is_task)
        {
            try {
                return call();
            } catch (...) {
                return failed_task<typename C::value>(std::current_exception());
            }
        }
        template <class V> [[noreturn]] static V no_value() { std::terminate(); }
        template <class V> static task<V> failed_task(std::exception_ptr why) {
            std::rethrow_exception(why);
            if constexpr (std::is_void_v<V>) co_return;
            else co_return no_value<V>();
        }

        /// `get` gives what the handler returned, or throws what it threw. False: the outbox waits.
        template <class Get> [[gnu::always_inline]] bool conclude(Get get) noexcept {
            using enum detail::verdict_form;
            bool threw = false;
            if constexpr (C::gives == nothing) {
                try {
                    get();
                } catch (...) {
                    note_exception();
                    threw = true;
                }
                if (threw) [[unlikely]]
                    return conclude_failure();
                return conclude_ack();
            } else if constexpr (C::gives == detail::verdict_form::outcome) {
                weir::outcome o = evaluate(get, threw);
                if (threw) [[unlikely]]
                    return conclude_failure();
                return conclude_with(std::move(o));
            } else if constexpr (C::replies) {
                weir::outcome o = evaluate_reply(get, threw);
                if (threw) [[unlikely]]
                    return conclude_failure();
                return conclude_with(std::move(o));
            } else if constexpr (C::gives == by_hand) {
                try {
                    settled proof = get();
                    static_cast<void>(proof);
                } catch (...) {
                    note_exception();
                    threw = true;
                }
                if (threw) [[unlikely]]
                    return conclude_failure();
                return conclude_by_hand();
            } else {
                std::vector<weir::outcome> each;
                try {
                    each = get();
                } catch (...) {
                    note_exception();
                    threw = true;
                }
                if (threw) [[unlikely]]
                    return conclude_failure();
                close_brackets_around_each(each);
                return settle(std::move(each));
            }
        }
        template <class Get> outcome evaluate(Get& get, bool& threw) noexcept {
            try {
                return get();
            } catch (...) {
                note_exception();
                threw = true;
            }
            return ack;
        }
        template <class Get> outcome evaluate_reply(Get& get, bool& threw) noexcept {
            try {
                auto value = get();
                if constexpr (C::gives == detail::verdict_form::reply_or_outcome) {
                    if (!value.has_value()) return std::move(value).error();
                    publish_reply(*value);
                } else publish_reply(value);
            } catch (...) {
                note_exception();
                threw = true;
            }
            return ack;
        }
        template <class Reply> void publish_reply(const Reply& value) {
            output encoded;
            detail::encode_message(encoded, value);
            publish(reply_to_, encoded);
        }

        [[gnu::always_inline]] bool conclude_ack() noexcept {
            if (!Layers::none || hook_states_ != nullptr) return conclude_with(ack);
            if constexpr (C::publishes)
                if (!nothing_to_publish()) return leave();
            keep_run();
            return true;
        }
        [[gnu::always_inline]] bool conclude_with(outcome o) noexcept {
            close_brackets(o);
            if (!o.plain_ack()) [[unlikely]]
                return settle(std::move(o), cause::verdict);
            if constexpr (C::publishes)
                if (!nothing_to_publish()) return leave();
            keep_run();
            return true;
        }
        [[gnu::noinline]] bool conclude_failure() noexcept {
            outcome o = take_failure();
            close_brackets(o);
            return settle_failure(std::move(o));
        }
        [[gnu::noinline]] void cut_short() noexcept {
            outcome o = retry;
            close_brackets(o);
            give_up();
        }
        bool conclude_by_hand() noexcept {
            outcome o = ack;
            close_brackets(o);  // they see an acknowledgement: the verdict itself has gone already
            return settled_by_hand ? finish_by_hand() : unsettled_by_hand();
        }
        void close_brackets(outcome& o) noexcept {
            if constexpr (!Layers::none) my_.layers_.leave_all(view(), *brackets_, o);
            if (hook_states_ != nullptr) [[unlikely]]
                for (std::size_t i = my_.hooks.size(); i-- != 0;)
                    my_.hooks[i].after(my_.hooks[i].self.get(), view(), &hook_states_[i], o);
        }
        /// Layers see one outcome for the batch: the first that is not an acknowledgement. They cannot replace those of the
        /// single messages.
        void close_brackets_around_each(const std::vector<outcome>& each) noexcept {
            outcome seen = ack;
            for (const outcome& o : each)
                if (o.what() != outcome::verdict::ack) {
                    seen = outcome{o.what()};
                    break;
                }
            close_brackets(seen);
        }

        incoming view() const noexcept { return {my_.name(), {now, taken}}; }

        decltype(auto) call() {
            return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
                return my_.handler_(argument(), detail::injector<typename C::template extra<I>>::get(
                                                    std::get<I>(extra_), *this)...);
            }(typename C::extra_indices{});
        }
        decltype(auto) argument() {
            if constexpr (C::batch) return std::span<const T>(store_->many.data(), taken);
            else if constexpr (C::manual) return delivery<T>{*this, store_->one};
            else if constexpr (C::raw) return bytes{store_->one};
            else if constexpr (C::by_value) return std::move(store_->one);
            else return std::as_const(store_->one);
        }

        void make_store() {
            store_ = new store;
            store_owner_.reset(store_);
            if constexpr (C::batch) store_->many.resize(my_.options().batch);
        }
        std::unique_ptr<detail::message_store_base> hand_over_message() override {
            std::unique_ptr<detail::message_store_base> old = std::move(store_owner_);
            make_store();
            return old;
        }
        void end_handler() noexcept override {
            if (body_) std::exchange(body_, {}).destroy();
        }

        using store = detail::message_store<T, C::batch>;
        subscription& my_;
        typename extras::type extra_;
        std::unique_ptr<detail::message_store_base> store_owner_;
        store* store_ = nullptr;
        [[no_unique_address]] std::optional<typename Layers::state> brackets_;
        std::unique_ptr<layer_hook::state[]> hook_states_;
        std::coroutine_handle<> body_{};
        void* reply_to_ = nullptr;
    };

    [[no_unique_address]] Handler handler_;
    [[no_unique_address]] Layers layers_;
};

}  // namespace weir
