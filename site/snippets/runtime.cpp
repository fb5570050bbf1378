#include "check.hpp"

#include <weir/error.hpp>
#include <weir/runtime/async_queue.hpp>
#include <weir/runtime/completion.hpp>
#include <weir/runtime/event.hpp>
#include <weir/runtime/loop_thread.hpp>
#include <weir/runtime/offload.hpp>
#include <weir/runtime/readiness.hpp>
#include <weir/runtime/run_loop.hpp>
#include <weir/runtime/sleep.hpp>
#include <weir/runtime/stop.hpp>
#include <weir/runtime/task.hpp>
#include <weir/runtime/task_group.hpp>
#include <weir/runtime/this_task.hpp>
#include <weir/runtime/when_all.hpp>
#include <weir/runtime/when_any.hpp>

#include <future>
#include <optional>
#include <string>
#include <thread>

#include <unistd.h>

using namespace std::chrono_literals;

weir::task<int> price_of(int item) {
    co_await weir::sleep_for(1ms);  // the thread does other work meanwhile
    co_return item * 10;
}
weir::task<int> total() {
    int sum = 0;
    for (int item = 1; item != 4; ++item) {
        const int price = co_await price_of(item);
        sum += price;
    }
    co_return sum;
}

weir::task<int> total_at_once() {
    const auto [a, b, c] = co_await weir::when_all(price_of(1), price_of(2), price_of(3));
    co_return a + b + c;
}

weir::task<bool> answered_in_time(weir::task<void> question) {
    const auto limit = []() -> weir::task<void> { co_await weir::sleep_for(5s); };
    weir::task<void> alarm = limit();
    const auto first = co_await weir::when_any(std::move(question), std::move(alarm));
    co_return first.index == 0;  // the other one has been stopped, and has ended
}

weir::task<int> poll_until_stopped() {
    const weir::stop_token stop = co_await weir::this_task::stop_token();
    int rounds = 0;
    while (!stop.stop_requested()) {
        ++rounds;
        try {
            co_await weir::sleep_for(1ms);
        } catch (const weir::error& e) {
            if (e.code() != weir::errc::cancelled) throw;  // a stop ends every wait with errc::cancelled
        }
    }
    co_return rounds;
}

void start_foreign(void (*done)(void*, int),
                   void* context) {  // a C library with a callback, on a thread of its own
    std::thread{[=] { done(context, 42); }}.detach();
}
weir::task<int> ask_foreign() {
    weir::completion<int> answer;
    auto* const handle = new weir::completion_handle<int>(answer.handle());
    start_foreign(
        [](void* context, int value) {
            auto* const to = static_cast<weir::completion_handle<int>*>(context);
            to->set_value(value);
            delete to;
        },
        handle);
    const int value = co_await answer;
    co_return value;
}

std::string read_slowly(const std::string& path) {
    return "contents of " + path;
}  // blocks: fopen, fread, ...

weir::task<std::size_t> length_of(std::string path) {
    auto read = [path] { return read_slowly(path); };  // owns what it uses; has a name
    const std::string text = co_await weir::offload(read);
    co_return text.size();
}

weir::task<void> produce(weir::async_queue<int>& queue) {
    for (int i = 1; i != 11; ++i) co_await queue.push(i);  // waits while it is full
    queue.close();
}
weir::task<int> consume(weir::async_queue<int>& queue) {
    int sum = 0;
    try {
        for (;;) {
            const int i = co_await queue.pop();
            sum += i;
        }
    } catch (const weir::error& e) {
        if (e.code() != weir::errc::closed) throw;
    }
    co_return sum;
}

weir::task<char> read_one(int fd) {
    co_await weir::readable(fd);
    char c = 0;
    if (::read(fd, &c, 1) != 1) throw weir::error(weir::errc::closed, "the pipe has ended");
    co_return c;
}

template <class T> T run(weir::run_loop& loop, weir::task<T> work) {
    std::optional<T> result;
    const auto keep = [](weir::task<T> inner, std::optional<T>& to) -> weir::task<void> {
        T value = co_await std::move(inner);
        to.emplace(std::move(value));
    };
    weir::spawn(loop, keep(std::move(work), result));
    loop.run_until([&] { return result.has_value(); });
    return std::move(*result);
}

int main() {
    weir::run_loop loop;
    check(run(loop, total()) == 60);
    check(run(loop, total_at_once()) == 60);
    weir::event asked;
    asked.set();
    const auto wait = [](weir::event& e) -> weir::task<void> { co_await e.wait(); };
    check(run(loop, answered_in_time(wait(asked))));
    check(run(loop, ask_foreign()) == 42);
    check(run(loop, length_of("a")) == 13);
    {
        weir::async_queue<int> queue(2);
        weir::spawn(loop, produce(queue));
        check(run(loop, consume(queue)) == 55);
    }
    int ends[2];
    check(::pipe(ends) == 0 && ::write(ends[1], "x", 1) == 1);
    check(run(loop, read_one(ends[0])) == 'x');
    ::close(ends[0]);
    ::close(ends[1]);

    weir::stop_state stop;
    weir::task<int> work = poll_until_stopped();
    work.use_stop(stop);  // every wait below it sees this stop
    const auto later = [](weir::stop_state& s) -> weir::task<void> {
        co_await weir::sleep_for(3ms);
        s.request_stop();
    };
    weir::spawn(loop, later(stop));
    check(run(loop, std::move(work)) >= 1);

    std::promise<int> promise;
    weir::loop_thread thread{"prices"};
    const auto report = [](std::promise<int>& to) -> weir::task<void> {
        const int sum = co_await total();
        to.set_value(sum);
    };
    thread.spawn(report(promise));  // any thread may say so; it runs on that one
    check(promise.get_future().get() == 60);
}
