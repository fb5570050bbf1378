#pragma once
#include <condition_variable>
#include <mutex>

namespace weir::test {

/// Counts what happens on other threads, and lets the test wait for it.
class tally {
public:
    void add(int n = 1) {
        const std::lock_guard lock(mutex_);
        count_ += n;
        changed_.notify_all();
    }
    int count() const {
        const std::lock_guard lock(mutex_);
        return count_;
    }
    /// Blocks until at least `n` have been counted.
    void wait_for(int n) const {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return count_ >= n; });
    }

private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    int count_ = 0;
};

}  // namespace weir::test
