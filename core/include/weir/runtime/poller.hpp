#pragma once
#include <weir/runtime/clock.hpp>
#include <weir/runtime/run_node.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir {

class run_loop;

/// A node that runs when its descriptor is ready; see `run_loop::watch`.
struct fd_node : run_node {
    int fd = -1;
    bool writing = false;
    bool forgotten = false;  ///< set before it runs: `run_loop::forget` ended the wait, not readiness
};

/// The epoll instance of one loop, and the event that other threads wake it with.
///
/// Every wait is armed once (EPOLLONESHOT) and by its own system call, so nothing here has to learn that a descriptor
/// was closed and its number given to another file: the next wait registers whatever the number means then.
class poller {
public:
    poller();
    poller(const poller&) = delete;
    poller& operator=(const poller&) = delete;
    ~poller();

    /// Waits armed and not ended yet.
    std::size_t waiting() const noexcept { return waiting_; }
    void watch(fd_node& node, run_loop& loop);
    void unwatch(fd_node& node) noexcept;
    void forget(int fd, run_loop& loop) noexcept;
    /// Pushes the waits that have become ready, after sleeping for at most `timeout` (`nanos::max()`: until something
    /// happens) if there are none.
    void poll(nanos timeout, run_loop& loop) noexcept;
    /// Ends a sleeping `poll`. From any thread, also from a signal handler.
    void wake() noexcept;

private:
    struct entry {
        fd_node* reader = nullptr;
        fd_node* writer = nullptr;
        std::uint32_t serial =
            0;  // of the last arming: events of an earlier one, or of a closed file, are dropped
    };
    int arm(int fd, entry& e) noexcept;  // 0 or an errno
    void ready(fd_node*& slot, run_loop& loop) noexcept;
    int wait(void* events, int capacity, nanos timeout) noexcept;

    int epoll_;
    int wake_;
    bool precise_ = true;  // the kernel has epoll_pwait2
    std::size_t waiting_ = 0;
    std::vector<entry> entries_;  // by descriptor
};

}  // namespace weir
