#pragma once
#include "weir/json/decode_failure.hpp"
#include "weir/json/kernel.hpp"
#include "weir/json/options.hpp"
#include "weir/json/scratch.hpp"

#include <cstring>

namespace weir::json {

/// One document while it is decoded. All functions that read take the place of a value and return the place
/// behind it, or nullptr after they have filled the failure. The place is passed by value so that it stays in
/// a register. Behind the document stand zero bytes that no rule of the grammar takes, so nothing here
/// compares with the end.
class reader_base {
public:
    reader_base(const char* data, std::size_t size, scratch& text, decode_failure& failure,
                const options& rules) noexcept
        : begin_(data),
          end_(data + size),
          text_(&text),
          failure_(&failure),
          rules_(&rules),
          levels_(rules.depth < most_levels ? rules.depth : most_levels) {}
    reader_base(const reader_base&) = delete;

    static constexpr unsigned most_levels = 1024;

    const char* begin() const noexcept { return begin_; }
    const char* end() const noexcept { return end_; }
    const options& rules() const noexcept { return *rules_; }
    scratch& text() noexcept { return *text_; }

    static bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
    static const char* skip_space(const char* p) noexcept {
        while (is_space(*p)) ++p;
        return p;
    }
    static const char* skip_space_slow(const char* p) noexcept;  ///< the same, not inlined

    /// Counts a nested object or array; false when it is one too many. `leave` when it ends.
    bool enter() noexcept { return levels_-- != 0; }
    void leave() noexcept { ++levels_; }

    // Reading of scalars; the way for everything that the inlined fast ways do not take.
    const char* integer(const char* p, std::uint64_t most, std::uint64_t& value);  ///< 0 to most
    const char* integer(const char* p, std::int64_t least, std::int64_t most, std::int64_t& value);
    const char* number(const char* p, double& value);
    const char* number(const char* p, float& value);
    const char* boolean(const char* p, bool& value);
    const char* null(const char* p);
    /// Nanoseconds since 1970 do not reach far enough, so whole seconds and the nanoseconds behind them.
    const char* time(const char* p, std::string_view text, std::int64_t& seconds, std::int32_t& nanoseconds);

    /// The opening bracket of an array or object that does not stand at `p` itself; the place behind it.
    const char* open(const char* p, char bracket);
    /// What stands behind an element of an array: the place behind a comma, or behind the bracket and
    /// `closed`.
    const char* next_element(const char* p, bool& closed);
    const char* next_member(const char* p, bool& closed);  ///< the same for a map
    /// The kind of the value at or behind `p`, which is moved to it; kind::none when no value can begin so.
    static kind look(const char*& p) noexcept;
    /// Whether a value can end here.
    static bool ends_value(char c) noexcept {
        return c == ',' || c == '}' || c == ']' || c == '\0' || is_space(c);
    }
    /// Everything behind the value of the document is whitespace. False after a failure.
    bool finish(const char* p);

    // All of these return nullptr.
    const char* fail(reason why, const char* at, kind wanted = kind::none);
    const char* wrong(const char* at, kind wanted);  ///< names the reason by what stands there instead
    const char* unexpected(const char* at);          ///< something else than a comma or a closing bracket
    const char* within(std::string_view member);     ///< adds to the path of the failure, from the inside out
    const char* within(std::size_t element);
    void forget_failure() noexcept;

    unsigned levels() const noexcept { return levels_; }
    void levels(unsigned n) noexcept { levels_ = n; }

protected:
    const char* escape(const char* p, char*& to);  // at a backslash; writes up to four bytes
    const char* skip_number(const char* p);

    const char* begin_;
    const char* end_;
    scratch* text_;
    decode_failure* failure_;
    const options* rules_;
    unsigned levels_;
};

/// A declared name, with its first eight bytes as a number.
struct name_entry {
    std::string_view name;
    std::uint64_t head = 0;

    constexpr name_entry() = default;
    constexpr explicit name_entry(std::string_view n) : name(n) {
        for (std::size_t i = 0; i < n.size() && i < 8; ++i)
            head |= std::uint64_t{static_cast<unsigned char>(n[i])} << 8 * i;
    }
    static constexpr unsigned hash(std::uint64_t head, std::size_t size) noexcept {
        return static_cast<unsigned>((head + size) * 0x9e3779b97f4a7c15 >> 40);
    }
};

/// What the general way of reading an object needs to know of a message type.
template <class Kernel> class reader;
template <class Kernel> struct object_table {
    static constexpr unsigned unknown = ~0u;

    const name_entry* names;
    unsigned count;
    std::uint64_t lengths;      ///< bit n % 64: some name has n bytes
    const std::uint8_t* slots;  ///< hash table of 1-based indices, 0 where empty
    unsigned mask;
    /// Reads member `index` of `object`.
    const char* (*read)(reader<Kernel>&, const char*, void* object, unsigned index);
    /// Empties or defaults it; false when it must not be absent.
    bool (*absent)(void* object, unsigned index, bool keep_default);

    bool has_length(std::size_t size) const noexcept { return (lengths >> (size % 64) & 1) != 0; }
    /// At least eight bytes are readable at `name`.
    unsigned find(const char* name, std::size_t size) const noexcept {
        std::uint64_t head;
        std::memcpy(&head, name, 8);
        if (size < 8) head &= (std::uint64_t{1} << size * 8) - 1;
        for (unsigned at = name_entry::hash(head, size);; ++at) {
            const unsigned index = slots[at & mask];
            if (index == 0) return unknown;
            const name_entry& candidate = names[index - 1];
            if (candidate.head == head && candidate.name.size() == size &&
                (size <= 8 || std::memcmp(candidate.name.data() + 8, name + 8, size - 8) == 0))
                return index - 1;
        }
    }
};

/// The parts that search strings.
template <class Kernel> class reader : public reader_base {
public:
    using reader_base::reader_base;

    const char* string(const char* p, std::string& out);
    /// Into the document, or into the scratch when there are escapes.
    const char* string(const char* p, std::string_view& out);
    /// The key of a map and its colon; the place of the value.
    template <class Text> const char* key(const char* p, Text& out);
    /// Any value, checked as strictly as one that is read.
    const char* skip(const char* p);

    enum class place { first_key, key, behind_value };
    /// The rest of an object, members in any order, up to behind its closing brace. Bit i of `seen`: member i
    /// was read.
    const char* object(const char* p, place at, void* object, const object_table<Kernel>& table,
                       std::uint64_t seen);

private:
    const char* string_slow(const char* first, const char* p, std::string& out);
    const char* string_slow(const char* first, const char* p, std::string_view& out);
    const char* string_rest(const char* first, const char* p, char*& to);
    const char* skip_string(const char* first, const char* p);
    const char* key_slow(const char* first, const char* p, const object_table<Kernel>& table,
                         unsigned& index);
    const char* refuse_unknown(const char* first, std::size_t size);
    const char* colon(const char* p);
};

struct portable_kernel;
extern template class reader<portable_kernel>;
#if defined(__SSE2__)
extern template class reader<sse2_kernel>;
#endif

}  // namespace weir::json
