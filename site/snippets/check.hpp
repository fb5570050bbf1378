#pragma once
#include <cstdio>
#include <cstdlib>
#include <source_location>

/// How the programs of the pages prove that they do what the pages say; unlike assert it does not care about NDEBUG.
inline void check(bool holds, std::source_location at = std::source_location::current()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%u: does not hold\n", at.file_name(), static_cast<unsigned>(at.line()));
    std::exit(1);
}
