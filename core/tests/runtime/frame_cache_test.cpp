#include "support.hpp"
#include "support/heap_count.hpp"

#include <weir/runtime/frame_cache.hpp>

#include <array>
#include <thread>

namespace weir::test {
namespace {

class frame_cache : public ::testing::Test {
protected:
    void SetUp() override {
        if (!heap_is_counted) GTEST_SKIP() << "under sanitizers every frame comes from the heap";
        detail::drain_frames();
    }
    void TearDown() override { detail::drain_frames(); }
};

TEST_F(frame_cache, hands_the_same_memory_out_again_within_a_size_class) {
    void* first = detail::new_frame(100);
    detail::free_frame(first, 100);
    EXPECT_EQ(detail::kept_frames(), 1u);
    void* again = detail::new_frame(128);  // 65 to 128 bytes are one class
    EXPECT_EQ(again, first);
    void* other = detail::new_frame(64);
    EXPECT_NE(other, first);
    detail::free_frame(again, 128);
    detail::free_frame(other, 64);
}

TEST_F(frame_cache, keeps_a_bounded_number_of_each_class) {
    std::vector<void*> all;
    for (unsigned i = 0; i < 3 * detail::frame_cache::most; ++i) all.push_back(detail::new_frame(64));
    for (void* f : all) detail::free_frame(f, 64);
    EXPECT_EQ(detail::kept_frames(), detail::frame_cache::most);
}

TEST_F(frame_cache, leaves_large_frames_to_the_heap) {
    void* large = detail::new_frame(4096);
    detail::free_frame(large, 4096);
    EXPECT_EQ(detail::kept_frames(), 0u);
}

TEST_F(frame_cache, takes_frames_of_other_threads_in) {
    void* made = nullptr;
    std::thread([&] { made = detail::new_frame(64); }).join();
    detail::free_frame(made, 64);
    EXPECT_EQ(detail::new_frame(64), made);
    detail::free_frame(made, 64);
}

struct frees_late {
    void* frame = nullptr;
    ~frees_late() {
        if (frame != nullptr) detail::free_frame(frame, 64);
    }
};
thread_local frees_late late;

// Valgrind and the leak checker see what this one cannot: nothing is left behind.
TEST_F(frame_cache, of_a_thread_ends_with_it_also_for_frames_freed_even_later) {
    std::size_t kept = 0;
    std::thread([&] {
        late.frame = detail::new_frame(64);  // made first, destroyed last
        void* f = detail::new_frame(64);
        detail::free_frame(f, 64);
        kept = detail::kept_frames();
    }).join();
    EXPECT_EQ(kept, 1u);
}

}  // namespace
}  // namespace weir::test
