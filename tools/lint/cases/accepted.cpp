// The safe forms, and what g++ 12.2 has always got right: nothing here may be reported.
#include "task.hpp"

task<int> named_condition() {
    const bool stranger = !co_await known("grace");
    if (stranger) co_return 1;
    co_return 0;
}

task<int> named_aggregate() {
    receipt r{"grace", 1};
    co_return co_await send(std::move(r));
}

task<int> aggregate_of_a_function() { co_return co_await send(make_receipt(1)); }

task<int> constructed_temporary() { co_return co_await known(name("grace")); }

task<int> named_lambda() {
    name grace("grace");
    auto size = [grace] { return grace.size(); };
    co_return co_await later(size);
}

task<int> lambda_without_captures() {
    co_return co_await later([] { return 1; });
}

task<int> number_by_ternary() {
    bool b = co_await known("grace");
    co_return b ? co_await number(3) : 0;
}

task<int> named_vector() {
    std::vector<std::string> names;
    names.emplace_back("a");
    co_return co_await send_all(std::move(names));
}

task<int> awaited_first() {
    const int amount = co_await number(2);
    receipt r{"grace", amount};
    co_return r.amount;
}

task<int> loop_over_awaited() {
    int sum = 0;
    const int end = co_await number(3);
    for (int i = 0; i < end; ++i) sum += co_await number(i);
    co_return sum;
}

task<receipt> returned_aggregate() { co_return receipt{"grace", 1}; }
