#include <weir/runtime/frame_cache.hpp>

namespace weir::detail {

namespace {

// Frames may still be freed by thread-local objects that are destroyed after the hook, so its trace has no destructor.
constinit thread_local bool over = false;

// Apart from `frames`, which stays trivial so that reaching it needs no guard.
struct exit_hook {
    exit_hook() noexcept { frames.limit = frame_cache::most; }
    ~exit_hook() {
        drain_frames();
        frames.limit = 0;
        over = true;
    }
};

}  // namespace

void free_frame_slowly(void* frame, std::size_t size_class) noexcept {
    if (frames.limit != 0 || over) return ::operator delete(frame);
    static thread_local exit_hook hook;
    frames.first[size_class] = ::new (frame) frame_cache::free_frame{frames.first[size_class]};
    ++frames.kept[size_class];
}

void drain_frames() noexcept {
    for (std::size_t c = 0; c < frame_cache::classes; ++c) {
        while (frame_cache::free_frame* f = frames.first[c]) {
            frames.first[c] = f->next;
            ::operator delete(f);
        }
        frames.kept[c] = 0;
    }
}

std::size_t kept_frames() noexcept {
    std::size_t sum = 0;
    for (const unsigned n : frames.kept) sum += n;
    return sum;
}

}  // namespace weir::detail
