#include <weir/runtime/when_all.hpp>
#include <weir/runtime/when_any.hpp>

namespace weir::detail {

task<void> all_of(std::vector<task<void>> given) {
    const stop_token outer = co_await this_task::stop_token();
    std::vector<join_leg> legs(given.size());
    join j(outer, given.size(), false);
    std::vector<task<void>> tasks(std::move(given));
    for (std::size_t i = 0; i < tasks.size(); ++i) j.start(tasks[i], legs[i], i);
    co_await j.all_ended();
    if (j.first() != join::none) std::rethrow_exception(tasks[j.first()].failure());
}

void throw_any_of_none() { throw error(errc::misuse, "weir: when_any of no task would never end"); }

}  // namespace weir::detail
