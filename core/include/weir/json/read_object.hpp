#pragma once
#include "weir/json/read.hpp"
#include "weir/json/reset.hpp"

#include <bit>

namespace weir::json::detail {

/// The bytes `"name":`, as compact documents have them.
template <class T, std::size_t I> struct key_text {
    static constexpr std::string_view name = reflect::member_names<T>[I];
    static constexpr std::size_t size = name.size() + 3;
    struct bytes {
        char of[size];
    };
    static constexpr bytes text = [] {
        bytes t{};
        t.of[0] = '"';
        for (std::size_t i = 0; i < name.size(); ++i) t.of[i + 1] = name[i];
        t.of[size - 2] = '"';
        t.of[size - 1] = ':';
        return t;
    }();
};

template <class Kernel, class T>
const char* read_member(reader<Kernel>& in, const char* p, void* object, unsigned index) {
    const auto members = reflect::tie(*static_cast<T*>(object));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (void)((I == index ? (p = read(in, p, reflect::get<I>(members)), true) : false) || ...);
    }(std::make_index_sequence<reflect::member_count<T>>{});
    return p;
}

/// What an absent member becomes: empty if it may be absent, its default if that is wanted, else nothing.
template <class T> [[gnu::cold]] bool absent_member(void* object, unsigned index, bool keep_default) {
    const auto members = reflect::tie(*static_cast<T*>(object));
    bool allowed = false;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] const auto leave_out = [&](auto& member, auto position) {
            using member_type = std::remove_reference_t<decltype(member)>;
            if (keep_default || keeps_defaults<T>) {
                if constexpr (std::is_default_constructible_v<T> && std::is_move_assignable_v<member_type>) {
                    T defaults{};
                    member = std::move(reflect::get<position()>(reflect::tie(defaults)));
                } else {
                    reset(member);
                }
                allowed = true;
            } else {
                reset(member);
                allowed = may_be_absent<member_type>;
            }
        };
        (void)((I == index
                    ? (leave_out(reflect::get<I>(members), std::integral_constant<std::size_t, I>{}), true)
                    : false) ||
               ...);
    }(std::make_index_sequence<reflect::member_count<T>>{});
    return allowed;
}

template <class Kernel, class T> struct table_of {
    static constexpr std::size_t count = reflect::member_count<T>;
    static_assert(count <= reflect::most_members,
                  "weir: a message has at most 64 members - group some in nested structs");
    static constexpr std::size_t size = std::bit_ceil(count * 2 + 1);

    static constexpr std::array<name_entry, count> names = [] {
        std::array<name_entry, count> all{};
        for (std::size_t i = 0; i < count; ++i) all[i] = name_entry{reflect::member_names<T>[i]};
        return all;
    }();
    static constexpr std::array<std::uint8_t, size> slots = [] {
        std::array<std::uint8_t, size> all{};
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t at = name_entry::hash(names[i].head, names[i].name.size());
            while (all[at % size] != 0) ++at;
            all[at % size] = static_cast<std::uint8_t>(i + 1);
        }
        return all;
    }();
    static constexpr std::uint64_t lengths = [] {
        std::uint64_t all = 0;
        for (std::string_view name : reflect::member_names<T>) all |= std::uint64_t{1} << name.size() % 64;
        return all;
    }();
    static constexpr object_table<Kernel> value{
        names.data(),     static_cast<unsigned>(count),    lengths,
        slots.data(),     static_cast<unsigned>(size - 1), &read_member<Kernel, T>,
        &absent_member<T>};
};

/// Compact documents that have the declared members first and in order cost one compare a key. As soon as
/// something else stands there, the general way takes over.
template <class Kernel, class T> struct straight_reader {
    using place = typename reader<Kernel>::place;
    static constexpr std::size_t count = reflect::member_count<T>;
    static constexpr bool inlined = count <= 16;  // long structs rather stay small

    const char* p;
    place at = place::first_key;
    std::uint64_t seen = 0;
    bool closed = false;

    /// True to go on with the next member.
    template <std::size_t I, class M> [[gnu::always_inline]] bool step(reader<Kernel>& in, M& member) {
        using key = key_text<T, I>;
        if constexpr (key::size > 64)
            return false;  // the zeros behind a document are not enough to compare with
        else {
            const char* q = p + key::size;
            if (std::memcmp(p, key::text.of, key::size) != 0) [[unlikely]] {
                q = reader_base::skip_space_slow(p);
                if (q == p || std::memcmp(q, key::text.of, key::size) != 0) return false;
                q += key::size;
            }
            if constexpr (inlined && category_of<M>() == category::integer)
                q = read_integer_inline(in, q, member);
            else q = read(in, q, member);
            if (q == nullptr) [[unlikely]] {
                p = in.within(key::name);
                return false;
            }
            seen = seen << 1 | 1;
            p = q;
            if (*q == (I + 1 < count ? ',' : '}')) [[likely]] {
                ++p;
                at = place::key;
                closed = I + 1 == count;
                return true;
            }
            at = place::behind_value;
            return false;
        }
    }
};

template <class Kernel, class T> const char* read_object(reader<Kernel>& in, const char* p, T& out) {
    p = enter(in, p, '{');
    if (p == nullptr) [[unlikely]]
        return nullptr;
    straight_reader<Kernel, T> straight{p};
    const auto members = reflect::tie(out);
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        (void)(straight.template step<I>(in, reflect::get<I>(members)) && ...);
    }(std::make_index_sequence<reflect::member_count<T>>{});
    p = straight.p;
    if (!straight.closed) [[unlikely]] {
        if (p == nullptr) return nullptr;
        p = in.object(p, straight.at, std::addressof(out), table_of<Kernel, T>::value, straight.seen);
        if (p == nullptr) return nullptr;
    }
    in.leave();
    return p;
}

}  // namespace weir::json::detail
