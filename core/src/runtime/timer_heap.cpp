#include <weir/runtime/timer_heap.hpp>

#include <algorithm>

namespace weir {

namespace {
constexpr std::size_t children = 4;
}

void timer_heap::place(std::size_t at, const entry& e) noexcept {
    entries_[at] = e;
    e.what->slot_ = at;
}

void timer_heap::sift_up(std::size_t at, const entry& e) noexcept {
    while (at != 0) {
        const std::size_t parent = (at - 1) / children;
        if (!e.before(entries_[parent])) break;
        place(at, entries_[parent]);
        at = parent;
    }
    place(at, e);
}

void timer_heap::sift_down(std::size_t at, const entry& e) noexcept {
    for (;;) {
        const std::size_t first = at * children + 1;
        if (first >= entries_.size()) break;
        const std::size_t end = std::min(first + children, entries_.size());
        std::size_t least = first;
        for (std::size_t child = first + 1; child < end; ++child) {
            if (entries_[child].before(entries_[least])) least = child;
        }
        if (!entries_[least].before(e)) break;
        place(at, entries_[least]);
        at = least;
    }
    place(at, e);
}

void timer_heap::insert(nanos when, timer& what) {
    const entry e{when, next_order_++, &what};
    entries_.push_back(e);
    sift_up(entries_.size() - 1, e);
}

void timer_heap::erase(timer& what) noexcept {
    const std::size_t at = what.slot_;
    if (at == timer::unarmed) return;
    what.slot_ = timer::unarmed;
    const entry last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;  // it was the last one
    if (at != 0 && last.before(entries_[(at - 1) / children])) sift_up(at, last);
    else sift_down(at, last);
}

timer* timer_heap::pop_due(nanos now) noexcept {
    if (entries_.empty() || entries_.front().when > now) return nullptr;
    timer* first = entries_.front().what;
    erase(*first);
    return first;
}

}  // namespace weir
