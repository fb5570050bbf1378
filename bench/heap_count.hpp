#pragma once

/// For a quick look without valgrind: heap blocks taken inside weir_bench_region so far. Null unless heap_count.cpp is
/// linked in (-DWEIR_BENCH_HEAP_COUNT=ON), which published numbers are made without: it costs instructions.
extern "C" [[gnu::weak]] unsigned long weir_bench_counted_blocks();
