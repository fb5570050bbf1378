#include <weir/error.hpp>
#include <weir/runtime/poller.hpp>
#include <weir/runtime/run_loop.hpp>

#include <cerrno>
#include <limits>
#include <string>
#include <utility>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

namespace weir {

namespace {

constexpr int burst = 64;
constexpr std::uint64_t wake_key = ~std::uint64_t{0};

[[noreturn]] void fail(const std::string& what, int why) {
    throw error(std::error_code(why, std::system_category()),
                "weir: " + what + ": " + std::generic_category().message(why));
}

}  // namespace

poller::poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) fail("cannot create an epoll instance", errno);
    wake_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (wake_ < 0) {
        const int why = errno;
        ::close(epoll_);
        fail("cannot create an event descriptor", why);
    }
    // Edge-triggered: every write is an edge of its own, so the counter never needs a read() to be reset.
    epoll_event e{};
    e.events = EPOLLIN | EPOLLET;
    e.data.u64 = wake_key;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &e) < 0) {
        const int why = errno;
        ::close(wake_);
        ::close(epoll_);
        fail("cannot watch the event descriptor", why);
    }
}

poller::~poller() {
    ::close(wake_);
    ::close(epoll_);
}

int poller::arm(int fd, entry& e) noexcept {
    epoll_event event{};
    event.events = EPOLLONESHOT;
    if (e.reader != nullptr) event.events |= EPOLLIN;
    if (e.writer != nullptr) event.events |= EPOLLOUT;
    event.data.u64 = (std::uint64_t{++e.serial} << 32) | static_cast<std::uint32_t>(fd);
    if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    if (errno != ENOENT) return errno;
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

void poller::watch(fd_node& node, run_loop& loop) {
    if (node.fd < 0) fail("cannot wait for descriptor " + std::to_string(node.fd), EBADF);
    const auto at = static_cast<std::size_t>(node.fd);
    if (at >= entries_.size()) entries_.resize(at + 1);
    entry& e = entries_[at];
    fd_node*& slot = node.writing ? e.writer : e.reader;
    if (slot != nullptr) {
        throw error(errc::already_waited, "weir: another task already waits for descriptor " +
                                              std::to_string(node.fd) + " to be " +
                                              (node.writing ? "writable" : "readable"));
    }
    node.forgotten = false;
    slot = &node;
    const int why = arm(node.fd, e);
    if (why == 0) {
        ++waiting_;
        return;
    }
    slot = nullptr;
    if (why != EPERM) fail("cannot wait for descriptor " + std::to_string(node.fd), why);
    loop.push(node);  // a regular file: as with poll(2), always ready
}

void poller::unwatch(fd_node& node) noexcept {
    const auto at = static_cast<std::size_t>(node.fd);
    if (node.fd < 0 || at >= entries_.size()) return;
    fd_node*& slot = node.writing ? entries_[at].writer : entries_[at].reader;
    if (slot != &node) return;
    slot = nullptr;  // the registration stays; at most one event comes for nobody and is ignored
    --waiting_;
}

void poller::ready(fd_node*& slot, run_loop& loop) noexcept {
    if (slot == nullptr) return;
    --waiting_;
    loop.push(*std::exchange(slot, nullptr));
}

void poller::forget(int fd, run_loop& loop) noexcept {
    const auto at = static_cast<std::size_t>(fd);
    if (fd < 0 || at >= entries_.size()) return;
    entry& e = entries_[at];
    if (e.reader != nullptr) e.reader->forgotten = true;
    if (e.writer != nullptr) e.writer->forgotten = true;
    ready(e.reader, loop);
    ready(e.writer, loop);
    ++e.serial;
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);  // fails harmlessly if it was never registered
}

int poller::wait(void* events, int capacity, nanos timeout) noexcept {
    auto* to = static_cast<epoll_event*>(events);
    if (timeout <= nanos{0}) return ::epoll_wait(epoll_, to, capacity, 0);
    if (timeout == nanos::max()) return ::epoll_wait(epoll_, to, capacity, -1);
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
    if (precise_) {
        timespec t{};
        t.tv_sec = static_cast<time_t>(timeout.count() / 1'000'000'000);
        t.tv_nsec = static_cast<long>(timeout.count() % 1'000'000'000);
        const int n = ::epoll_pwait2(epoll_, to, capacity, &t, nullptr);
        if (n >= 0 || errno == EINTR) return n;
        precise_ = false;  // a kernel before 5.11, or a sandbox that knows no such call
    }
#endif
#endif
    // Milliseconds, rounded up: a loop that wakes early would spin through the rest.
    const std::int64_t ms = (timeout.count() + 999'999) / 1'000'000;
    const int most = std::numeric_limits<int>::max();
    return ::epoll_wait(epoll_, to, capacity, ms < most ? static_cast<int>(ms) : most);
}

void poller::poll(nanos timeout, run_loop& loop) noexcept {
    epoll_event events[burst];
    const int count = wait(events, burst, timeout);
    for (int i = 0; i < count; ++i) {
        if (events[i].data.u64 == wake_key) continue;
        const auto fd = static_cast<std::uint32_t>(events[i].data.u64);
        entry& e = entries_[fd];
        if (e.serial != events[i].data.u64 >> 32) continue;
        const std::uint32_t what = events[i].events;
        if ((what & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) ready(e.reader, loop);
        if ((what & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) ready(e.writer, loop);
        if ((e.reader != nullptr || e.writer != nullptr) && arm(static_cast<int>(fd), e) != 0) {
            ready(e.reader, loop);  // it cannot be watched any more: let the task's own read or write say why
            ready(e.writer, loop);
        }
    }
}

void poller::wake() noexcept {
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof one) < 0) {
        // Only a counter at its maximum can refuse, and then the edge has long been there.
    }
}

}  // namespace weir
