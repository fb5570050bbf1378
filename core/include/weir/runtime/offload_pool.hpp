#pragma once
#include <weir/runtime/async_queue.hpp>
#include <weir/runtime/leaf_wait.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace weir {

/// A bounded pool of threads for calls that would block a loop; see `offload`. It must outlive the tasks that use it.
class offload_pool {
public:
    struct options {
        unsigned threads = 4;  ///< at least 1
        std::size_t queue =
            256;  ///< calls that wait for a thread; callers beyond that wait for room, in order
    };
    /// A call, made by `offload`.
    class job {
    public:
        job() = default;
        job(const job&) = delete;
        job& operator=(const job&) = delete;
        virtual ~job() = default;

    private:
        friend class offload_pool;
        virtual void run() noexcept = 0;
        virtual void refuse() noexcept = 0;  // the pool was shut down first
    };
    class place;
    class room_wait;

    offload_pool() : offload_pool(options{}) {}
    explicit offload_pool(options o);
    offload_pool(const offload_pool&) = delete;
    offload_pool& operator=(const offload_pool&) = delete;
    /// Shuts down, and waits for the calls that run.
    ~offload_pool();

    /// The pool of `offload(f)`.
    static offload_pool& shared();

    /// Any thread. Calls that have not begun, and tasks that wait for room, get `errc::closed`.
    void shutdown() noexcept;
    /// Any thread: calls in the queue, and places reserved for some.
    std::size_t queued() const;

    /// `place p = co_await pool.room();` waits until the queue has room for one more.
    room_wait room() noexcept;
    /// Takes a job out of the queue; nothing if it has begun or is not there.
    void withdraw(const std::shared_ptr<job>& which) noexcept;

private:
    void work();
    void give_back_place() noexcept;
    void place_is_free() noexcept;

    mutable std::mutex lock_;
    std::condition_variable has_work_;
    const std::size_t limit_;
    std::size_t taken_ = 0;  // places, of queued jobs and of those about to be
    bool closed_ = false;
    std::deque<std::shared_ptr<job>> jobs_;
    detail::wait_list<room_wait> callers_;
    std::vector<std::thread> threads_;
};

/// A reserved place in the queue: used by `submit`, or given back.
class offload_pool::place {
public:
    place(place&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
    place& operator=(place&&) = delete;
    ~place() {
        if (pool_ != nullptr) pool_->give_back_place();
    }
    void submit(std::shared_ptr<job> what);

private:
    friend class room_wait;
    explicit place(offload_pool& pool) noexcept : pool_(&pool) {}
    offload_pool* pool_;
};

/// See `offload_pool::room`.
class [[nodiscard]] offload_pool::room_wait : private detail::leaf_wait<> {
public:
    explicit room_wait(offload_pool& pool) noexcept;
    using leaf_wait::use_stop;
    bool await_ready() {
        prepare();
        return false;
    }
    bool await_suspend(std::coroutine_handle<> task) noexcept;
    place await_resume();

private:
    friend class offload_pool;
    friend class detail::wait_list<room_wait>;
    enum class state : unsigned char { outside, listed, granted, refused };
    static void leave(leaf_wait& w) noexcept;
    void answer(state how) noexcept;

    struct grant : run_node {
        room_wait* to = nullptr;
    };
    offload_pool& pool_;
    state how_ = state::outside;  // under the pool's lock until the grant has run
    grant grant_;
    room_wait* before_ = nullptr;
    room_wait* after_ = nullptr;
};

inline offload_pool::room_wait offload_pool::room() noexcept { return room_wait(*this); }

}  // namespace weir
