#pragma once
#include <cstddef>
#include <new>

// Recycled memory hides use after free from the sanitizers, so there every frame comes from the heap.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEIR_RECYCLES_FRAMES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WEIR_RECYCLES_FRAMES 0
#endif
#endif
#ifndef WEIR_RECYCLES_FRAMES
#define WEIR_RECYCLES_FRAMES 1
#endif

namespace weir::detail {

/// The coroutine frames one thread keeps for reuse, in classes of 64 bytes up to 2 KiB, at most `most` of a class. The
/// rest goes through the heap. A frame may be freed on another thread than its maker's: it then changes caches.
struct frame_cache {
    struct free_frame {
        free_frame* next;
    };
    static constexpr std::size_t grain = 64, classes = 32;
    static constexpr unsigned most = 64;

    free_frame* first[classes];
    unsigned kept[classes];
    unsigned limit;  // 0 until the thread's exit hook is in place, and again after it ran
};
inline constinit thread_local frame_cache frames{};

void free_frame_slowly(void* frame, std::size_t size_class) noexcept;
/// Gives back all frames this thread keeps; runs by itself when the thread ends.
void drain_frames() noexcept;
/// How many frames this thread keeps.
std::size_t kept_frames() noexcept;

inline void* new_frame(std::size_t size) {
#if WEIR_RECYCLES_FRAMES
    const std::size_t c = (size - 1) / frame_cache::grain;
    if (c >= frame_cache::classes) [[unlikely]]
        return ::operator new(size);
    frame_cache::free_frame* f = frames.first[c];
    if (f == nullptr) [[unlikely]]
        return ::operator new((c + 1) * frame_cache::grain);
    frames.first[c] = f->next;
    --frames.kept[c];
    return f;
#else
    return ::operator new(size);
#endif
}

inline void free_frame(void* frame, std::size_t size) noexcept {
#if WEIR_RECYCLES_FRAMES
    const std::size_t c = (size - 1) / frame_cache::grain;
    if (c >= frame_cache::classes) [[unlikely]]
        return ::operator delete(frame);
    if (frames.kept[c] >= frames.limit) [[unlikely]]
        return free_frame_slowly(frame, c);
    frames.first[c] = ::new (frame) frame_cache::free_frame{frames.first[c]};
    ++frames.kept[c];
#else
    static_cast<void>(size);
    ::operator delete(frame);
#endif
}

}  // namespace weir::detail
