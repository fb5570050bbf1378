#pragma once
#include "weir/json/category.hpp"
#include "weir/json/writer.hpp"

#include <cstring>

namespace weir::json::detail {

template <class Kernel, class T> bool write(writer<Kernel>& out, const T& value);

/// Numbers and literals that always fit and never fail.
template <class T> char* put(char* at, T value) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
        std::memcpy(at, value ? "true" : "false", 5);
        return at + (value ? 4 : 5);
    } else if constexpr (std::is_signed_v<T>) {
        return writer_base::number(at, static_cast<std::int64_t>(value));
    } else {
        return writer_base::number(at, static_cast<std::uint64_t>(value));
    }
}

/// `{"name":` or `,"name":`
template <class T, std::size_t I> struct member_text {
    static constexpr std::string_view name = reflect::member_names<T>[I];
    static_assert(
        [] {
            for (char c : name)
                if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) return false;
            return true;
        }(),
        "weir: the name of a member in fields() cannot have quotes, backslashes or control characters");
    static constexpr std::size_t size = name.size() + 4;
    struct bytes {
        char of[size];
    };
    static constexpr bytes text = [] {
        bytes t{};
        t.of[0] = I == 0 ? '{' : ',';
        t.of[1] = '"';
        for (std::size_t i = 0; i < name.size(); ++i) t.of[i + 2] = name[i];
        t.of[size - 2] = '"';
        t.of[size - 1] = ':';
        return t;
    }();
};

template <class T, std::size_t I, class Kernel, class M>
bool write_member(writer<Kernel>& out, const M& member) {
    using text = member_text<T, I>;
    constexpr category c = category_of<M>();
    output& to = out.to();
    char* at = to.room(text::size + writer_base::number_room);
    std::memcpy(at, text::text.of, text::size);
    at += text::size;
    if constexpr (c == category::integer || c == category::boolean) {
        to.advance(put(at, member));
        return true;
    } else {
        to.advance(at);
        return write(out, member) || out.within(text::name);
    }
}

template <class Kernel, class T> bool write_object(writer<Kernel>& out, const T& value) {
    const auto members = reflect::tie(value);
    const bool written = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (write_member<T, I>(out, reflect::get<I>(members)) && ...);
    }(std::make_index_sequence<reflect::member_count<T>>{});
    out.to().append(reflect::member_count<T> == 0 ? std::string_view{"{}"} : std::string_view{"}"});
    return written;
}

template <class Kernel, class T> bool write_elements(writer<Kernel>& out, const T& value) {
    std::size_t n = 0;
    for (const auto& element : value) {
        out.to().append(n == 0 ? '[' : ',');
        if (!write(out, element)) return out.within(n);
        ++n;
    }
    out.to().append(n == 0 ? std::string_view{"[]"} : std::string_view{"]"});
    return true;
}

template <class Kernel, class T> bool write_tuple(writer<Kernel>& out, const T& value) {
    out.to().append('[');
    bool good = true;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        [[maybe_unused]] const auto one = [&](const auto& element, std::size_t n) {
            if (n != 0) out.to().append(',');
            good = write(out, element) || out.within(n);
            return good;
        };
        (void)(one(get<I>(value), I) && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
    out.to().append(']');
    return good;
}

template <class Kernel, class E> bool write_enumerator(writer<Kernel>& out, E value) {
    const std::string_view name = reflect::enum_name(value);
    return !name.empty() ? out.string(name) : out.fail("a value of an enumeration that has no name");
}

template <class Kernel, class Key> bool write_key(writer<Kernel>& out, const Key& key) {
    constexpr category c = category_of<Key>();
    static_assert(
        c == category::text || c == category::view || c == category::integer || c == category::enumeration,
        "weir: the keys of a map in a message are std::string, std::string_view, integers or enumerations");
    if constexpr (c == category::integer) {
        char* at = out.to().room(writer_base::number_room);
        *at = '"';
        at = put(at + 1, key);
        *at = '"';
        out.to().advance(at + 1);
        return true;
    } else if constexpr (c == category::enumeration && as_number<Key>) {
        return write_key(out, static_cast<std::underlying_type_t<Key>>(key));
    } else {
        return write(out, key) || out.within("(key)");
    }
}

template <class Kernel, class T> bool write_map(writer<Kernel>& out, const T& value) {
    bool first = true;
    for (const auto& [key, element] : value) {
        out.to().append(first ? '{' : ',');
        first = false;
        if (!write_key(out, key)) return false;
        out.to().append(':');
        if (!write(out, element)) {
            if constexpr (std::is_convertible_v<decltype(key), std::string_view>) return out.within(key);
            else return out.within("(value)");
        }
    }
    out.to().append(first ? std::string_view{"{}"} : std::string_view{"}"});
    return true;
}

template <class Kernel, class T> bool write_variant(writer<Kernel>& out, const T& value) {
    if (value.valueless_by_exception()) return out.fail("a variant without a value");
    bool written = false;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (void)((I == value.index() ? (written = write(out, get<I>(value)), true) : false) || ...);
    }(std::make_index_sequence<alternatives<T>>{});
    return written;
}

template <class Kernel, class Duration>
bool write_time(writer<Kernel>& out, std::chrono::sys_time<Duration> value) {
    using period = typename Duration::period;
    const auto since = value.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::duration<std::int64_t>>(since);
    constexpr int digits = [] {
        int n = 0;
        for (std::intmax_t unit = 1; unit < period::den; unit *= 10) ++n;
        return n;
    }();
    std::int32_t nanoseconds = 0;
    if constexpr (period::den != 1) {
        static_assert(period::num == 1 && 1'000'000'000 % period::den == 0,
                      "weir: a time in a message counts whole units of a decimal fraction of a second, or of "
                      "whole seconds - "
                      "use std::chrono::sys_time<std::chrono::milliseconds> or the like");
        nanoseconds = static_cast<std::int32_t>((since - seconds).count() * (1'000'000'000 / period::den));
    }
    return out.time(seconds.count(), nanoseconds, digits);
}

template <class Kernel, class T> bool write(writer<Kernel>& out, const T& value) {
    using enum category;
    constexpr category c = category_of<T>();
    output& to = out.to();
    if constexpr (c == boolean || c == integer) {
        to.advance(put(to.room(writer_base::number_room), value));
        return true;
    } else if constexpr (c == floating) {
        char* const end = writer_base::number(to.room(writer_base::number_room), value);
        if (end == nullptr) return out.fail("a number that is not finite");
        to.advance(end);
        return true;
    } else if constexpr (c == text || c == view) return out.string(value);
    else if constexpr (c == enumeration) {
        if constexpr (as_number<T>) return write(out, static_cast<std::underlying_type_t<T>>(value));
        else return write_enumerator(out, value);
    } else if constexpr (c == duration) return write(out, value.count());
    else if constexpr (c == time) return write_time(out, value);
    else if constexpr (c == null) {
        to.append("null");
        return true;
    } else if constexpr (c == nullable) {
        if (value) return write(out, *value);
        to.append("null");
        return true;
    } else if constexpr (c == list || c == array) return write_elements(out, value);
    else if constexpr (c == tuple) return write_tuple(out, value);
    else if constexpr (c == map) return write_map(out, value);
    else if constexpr (c == variant) return write_variant(out, value);
    else if constexpr (c == object) return write_object(out, value);
    else {
        refuse_type<T>();
        return false;
    }
}

}  // namespace weir::json::detail
