#include "support.hpp"

#include <weir/runtime/readiness.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weir::test {
namespace {

struct descriptor {
    descriptor() = default;
    explicit descriptor(int n) : fd(n) { EXPECT_GE(n, 0); }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() { close(); }
    void close() {
        if (fd >= 0) ::close(std::exchange(fd, -1));
    }
    int fd = -1;
};
struct pipe_pair {
    pipe_pair() {
        int fds[2]{-1, -1};
        EXPECT_EQ(::pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
        out.fd = fds[0];
        in.fd = fds[1];
    }
    descriptor out, in;
};
void put(int fd) { ASSERT_EQ(::write(fd, "x", 1), 1); }

task<char> reads(int fd) {
    char c = 0;
    for (;;) {
        const ssize_t n = ::read(fd, &c, 1);
        if (n == 1) co_return c;
        if (n == 0) co_return '.';
        if (errno != EAGAIN) co_return '!';
        co_await readable(fd);
    }
}
task<void> waits_to_read(int fd) { co_await readable(fd); }
task<void> waits_to_write(int fd) { co_await writable(fd); }

TEST(readiness, of_a_pipe_wakes_its_reader) {
    run_loop loop(quiet());
    pipe_pair p;
    running<char> r(loop, reads(p.out.fd));
    loop.run_ready();
    EXPECT_FALSE(r.done());
    put(p.in.fd);
    EXPECT_EQ(r.finish(), 'x');
}

TEST(readiness, wakes_a_loop_that_sleeps) {
    run_loop loop(quiet());
    pipe_pair p;
    running<char> r(loop, reads(p.out.fd));
    loop.run_ready();
    std::thread writer([&] { put(p.in.fd); });
    EXPECT_EQ(r.finish(), 'x');
    writer.join();
}

TEST(readiness, of_a_pipe_whose_writer_is_gone_is_its_end) {
    run_loop loop(quiet());
    pipe_pair p;
    running<char> r(loop, reads(p.out.fd));
    loop.run_ready();
    p.in.close();
    EXPECT_EQ(r.finish(), '.');
}

TEST(readiness, to_write_comes_when_there_is_room_and_when_the_reader_is_gone) {
    run_loop loop(quiet());
    pipe_pair p;
    run(loop, waits_to_write(p.in.fd));
    char full[4096] = {};
    while (::write(p.in.fd, full, sizeof full) > 0) {}
    running<void> r(loop, waits_to_write(p.in.fd));
    loop.run_ready();
    EXPECT_FALSE(r.done());
    p.out.close();
    r.finish();
}

TEST(readiness, of_an_eventfd_comes_again_and_again) {
    run_loop loop(quiet());
    const descriptor e(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    for (int i = 0; i < 3; ++i) {
        running<void> r(loop, waits_to_read(e.fd));
        loop.run_ready();
        EXPECT_FALSE(r.done());
        std::uint64_t n = 1;
        ASSERT_EQ(::write(e.fd, &n, sizeof n), static_cast<ssize_t>(sizeof n));
        r.finish();
        ASSERT_EQ(::read(e.fd, &n, sizeof n), static_cast<ssize_t>(sizeof n));
    }
}

TEST(readiness, is_a_level_what_was_left_unread_is_still_ready) {
    run_loop loop(quiet());
    pipe_pair p;
    put(p.in.fd);
    run(loop, waits_to_read(p.out.fd));
    run(loop, waits_to_read(p.out.fd));
}

TEST(readiness, of_a_socket_keeps_its_two_directions_apart) {
    run_loop loop(quiet());
    int fds[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
    const descriptor a(fds[0]), b(fds[1]);
    running<char> reader(loop, reads(a.fd));
    running<void> writer(loop, waits_to_write(a.fd));
    loop.run_ready();
    EXPECT_TRUE(writer.done());
    EXPECT_FALSE(reader.done());
    put(b.fd);
    EXPECT_EQ(reader.finish(), 'x');
}

TEST(readiness, of_inotify_tells_of_files) {
    run_loop loop(quiet());
    std::string dir = ::testing::TempDir() + "weir_readiness_XXXXXX";
    ASSERT_NE(::mkdtemp(dir.data()), nullptr);
    const descriptor watcher(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    ASSERT_GE(::inotify_add_watch(watcher.fd, dir.c_str(), IN_CREATE), 0);
    running<void> r(loop, waits_to_read(watcher.fd));
    loop.run_ready();
    EXPECT_FALSE(r.done());
    const std::string file = dir + "/new";
    descriptor created(::open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    r.finish();
    ::unlink(file.c_str());
    ::rmdir(dir.c_str());
}

TEST(readiness, of_a_regular_file_is_always_there) {
    run_loop loop(quiet());
    std::FILE* f = std::tmpfile();
    ASSERT_NE(f, nullptr);
    run(loop, waits_to_read(::fileno(f)));
    run(loop, waits_to_write(::fileno(f)));
    std::fclose(f);
}

TEST(readiness, is_waited_for_by_one_task_in_each_direction) {
    run_loop loop(quiet());
    pipe_pair p;
    running<void> first(loop, waits_to_read(p.out.fd)), second(loop, waits_to_read(p.out.fd));
    loop.run_ready();
    EXPECT_FALSE(first.done());
    ASSERT_TRUE(second.done());
    EXPECT_EQ(second.code(), errc::already_waited);
    put(p.in.fd);
    first.finish();
}

TEST(readiness, of_no_descriptor_is_an_error_of_the_system) {
    run_loop loop(quiet());
    running<void> none(loop, waits_to_read(-1)), closed(loop, waits_to_read(54321));
    loop.run_ready();
    EXPECT_EQ(none.code(), std::errc::bad_file_descriptor);
    EXPECT_EQ(closed.code(), std::errc::bad_file_descriptor);
}

TEST(readiness, that_is_stopped_ends_with_cancelled_and_lets_another_wait) {
    run_loop loop(quiet());
    pipe_pair p;
    running<void> r(loop, waits_to_read(p.out.fd));
    loop.run_ready();
    r.stop.request_stop();
    loop.run_ready();
    EXPECT_EQ(r.code(), errc::cancelled);
    running<char> next(loop, reads(p.out.fd));
    loop.run_ready();
    EXPECT_FALSE(next.done());
    put(p.in.fd);
    EXPECT_EQ(next.finish(), 'x');
}

TEST(readiness, of_a_task_that_is_destroyed_is_forgotten) {
    run_loop loop(quiet());
    pipe_pair p;
    {
        running<void> r(loop, waits_to_read(p.out.fd));
        loop.run_ready();
    }
    put(p.in.fd);
    loop.run_ready();
    running<char> next(loop, reads(p.out.fd));
    EXPECT_EQ(next.finish(), 'x');
}

TEST(readiness, of_a_descriptor_that_is_about_to_be_closed_ends_with_closed) {
    run_loop loop(quiet());
    int fds[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
    descriptor a(fds[0]), b(fds[1]);
    char full[4096] = {};
    while (::write(a.fd, full, sizeof full) > 0) {}
    running<void> reader(loop, waits_to_read(a.fd)), writer(loop, waits_to_write(a.fd));
    loop.run_ready();
    loop.forget(a.fd);
    a.close();
    loop.run_ready();
    EXPECT_EQ(reader.code(), errc::closed);
    EXPECT_EQ(writer.code(), errc::closed);
    loop.forget(54321);
}

TEST(readiness, follows_the_number_of_a_closed_descriptor_to_its_next_file) {
    run_loop loop(quiet());
    int number = -1;
    {
        pipe_pair old;
        number = old.out.fd;
        put(old.in.fd);
        run(loop, waits_to_read(old.out.fd));
    }
    pipe_pair fresh;
    ASSERT_TRUE(fresh.out.fd == number || fresh.in.fd == number);
    running<char> r(loop, reads(fresh.out.fd));
    loop.run_ready();
    EXPECT_FALSE(r.done());
    put(fresh.in.fd);
    EXPECT_EQ(r.finish(), 'x');
}

TEST(readiness, is_served_within_a_turn_of_a_queue_that_never_empties) {
    run_loop loop(quiet());
    pipe_pair p;
    struct endless : run_node {
        run_loop* loop = nullptr;
        unsigned runs = 0;
    } busy;
    busy.loop = &loop;
    busy.run = [](run_node* self) noexcept {
        auto& me = static_cast<endless&>(*self);
        ++me.runs;
        me.loop->push(me);
    };
    running<char> r(loop, reads(p.out.fd));
    loop.push(busy);
    loop.run_until([&] { return busy.runs == 10; });
    put(p.in.fd);
    loop.run_until([&] { return r.done(); });
    EXPECT_LE(busy.runs, 10 + run_loop::turn + 2);
    loop.withdraw(busy);
}

TEST(readiness, of_many_descriptors_at_once_loses_none) {
    run_loop loop(quiet());
    constexpr std::size_t count = 200;
    std::vector<std::unique_ptr<pipe_pair>> pipes;
    std::vector<std::unique_ptr<running<char>>> tasks;
    for (std::size_t i = 0; i < count; ++i) {
        pipes.push_back(std::make_unique<pipe_pair>());
        tasks.push_back(std::make_unique<running<char>>(loop, reads(pipes.back()->out.fd)));
    }
    loop.run_ready();
    for (auto& p : pipes) put(p->in.fd);
    for (auto& t : tasks) EXPECT_EQ(t->finish(), 'x');
}

}  // namespace
}  // namespace weir::test
