#include "weir/json/decode.hpp"
#include "weir/payload/block.hpp"

namespace weir::json {
namespace {

constexpr std::size_t longest_part = 64, longest_path = 512;

const char* name_of(kind k) {
    switch (k) {
    case kind::null: return "null";
    case kind::boolean: return "true or false";
    case kind::number: return "a number";
    case kind::string: return "a string";
    case kind::array: return "an array";
    case kind::object: return "an object";
    case kind::none: break;
    }
    return "another value";
}

const char* sentence(reason why) {
    switch (why) {
    case reason::none: return "nothing is wrong";
    case reason::empty: return "the document is empty";
    case reason::truncated: return "the document ends too early";
    case reason::byte_order_mark:
        return "the document begins with a byte order mark, which JSON does not allow";
    case reason::syntax: return "a character that cannot stand here";
    case reason::trailing: return "something follows the end of the value";
    case reason::control_character: return "a control character in a string that is not escaped";
    case reason::invalid_utf8: return "a string is not valid UTF-8";
    case reason::invalid_escape: return "an escape that JSON does not have";
    case reason::lone_surrogate: return "half of a surrogate pair";
    case reason::invalid_number: return "a number that is not written as JSON wants it";
    case reason::wrong_type: return "a value of another type";
    case reason::out_of_range: return "a number that the member cannot hold";
    case reason::not_whole: return "a whole number without fraction and exponent is needed";
    case reason::unknown_enumerator: return "a text that is none of the names";
    case reason::invalid_time: return "not a date and time as in 2024-05-01T12:34:56Z";
    case reason::invalid_key: return "a key that the type of the keys does not have";
    case reason::wrong_count: return "an array with the wrong number of elements";
    case reason::unknown_member: return "a member that the message does not have";
    case reason::duplicate_member: return "a member that stands twice";
    case reason::missing_member: return "a member is missing";
    case reason::too_deep: return "objects and arrays are nested too deep";
    case reason::no_alternative: return "a value that none of the alternatives takes";
    }
    return "unknown";
}

/// Untrusted text for a path in a log: no control characters, no endless names.
void append_part(std::string& to, std::string_view part) {
    for (char c : part.substr(0, longest_part))
        to.push_back(static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c);
    if (part.size() > longest_part) to += "...";
}

}  // namespace

void decode_failure::enter(std::string_view member) {
    if (path_.size() > longest_path) return;
    std::string whole;
    append_part(whole, member);
    if (!path_.empty() && path_.front() != '[') whole += '.';
    path_.insert(0, whole);
}

void decode_failure::enter(std::size_t element) {
    if (path_.size() > longest_path) return;
    std::string whole = "[" + std::to_string(element) + "]";
    if (!path_.empty() && path_.front() != '[') whole += '.';
    path_.insert(0, whole);
}

std::string decode_failure::text() const {
    std::string all = sentence(why);
    if (why == reason::wrong_type && wanted_ != kind::none)
        (all += " where ") += name_of(wanted_), all += " is needed";
    if (!path_.empty()) ((all += ", in ") += path_);
    (all += ", at byte ") += std::to_string(offset);
    return all;
}

namespace detail {

std::string padded(std::string_view text) {
    std::string all;
    all.reserve(text.size() + block::tail);
    all.append(text);
    all.append(block::tail, '\0');
    return all;
}

void throw_undecodable(const decode_failure& failure) {
    throw error(errc::undecodable, "JSON: " + failure.text());
}

}  // namespace detail
}  // namespace weir::json
