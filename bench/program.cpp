#include "heap_count.hpp"
#include "program.hpp"

#include <weir/payload/block.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace weir::bench {

namespace {

unsigned positive(const char* text) {
    unsigned n = 0;
    const char* const end = text + std::strlen(text);
    const auto [stopped, fault] = std::from_chars(text, end, n);
    if (fault != std::errc{} || stopped != end || n == 0) {
        std::fprintf(stderr, "a number above 0 was expected, not '%s'\n", text);
        std::exit(2);
    }
    return n;
}

}  // namespace

program program::from(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: %s MESSAGES [CAPACITY]\n", argv[0]);
        std::exit(2);
    }
    program p{.messages = positive(argv[1])};
    if (argc == 3) p.capacity = positive(argv[2]);
    return p;
}

void program::report(std::uint64_t handled) const {
    const block_pool::statistics pools = block_statistics();
    std::printf("{\"handled\": %llu, \"pool_bytes\": %zu", static_cast<unsigned long long>(handled),
                pools.high_water);
    if (weir_bench_counted_blocks != nullptr)
        std::printf(", \"blocks\": %llu", static_cast<unsigned long long>(weir_bench_counted_blocks()));
    std::printf("}\n");
}

void program::fail(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    std::exit(3);
}

}  // namespace weir::bench
