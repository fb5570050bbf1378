// SIGTERM once and twice, in a child process: the parent sees what it says on a pipe and how it ends.
#include "support/service.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::test {
namespace {

/// A child that runs `body(out)`, where `out` is a descriptor the parent reads.
class child {
public:
    template <class Body> explicit child(Body body) {
        int ends[2];
        if (::pipe(ends) != 0) std::abort();
        id_ = ::fork();
        if (id_ == 0) {
            ::close(ends[0]);
            body(ends[1]);
            std::_Exit(99);
        }
        ::close(ends[1]);
        from_ = ends[0];
    }
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child() {
        ::close(from_);
        if (!waited_) {
            ::kill(id_, SIGKILL);
            ::waitpid(id_, nullptr, 0);
        }
    }
    /// The next byte the child writes; 0 at the end.
    char next() const {
        char c = 0;
        while (::read(from_, &c, 1) < 0 && errno == EINTR) {}
        return c;
    }
    void signal(int number) const { ::kill(id_, number); }
    /// The exit code, or minus the signal that ended it.
    int end() {
        int status = 0;
        ::waitpid(id_, &status, 0);
        waited_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

private:
    pid_t id_ = -1;
    int from_ = -1;
    bool waited_ = false;
};

void say(int to, char c) { static_cast<void>(!::write(to, &c, 1)); }
struct pipe_end {
    int fd;
    std::atomic<bool> entered{false};
    /// Says 'h' the first time; false afterwards.
    bool enter() {
        if (entered.exchange(true)) return false;
        say(fd, 'h');
        return true;
    }
};

/// Says 'h' when its handler is at work.
template <class Handler> [[noreturn]] void serve(int out, Handler handler, unsigned threads) {
    // What comes after the run has ended must not end the child by itself.
    std::signal(SIGTERM, SIG_IGN);
    pipe_end to{out, {}};
    int code = 7;
    {
        application app({"child", "1"}, {.threads = threads, .drain = 1h});
        app.log(log_level::off);
        app.provide(shared(to));
        auto& memory = app.use(memory::broker{});
        memory.subscribe("in", handler);
        // Refused until the subscription is open.
        std::thread kick([p = memory.publisher()] {
            while (p.publish("in", order{1}).try_now() == errc::not_started) ::poll(nullptr, 0, 1);
        });
        try {
            const drain_report r = app.run();
            code = r.complete ? 0 : 3;
        } catch (const std::exception&) {
            code = 1;
        }
        kick.join();
    }
    say(out, 'e');
    std::_Exit(code);
}

task<void> waits_until_stopped(const order&, pipe_end& to) {
    if (to.enter()) co_await sleep_for(1h);
}
task<void> waits_for_a_moment(const order&, pipe_end& to) {
    if (!to.enter()) co_return;
    co_await sleep_for(50ms);
    say(to.fd, 'd');
}
void stands_still(const order&, pipe_end& to) {
    to.enter();
    for (;;) ::pause();
}
void quick(const order&, pipe_end& to) { to.enter(); }

class signals : public testing::TestWithParam<unsigned> {};

TEST_P(signals, once_ends_a_run_that_has_nothing_to_do) {
    for (const int number : {SIGTERM, SIGINT}) {
        child c([](int out) { serve(out, quick, GetParam()); });
        EXPECT_EQ(c.next(), 'h');
        c.signal(number);
        EXPECT_EQ(c.next(), 'e');
        EXPECT_EQ(c.end(), 0);
    }
}

TEST_P(signals, once_lets_a_handler_finish) {
    child c([](int out) { serve(out, waits_for_a_moment, GetParam()); });
    EXPECT_EQ(c.next(), 'h');
    c.signal(SIGTERM);
    EXPECT_EQ(c.next(), 'd');
    EXPECT_EQ(c.next(), 'e');
    EXPECT_EQ(c.end(), 0);
}

TEST_P(signals, twice_ends_the_drain_at_once) {
    child c([](int out) { serve(out, waits_until_stopped, GetParam()); });
    EXPECT_EQ(c.next(), 'h');
    c.signal(SIGTERM);
    // The second one has to be a signal of its own: two that are pending are one. What the first one did cannot be seen
    // from outside, so it is sent until the child has ended.
    std::atomic<bool> over{false};
    std::thread again([&] {
        while (!over) {
            c.signal(SIGTERM);
            ::poll(nullptr, 0, 10);
        }
    });
    EXPECT_EQ(c.next(), 'e');
    over = true;
    again.join();
    EXPECT_EQ(c.end(), 3) << "not complete";
}

TEST_P(signals, twice_ends_even_a_handler_that_never_gives_its_thread_back) {
    child c([](int out) { serve(out, stands_still, GetParam()); });
    EXPECT_EQ(c.next(), 'h');
    c.signal(SIGTERM);
    c.signal(SIGINT);
    EXPECT_EQ(c.next(), '\0') << "nothing is destroyed any more";
    const int code = c.end();
    EXPECT_TRUE(code == 128 + SIGTERM || code == 128 + SIGINT) << code;
}

INSTANTIATE_TEST_SUITE_P(threads, signals, testing::Values(1u, 2u));

}  // namespace
}  // namespace weir::test
