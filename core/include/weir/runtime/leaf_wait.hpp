#pragma once
#include <weir/error.hpp>
#include <weir/runtime/run_loop.hpp>
#include <weir/runtime/stop.hpp>

#include <coroutine>

namespace weir::detail {

[[noreturn]] void throw_no_loop(const char* what);
[[noreturn]] void throw_cancelled(const char* what);

/// What every wait at the end of a chain of tasks shares: it is woken by its source or by a stop, whichever is first,
/// resumes its task through the ready queue, and takes itself out of everything when its task is destroyed.
///
/// `Node` is what the source knows: a `timer`, an `fd_node`, or a plain `run_node`. The source either runs the node
/// through the loop, or calls `arrive`, after which a stop comes too late: what was handed over is not lost.
template <class Node = run_node> class leaf_wait : public Node {
public:
    leaf_wait(const leaf_wait&) = delete;
    leaf_wait& operator=(const leaf_wait&) = delete;
    /// Called by the awaiting task's promise.
    void use_stop(stop_state* stop) noexcept { stop_ = stop; }

protected:
    using take_out = void (*)(leaf_wait&) noexcept;

    /// `name` appears in errors; `out` takes the wait away from its source, while it waits.
    leaf_wait(const char* name, take_out out) noexcept : name_(name), out_(out), hook_(*this) {
        this->run = [](run_node* n) noexcept {
            auto& w = static_cast<leaf_wait&>(*n);
            if (w.phase_ == phase::waiting) {
                w.phase_ = phase::arrived;
                w.hook_.unlink();
            }
            w.task_.resume();
        };
    }
    ~leaf_wait() {
        if (phase_ == phase::waiting) {
            hook_.unlink();
            out_(*this);
        }
        if (this->queued) loop_->withdraw(*this);
    }

    const char* name() const noexcept { return name_; }
    run_loop& loop() const noexcept { return *loop_; }
    bool stop_requested() const noexcept { return stop_ != nullptr && stop_->stop_requested(); }
    bool waiting() const noexcept { return phase_ == phase::waiting; }
    bool arrived() const noexcept { return phase_ == phase::arrived; }

    /// Refuses to wait in a stopped task; afterwards `loop()` is the current one.
    void prepare() {
        phase_ = phase::idle;  // a completion may be awaited again after a stop
        if (stop_requested()) throw_cancelled(name_);
        loop_ = run_loop::current();
        if (loop_ == nullptr) throw_no_loop(name_);
    }
    /// From here on `arrive`, running the node, or a stop ends the wait.
    void begin(std::coroutine_handle<> task) noexcept {
        task_ = task;
        phase_ = phase::waiting;
        if (stop_ != nullptr) hook_.link(*stop_);
    }
    /// For a wait that is over as soon as it has begun: once through the ready queue.
    void begin_arrived(std::coroutine_handle<> task) noexcept {
        task_ = task;
        phase_ = phase::arrived;
        loop_->push(*this);
    }
    /// By the source: the wait is over and can no longer be stopped.
    void arrive() noexcept {
        phase_ = phase::arrived;
        hook_.unlink();
        loop_->push(*this);
    }
    void check() const {
        if (phase_ == phase::stopped) throw_cancelled(name_);
    }

private:
    enum class phase : unsigned char { idle, waiting, arrived, stopped };
    struct hook : stop_callback {
        explicit hook(leaf_wait& w) noexcept
            : stop_callback([](stop_callback& c) noexcept {
                  leaf_wait& of = static_cast<hook&>(c).wait;
                  of.out_(of);
                  of.phase_ = phase::stopped;
                  of.loop_->push(of);
              }),
              wait(w) {}
        leaf_wait& wait;
    };
    phase phase_ = phase::idle;
    const char* name_;
    take_out out_;
    run_loop* loop_ = nullptr;
    stop_state* stop_ = nullptr;
    std::coroutine_handle<> task_{};
    hook hook_;
};

}  // namespace weir::detail
