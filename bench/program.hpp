#pragma once
#include <cstddef>
#include <cstdint>

namespace weir::bench {

/// What run.py asks of a program that it counts: `program MESSAGES [CAPACITY]`.
struct program {
    unsigned messages;
    /// Room in every queue. The same for all runs of a row, so that what a queue costs is not taken for what a message costs.
    unsigned capacity = 16'384;

    /// Ends the process with status 2 and a sentence if the arguments are not what is said above.
    static program from(int argc, char** argv);

    /// The last line of the output, for run.py: how many deliveries were handled, and what the pools hold from the heap, which
    /// stands beside "no blocks per message".
    void report(std::uint64_t handled) const;
    /// Ends the process with status 3: the run did not do what it is counted for.
    [[noreturn]] static void fail(const char* why);
};

}  // namespace weir::bench
