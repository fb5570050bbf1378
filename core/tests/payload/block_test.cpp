#include <weir/payload/block.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

namespace weir::test {
namespace {

constexpr std::size_t whole(std::size_t room) { return sizeof(block) + room + block::tail; }
bool tail_is_zero(const block& b, std::size_t size) {
    return std::all_of(b.data() + size, b.data() + size + block::tail, [](char c) { return c == 0; });
}
/// Runs `f` on a thread that has come and gone when this returns.
template <class F> void on_another_thread(F f) { std::thread(f).join(); }

TEST(block, has_readable_zeros_behind_its_last_byte) {
    for (const std::size_t size : {0u, 1u, 127u, 128u, 129u, 4096u, 5000u}) {
        const std::string content(size, '\xff');
        block* b = make_block(content);
        EXPECT_EQ(std::string_view(b->data(), size), content);
        EXPECT_TRUE(tail_is_zero(*b, size)) << size;
        release(b);
    }
}

TEST(block, has_zeros_behind_it_although_its_room_was_used_before) {
    block* first = make_block(std::string(100, '\xff'));
    release(first);
    block* again = make_block("short");
    EXPECT_EQ(first, again);
    EXPECT_TRUE(tail_is_zero(*again, 5));
    release(again);
}

TEST(block, has_room_for_what_was_asked_in_classes_of_powers_of_two) {
    std::vector<block*> taken;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{128}, std::size_t{129}, std::size_t{256},
          std::size_t{257}, block_pool::room(block_pool::classes - 1)}) {
        block* b = take_block(size);
        EXPECT_GE(b->capacity, size);
        EXPECT_LE(b->capacity, std::max(block_pool::smallest, size * 2));
        EXPECT_EQ(b->capacity & (b->capacity - 1), 0u);
        taken.push_back(b);
    }
    for (block* b : taken) release(b);
}

TEST(block, of_ten_mebibytes_comes_from_the_heap_and_goes_back_to_it) {
    const std::size_t before = local_blocks().stats().bytes;
    const std::string content(10 << 20, 'x');
    block* b = make_block(content);
    EXPECT_EQ(std::string_view(b->data(), content.size()), content);
    EXPECT_TRUE(tail_is_zero(*b, content.size()));
    EXPECT_EQ(local_blocks().stats().bytes, before + whole(content.size()));
    release(b);
    EXPECT_EQ(local_blocks().stats().bytes, before);
}

TEST(block, lives_as_long_as_somebody_refers_to_it) {
    block* b = make_block("shared");
    retain(b, 2);
    release(b);
    release(b);
    EXPECT_EQ(std::string_view(b->data(), 6), "shared");
    EXPECT_EQ(b->refs.load(), 1u);
    release(b);
}

TEST(block, forgets_its_headers_when_it_is_released) {
    block* b = make_block("x");
    b->head.set("secret", "1");
    release(b);
    block* again = make_block("y");
    ASSERT_EQ(b, again);
    EXPECT_TRUE(again->head.empty());
    release(again);
}

TEST(block_pool, hands_out_what_was_released_instead_of_growing) {
    release(take_block(1000));
    const std::size_t held = local_blocks().stats().bytes;
    for (int i = 0; i != 100; ++i) release(take_block(1000));
    EXPECT_EQ(local_blocks().stats().bytes, held);
}

TEST(block_pool, remembers_the_most_it_held) {
    on_another_thread([] {
        std::vector<block*> taken;
        const std::size_t before = local_blocks().stats().bytes;
        for (int i = 0; i != 10; ++i) taken.push_back(take_block(100'000));
        for (block* b : taken) release(b);
        EXPECT_GE(local_blocks().stats().high_water, before + 10 * whole(131'072));
    });
}

TEST(block_pool, gives_back_to_the_heap_above_its_limit) {
    on_another_thread([] {
        block_pool& pool = local_blocks();
        const std::size_t before = pool.stats().bytes;
        pool.limit(before + whole(1024));
        block* a = take_block(1000);
        block* b = take_block(1000);
        EXPECT_EQ(pool.stats().bytes, before + 2 * whole(1024));
        release(a);  // above the limit
        EXPECT_EQ(pool.stats().bytes, before + whole(1024));
        release(b);  // at the limit: kept
        EXPECT_EQ(pool.stats().bytes, before + whole(1024));
        pool.limit(block_pool::default_limit);
    });
}

TEST(block_pool, gets_back_what_another_thread_releases) {
    std::vector<block*> mine;
    for (int i = 0; i != 100; ++i) mine.push_back(take_block(2000));
    const std::size_t held = local_blocks().stats().bytes;
    on_another_thread([&] {
        for (block* b : mine) release(b);
    });
    std::vector<block*> again;
    for (int i = 0; i != 100; ++i) again.push_back(take_block(2000));
    EXPECT_EQ(local_blocks().stats().bytes, held) << "the hundred came home, so none had to be made";
    std::ranges::sort(mine);
    std::ranges::sort(again);
    EXPECT_EQ(mine, again);
    for (block* b : again) release(b);
}

TEST(block_pool, gets_foreign_releases_in_chains_of_at_most_32_or_when_they_are_sent) {
    on_another_thread([] {
        std::vector<block*> mine;
        for (int i = 0; i != 40; ++i) mine.push_back(take_block(9000));
        const std::size_t held = local_blocks().stats().bytes;
        // How many can be taken without a new one being made.
        const auto at_home = [&] {
            std::vector<block*> taken;
            while (local_blocks().stats().bytes == held) taken.push_back(take_block(9000));
            const std::size_t n = taken.size() - 1;
            block_pool& pool = local_blocks();
            pool.limit(0);  // what was made to find out goes again
            release(taken.back());
            pool.limit(block_pool::default_limit);
            taken.pop_back();
            for (block* b : taken) release(b);
            return n;
        };
        std::binary_semaphore released{0}, looked{0};
        std::thread other([&] {
            for (int i = 0; i != 32; ++i) release(mine[static_cast<std::size_t>(i)]);
            released.release();
            looked.acquire();
            release(mine[32]);
            released.release();
            looked.acquire();
            send_blocks_home();
            released.release();
            looked.acquire();
            for (int i = 33; i != 40; ++i)
                release(mine[static_cast<std::size_t>(i)]);  // goes with the thread
        });
        released.acquire();
        EXPECT_EQ(at_home(), 0u) << "32 are held back";
        looked.release();
        released.acquire();
        EXPECT_EQ(at_home(), 32u) << "and leave together when one more comes";
        looked.release();
        released.acquire();
        EXPECT_EQ(at_home(), 33u);
        looked.release();
        other.join();
        EXPECT_EQ(at_home(), 40u);
    });
}

TEST(block_pool, of_a_thread_that_has_ended_serves_the_next_one) {
    block_pool* first = nullptr;
    block_pool* second = nullptr;
    on_another_thread([&] { release(take_block(1)), first = &local_blocks(); });
    on_another_thread([&] { release(take_block(1)), second = &local_blocks(); });
    EXPECT_EQ(first, second);
}

TEST(block_pool, of_a_thread_that_has_ended_keeps_nothing_but_what_is_still_in_use) {
    block* survivor = nullptr;
    block_pool* pool = nullptr;
    on_another_thread([&] {
        survivor = make_block("still here");
        for (int i = 0; i != 50; ++i) release(take_block(3000));
        pool = &local_blocks();
    });
    EXPECT_EQ(pool->stats().bytes, whole(survivor->capacity));
    EXPECT_EQ(std::string_view(survivor->data(), 10), "still here");
    release(survivor);  // the pool outlives its thread
    send_blocks_home();
    on_another_thread([&] {
        EXPECT_EQ(&local_blocks(), pool);
        EXPECT_EQ(take_block(10), survivor) << "it came home to whoever has the pool now";
        release(survivor);
    });
}

TEST(block_pool, sums_up_all_pools_of_the_process) {
    const std::size_t before = block_statistics().bytes;
    block* b = take_block(20 << 20);
    EXPECT_EQ(block_statistics().bytes, before + whole(20 << 20));
    EXPECT_GE(block_statistics().high_water, block_statistics().bytes);
    release(b);
    EXPECT_EQ(block_statistics().bytes, before);
}

TEST(block_pool, serves_threads_that_pass_blocks_around_at_the_same_time) {
    constexpr int threads = 4, rounds = 2000;
    std::atomic<block*> exchange{nullptr};
    std::vector<std::thread> all;
    std::atomic<int> wrong{0};
    for (int t = 0; t != threads; ++t)
        all.emplace_back([&, t] {
            const std::string content(static_cast<std::size_t>(100 + 300 * t), static_cast<char>('a' + t));
            for (int i = 0; i != rounds; ++i) {
                block* b = exchange.exchange(make_block(content), std::memory_order_acq_rel);
                if (b == nullptr) continue;
                const char c = b->data()[0];
                if (b->data()[99] != c || c < 'a' || c >= 'a' + threads) ++wrong;
                release(b);
            }
        });
    for (std::thread& t : all) t.join();
    release(exchange.load());
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace weir::test
