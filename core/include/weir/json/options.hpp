#pragma once

namespace weir::json {

/// What a decoder does with a member that the message type does not declare.
enum class unknown_members { ignore, refuse };
/// What it does with a declared member, or the key of a map, that stands twice in one object. Members that
/// are ignored are not compared with each other.
enum class duplicate_members { refuse, last_wins };
/// What it does when a declared member is absent. Optionals, pointers, lists and maps may always be absent
/// and are then empty; this is about the others.
enum class missing_members { refuse, keep_default };

struct options {
    unknown_members unknown = unknown_members::ignore;
    duplicate_members duplicate = duplicate_members::refuse;
    missing_members missing = missing_members::refuse;  ///< keep_default: the value that `T{}` has there
    unsigned depth =
        64;  ///< objects and arrays inside one another, those in ignored members too; at most 1024
};

/// The policy of one type where it differs from what the call asks for; specialise it beside the type:
///
///     template <> inline constexpr bool weir::json::keeps_defaults<order> = true;
template <class T> inline constexpr bool keeps_defaults = false;

}  // namespace weir::json
