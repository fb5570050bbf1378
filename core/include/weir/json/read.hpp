#pragma once
#include "weir/json/read_scalar.hpp"

// Reading of values and containers; objects of plain structs are in read_object.hpp.

namespace weir::json::detail {

template <class Kernel, class T> const char* read(reader<Kernel>& in, const char* p, T& out);
template <class Kernel, class T> const char* read_object(reader<Kernel>& in, const char* p, T& out);

/// Behind the opening bracket, one level deeper.
inline const char* enter(reader_base& in, const char* p, char bracket) {
    p = *p == bracket ? p + 1 : in.open(p, bracket);
    if (p != nullptr && !in.enter()) [[unlikely]]
        return in.fail(reason::too_deep, p - 1);
    return p;
}

/// Calls element(place, index), which returns the place behind it, for every element of the array at `p`.
template <class F> const char* read_elements(reader_base& in, const char* p, F&& element) {
    p = enter(in, p, '[');
    if (p == nullptr) return nullptr;
    p = reader_base::skip_space(p);
    bool closed = *p == ']';
    if (closed) ++p;
    for (std::size_t n = 0; !closed; ++n) {
        p = element(p, n);
        if (p == nullptr) [[unlikely]]
            return nullptr;
        if (*p == ',') ++p;
        else if (*p == ']') ++p, closed = true;
        else if ((p = in.next_element(p, closed)) == nullptr) return nullptr;
    }
    in.leave();
    return p;
}

/// Elements that are there already are read over, so that their strings and lists keep their room.
template <class Kernel, class T> const char* read_list(reader<Kernel>& in, const char* p, T& out) {
    std::size_t size = 0;
    p = read_elements(in, p, [&](const char* at, std::size_t n) -> const char* {
        if (n == out.size()) out.emplace_back();
        size = n + 1;
        const char* after;
        if constexpr (std::is_same_v<decltype(out[n]), typename T::value_type&>) {
            after = read(in, at, out[n]);
        } else {  // the elements of std::vector<bool> are no objects
            typename T::value_type value{};
            after = read(in, at, value);
            out[n] = value;
        }
        return after != nullptr ? after : in.within(n);
    });
    if (p != nullptr) out.resize(size);
    return p;
}

template <class Kernel, class T> const char* read_array(reader<Kernel>& in, const char* p, T& out) {
    const auto most = static_cast<std::size_t>(std::end(out) - std::begin(out));
    std::size_t size = 0;
    const char* const after = read_elements(in, p, [&](const char* at, std::size_t n) -> const char* {
        if (n == most) return in.fail(reason::wrong_count, reader_base::skip_space(at));
        size = n + 1;
        at = read(in, at, out[n]);
        return at != nullptr ? at : in.within(n);
    });
    return after == nullptr || size == most ? after : in.fail(reason::wrong_count, after - 1);
}

template <class Kernel, class T> const char* read_tuple(reader<Kernel>& in, const char* p, T& out) {
    constexpr std::size_t most = std::tuple_size_v<T>;
    std::size_t size = 0;
    const char* const after = read_elements(in, p, [&](const char* at, std::size_t n) -> const char* {
        if (n == most) return in.fail(reason::wrong_count, reader_base::skip_space(at));
        size = n + 1;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            using std::get;
            (void)((I == n ? (at = read(in, at, get<I>(out)), true) : false) || ...);
        }(std::make_index_sequence<most>{});
        return at != nullptr ? at : in.within(n);
    });
    return after == nullptr || size == most ? after : in.fail(reason::wrong_count, after - 1);
}

/// A key and its colon. Keys that are numbers or enumerators stand there as text.
template <class Kernel, class Key> const char* read_key(reader<Kernel>& in, const char* p, Key& out) {
    constexpr category c = category_of<Key>();
    static_assert(
        c == category::text || c == category::view || c == category::integer || c == category::enumeration,
        "weir: the keys of a map in a message are std::string, std::string_view, integers or enumerations");
    if constexpr (c == category::text || c == category::view) {
        return in.key(p, out);
    } else if constexpr (c != category::integer && c != category::enumeration) {
        return nullptr;  // refused above: one sentence is enough
    } else {
        std::string_view text;
        const char* const after = in.key(p, text);
        if (after == nullptr) return nullptr;
        if constexpr (c == category::integer || as_number<Key>) {
            // Something that is no digit stands behind every text.
            std::conditional_t<c == category::integer, std::type_identity<Key>, std::underlying_type<Key>>
                number_type;
            typename decltype(number_type)::type number{};
            if (!text.empty() && !reader_base::is_space(text[0]) &&
                read_integer(in, text.data(), number) == text.data() + text.size()) {
                out = static_cast<Key>(number);
                return after;
            }
        } else {
            for (const auto& e : reflect::enumerators<Key>)
                if (e.name == text) {
                    out = e.value;
                    return after;
                }
        }
        in.forget_failure();
        in.fail(reason::invalid_key, reader_base::skip_space(p));
        return in.within(text);
    }
}

/// Keys in any order. Up to eight nodes of the previous message are used again, with the room of their
/// strings.
template <class Kernel, class T> const char* read_map(reader<Kernel>& in, const char* p, T& out) {
    typename T::node_type spare[8];
    std::size_t spares = 0;
    while (spares < std::size(spare) && !out.empty()) spare[spares++] = out.extract(out.begin());
    out.clear();
    p = enter(in, p, '{');
    if (p == nullptr) return nullptr;
    p = reader_base::skip_space(p);
    bool closed = *p == '}';
    if (closed) ++p;
    while (!closed) {
        const char* const key_at = p;
        typename T::iterator at;
        bool added;
        if (spares != 0) {
            p = read_key(in, p, spare[spares - 1].key());
            if (p == nullptr) return nullptr;
            auto result = out.insert(std::move(spare[spares - 1]));
            at = result.position;
            added = result.inserted;
            if (added) --spares;
            else spare[spares - 1] = std::move(result.node);
        } else {
            typename T::key_type key{};
            p = read_key(in, p, key);
            if (p == nullptr) return nullptr;
            std::tie(at, added) = out.try_emplace(std::move(key));
        }
        const char* after = added || in.rules().duplicate == duplicate_members::last_wins
                                ? read(in, p, at->second)
                                : in.fail(reason::duplicate_member, reader_base::skip_space(key_at));
        if (after == nullptr) [[unlikely]] {
            std::string_view name;  // the raw text of the key is good enough to find it
            const char* first = reader_base::skip_space(key_at) + 1;
            name = {first, static_cast<std::size_t>(p - first)};
            return in.within(name.substr(0, name.rfind('"')));
        }
        p = after;
        if (*p == ',') ++p;
        else if (*p == '}') ++p, closed = true;
        else if ((p = in.next_member(p, closed)) == nullptr) return nullptr;
    }
    in.leave();
    return p;
}

template <class Kernel, class T> const char* read_nullable(reader<Kernel>& in, const char* p, T& out) {
    const char* at = p;
    if (reader_base::look(at) == kind::null) {
        out = T{};
        return in.null(at);
    }
    if (!out) {
        if constexpr (optional_like<T>) out.emplace();
        else out.reset(new typename T::element_type{});
    }
    return read(in, at, *out);
}

/// The kind of the JSON value decides where only one alternative has it. Where several have it they are tried
/// in their order, and the first that can be read whole is taken.
template <class Kernel, class T> const char* read_variant(reader<Kernel>& in, const char* p, T& out) {
    const kind found = reader_base::look(p);
    constexpr std::size_t n = alternatives<T>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> const char* {
        const unsigned candidates =
            (0u + ... + ((kinds_of<alternative<T, I>>() & bit(found)) != 0 ? 1u : 0u));
        if (found == kind::none || candidates == 0) return in.wrong(p, kind::none);
        const unsigned levels = in.levels();
        const char* after = nullptr;
        const auto attempt = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
            if ((kinds_of<alternative<T, J>>() & bit(found)) == 0) return false;
            using std::get;
            if (out.index() != J) out.template emplace<J>();
            after = read(in, p, get<J>(out));
            if (candidates == 1) return true;
            // An integer stops in front of the point of 1.5, which the next alternative may want.
            if (after != nullptr && reader_base::ends_value(*after)) return true;
            after = nullptr;
            in.levels(levels);
            in.forget_failure();
            return false;
        };
        if ((attempt(std::integral_constant<std::size_t, I>{}) || ...)) return after;
        return in.fail(reason::no_alternative, p);
    }(std::make_index_sequence<n>{});
}

template <class Kernel, class T> const char* read(reader<Kernel>& in, const char* p, T& out) {
    using enum category;
    constexpr category c = category_of<T>();
    if constexpr (c == boolean) return in.boolean(p, out);
    else if constexpr (c == integer) return read_integer(in, p, out);
    else if constexpr (c == floating) return in.number(p, out);
    else if constexpr (c == text || c == view) return in.string(p, out);
    else if constexpr (c == enumeration) return read_enumeration(in, p, out);
    else if constexpr (c == duration) {
        typename T::rep count;
        p = read(in, p, count);
        if (p != nullptr) out = T{count};
        return p;
    } else if constexpr (c == time) return read_time(in, p, out);
    else if constexpr (c == null) return in.null(p);
    else if constexpr (c == nullable) return read_nullable(in, p, out);
    else if constexpr (c == list) return read_list(in, p, out);
    else if constexpr (c == array) return read_array(in, p, out);
    else if constexpr (c == tuple) return read_tuple(in, p, out);
    else if constexpr (c == map) return read_map(in, p, out);
    else if constexpr (c == variant) return read_variant(in, p, out);
    else if constexpr (c == object) return read_object(in, p, out);
    else {
        refuse_type<T>();
        return nullptr;
    }
}

}  // namespace weir::json::detail
