#pragma once
#include <weir/payload/headers.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace weir {

class block_pool;

/// Reference-counted bytes of one message, with `tail` readable zero bytes behind the last one, so that decoders need no
/// bounds check in their inner loops. The headers travel with the block. Shared blocks are never written to.
struct block {
    static constexpr std::size_t tail = 64;

    std::atomic<std::uint32_t> refs{1};
    std::uint32_t size_class = 0;  ///< block_pool::classes: too large for a pool, straight from the heap
    std::size_t capacity = 0;      ///< bytes of room before the tail
    block_pool* home = nullptr;
    block* next = nullptr;  ///< in a free list, or on the way home
    headers head;           ///< cleared when the block is released; keeps its room while the block is pooled

    char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
    const char* data() const noexcept { return reinterpret_cast<const char*>(this + 1); }
    /// Writes the tail behind `size` bytes. `size` is at most `capacity`.
    void finish(std::size_t size) noexcept { std::memset(data() + size, 0, tail); }
};

/// The free blocks of one thread, in classes of powers of two from 128 bytes. A block released on another thread goes
/// home in a chain of several, by one atomic push. What is cached is bounded; a pool whose thread has ended is taken over by the
/// next thread that starts.
class block_pool {
public:
    static constexpr unsigned classes = 16;  ///< 128 bytes to 4 MiB
    static constexpr std::size_t smallest = 128;
    static constexpr std::size_t default_limit =
        64 << 20;  ///< bytes a thread may keep from the heap before it gives back

    struct statistics {
        std::size_t bytes = 0;       ///< held from the heap now, in use or cached
        std::size_t high_water = 0;  ///< the most that `bytes` has been
    };

    static constexpr std::size_t room(unsigned size_class) noexcept { return smallest << size_class; }

    block* take(std::size_t size) {
        const unsigned c = class_of(size);
        if (c >= classes || free_[c] == nullptr) [[unlikely]]
            return take_slow(size, c);
        block* b = free_[c];
        free_[c] = b->next;
        b->refs.store(1, std::memory_order_relaxed);
        return b;
    }

    statistics stats() const noexcept {
        return {bytes_.load(std::memory_order_relaxed), high_water_.load(std::memory_order_relaxed)};
    }
    /// From how many held bytes on released blocks go back to the heap. To be called before other threads release blocks
    /// of this pool: it is read with every release, and g++ spends an instruction more on an atomic.
    void limit(std::size_t bytes) noexcept { limit_ = bytes; }

private:
    friend block* take_block(std::size_t);
    friend void release(block*) noexcept;
    friend void send_blocks_home() noexcept;
    friend class pool_owner;

    static constexpr unsigned class_of(std::size_t size) noexcept {
        return size <= smallest
                   ? 0u
                   : static_cast<unsigned>(
                         64 - __builtin_clzll((static_cast<unsigned long long>(size) - 1) / smallest));
    }
    block* take_slow(std::size_t size, unsigned size_class);
    static void release_slow(block*) noexcept;
    void collect() noexcept;  // what other threads sent home
    void give_back(block*) noexcept;
    void put(block* b) noexcept { b->next = std::exchange(free_[b->size_class], b); }

    block* free_[classes]{};
    std::size_t limit_ = default_limit;
    std::atomic<std::size_t> bytes_{0}, high_water_{0};
    alignas(64) std::atomic<block*> returned_{nullptr};
    block_pool* next_ = nullptr;  // in the list of pools without a thread
};

namespace detail {
extern constinit thread_local block_pool* local_pool;
block_pool& adopt_pool();
}  // namespace detail

/// The calling thread's pool.
inline block_pool& local_blocks() {
    block_pool* pool = detail::local_pool;
    return pool != nullptr ? *pool : detail::adopt_pool();
}

/// A block with room for `size` bytes, with one reference; the content and the tail are not written yet.
inline block* take_block(std::size_t size) { return local_blocks().take(size); }
/// A block with a copy of `content` and the tail behind it.
inline block* make_block(std::string_view content) {
    block* b = take_block(content.size());
    if (!content.empty()) std::memcpy(b->data(), content.data(), content.size());
    b->finish(content.size());
    return b;
}
inline void retain(block* b, std::uint32_t more = 1) noexcept {
    b->refs.fetch_add(more, std::memory_order_relaxed);
}
/// Drops one reference; the last one sends the block home. Any thread.
inline void release(block* b) noexcept {
    // A sole owner needs no locked instruction: nobody else can raise the count any more.
    if (b->refs.load(std::memory_order_acquire) != 1 && b->refs.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    block_pool* pool = b->home;
    if (pool != detail::local_pool || !b->head.empty() || b->size_class >= block_pool::classes ||
        pool->bytes_.load(std::memory_order_relaxed) > pool->limit_) [[unlikely]]
        return block_pool::release_slow(b);
    pool->put(b);
}
/// Blocks of other threads' pools that this thread has released are gathered and go home together. A run loop calls
/// this at the end of its turns; at most 32 are ever held back.
void send_blocks_home() noexcept;

/// All pools of the process together; for metrics and benchmarks. Any thread.
block_pool::statistics block_statistics() noexcept;

}  // namespace weir
