#pragma once
#include <weir/error.hpp>
#include <weir/runtime/clock.hpp>
#include <weir/runtime/run_loop.hpp>
#include <weir/runtime/stop.hpp>
#include <weir/runtime/task.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::test {

using namespace std::chrono_literals;

/// A loop that sleeps at once, so that tests take no processor from each other.
inline run_loop::options quiet() { return {.spin = nanos{0}}; }

/// A loop whose time stands still.
struct still_loop {
    manual_clock time;
    run_loop loop{{.time = &time.source(), .spin = nanos{0}}};
    void advance(nanos by) {
        time.advance(by);
        loop.run_ready();
    }
};

/// A task that starts in the loop's next turn, with a stop of its own, to be looked at from outside.
template <class T> class running {
public:
    running(run_loop& loop, task<T> what) : loop_(loop), task_(std::move(what)) {
        task_.use_stop(stop);
        begin_.of = this;
        begin_.run = [](run_node* n) noexcept { static_cast<begin*>(n)->of->task_.start(); };
        loop.push(begin_);
    }
    running(const running&) = delete;
    running& operator=(const running&) = delete;
    ~running() { loop_.withdraw(begin_); }

    bool done() const noexcept { return task_.done(); }
    T take() { return task_.take(); }
    T finish() {
        loop_.run_until([this] { return done(); });
        return take();
    }
    /// The code of the `weir::error` the task ended with.
    std::error_code code() {
        if (!done()) {
            ADD_FAILURE() << "the task has not ended";
            return {};
        }
        try {
            take();
        } catch (const error& e) {
            return e.code();
        }
        return {};
    }

    stop_state stop;

private:
    struct begin : run_node {
        running* of = nullptr;
    };
    run_loop& loop_;
    begin begin_;
    task<T> task_;
};

template <class T> T run(run_loop& loop, task<T> what) {
    running<T> r(loop, std::move(what));
    return r.finish();
}

/// The code of the `weir::error` that `f` throws; none if it throws nothing.
template <class F> std::error_code code_of(F f) {
    try {
        f();
    } catch (const error& e) {
        return e.code();
    }
    return {};
}

/// A node that writes its number into a log.
struct numbered : run_node {
    numbered(std::vector<int>& to, int n) : log(to), number(n) {
        run = [](run_node* self) noexcept {
            auto& me = static_cast<numbered&>(*self);
            me.log.push_back(me.number);
        };
    }
    std::vector<int>& log;
    int number;
};

}  // namespace weir::test
