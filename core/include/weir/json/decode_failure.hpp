#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::json {

/// Why a document was refused.
enum class reason : std::uint8_t {
    none,
    empty,              ///< nothing but whitespace
    truncated,          ///< the document ends too early
    byte_order_mark,    ///< RFC 8259 forbids one in front of a document
    syntax,             ///< a character that cannot stand here
    trailing,           ///< something behind the value
    control_character,  ///< unescaped inside a string
    invalid_utf8,
    invalid_escape,
    lone_surrogate,      ///< half of a pair of \u escapes
    invalid_number,      ///< leading zero, no digit, ...
    wrong_type,          ///< another kind of value than the member has
    out_of_range,        ///< a number that the member cannot hold
    not_whole,           ///< 1.0 or 1e3 for an integer: neither is taken
    unknown_enumerator,  ///< a text that is none of the names
    invalid_time,        ///< not a date and time of RFC 3339
    invalid_key,         ///< the key of a map that is not of the key's type
    wrong_count,         ///< an array with too few or too many elements
    unknown_member,
    duplicate_member,
    missing_member,
    too_deep,
    no_alternative,  ///< none of the alternatives of a variant fits
};

/// What stands in a document, or should stand there.
enum class kind : std::uint8_t { none, null, boolean, number, string, array, object };

/// Where and why decoding stopped. Filled only on failure; cheap to construct.
class decode_failure {
public:
    reason why = reason::none;
    std::size_t offset = 0;  ///< of the byte that could not be taken, from the start of the document

    /// The member, such as "order.items[3].sku"; empty for the document itself. Long parts are cut.
    const std::string& path() const noexcept { return path_; }
    /// One sentence for logs: what, where and in which member.
    std::string text() const;

private:
    friend class reader_base;
    void enter(std::string_view member);  // in front of the path
    void enter(std::size_t element);

    kind wanted_ = kind::none;
    std::string path_;
};

}  // namespace weir::json
