#pragma once
#include <weir/payload/block.hpp>

namespace weir {

/// One delivery as it crosses from a broker to the core: one cache line, filled by the broker's subscriber, never
/// allocated per message. `data` has `block::tail` readable zero bytes behind `size`.
struct alignas(64) record {
    const char* data;
    std::uint32_t size;
    std::uint32_t attempt;  ///< 1 for the first delivery; 0 where the broker does not count
    block* owner;           ///< keeps `data` alive; the core drops this reference when the delivery has ended
    const headers* head;    ///< null: none. Lives as long as `owner`
    std::uint64_t
        id;  ///< identity for logs and for retry bookkeeping; `describe` turns it into the broker's text
    std::uint64_t ticket;    ///< the broker's own: what it needs in order to settle
    const void* native;      ///< the broker's own: what its context type reads; null in the in-process form
    std::int64_t published;  ///< nanoseconds since the Unix epoch; 0: unknown
};
static_assert(sizeof(record) == 64);

}  // namespace weir
