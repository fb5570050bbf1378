// One line a shape that g++ 12.2 gets wrong. The comment names what the lint has to find there.
#include "task.hpp"

task<int> condition() {
    if (co_await known("grace")) co_return 1;  // finds: await-in-condition
    co_return 0;
}

task<int> condition_with_else() {
    if (!co_await known("grace")) {  // finds: await-in-condition
        co_return 1;
    } else {
        co_return 0;
    }
}

task<int> condition_behind_a_declaration() {
    if (int n = co_await number(4); co_await number(n) == 4) co_return 1;  // finds: await-in-condition
    co_return 0;
}

task<int> loop_while() {
    while (co_await number(4) == 4) co_return 1;  // finds: await-in-condition
    co_return 0;
}

task<int> loop_do() {
    int n = 0;
    do {  // finds: await-in-condition
        ++n;
    } while (co_await number(n) < 3);
    co_return n;
}

task<int> loop_for() {
    int sum = 0;
    for (int i = 0; i < co_await number(5); ++i) sum += i;  // finds: await-in-condition
    co_return sum;
}

task<int> choice() {
    switch (co_await number(1)) {  // finds: await-in-condition
        case 1: co_return 2;
        default: co_return 9;
    }
}

task<int> aggregate() {
    co_return co_await send(receipt{"grace", 1});  // finds: aggregate-next-to-await
}

task<int> aggregate_without_its_name() {
    co_return co_await send({"grace", 1});  // finds: aggregate-next-to-await
}

task<int> aggregate_designated() {
    co_return co_await send({.customer = "grace", .amount = 1});  // finds: aggregate-next-to-await
}

task<int> aggregate_moved() {
    co_return co_await send(std::move(receipt{"grace", 1}));  // finds: aggregate-next-to-await
}

task<int> capture() {
    name grace("grace");
    co_return co_await later([grace] { return grace.size(); });  // finds: aggregate-next-to-await
}

task<int> ternary() {
    bool stranger = co_await known("grace");
    name who = stranger ? co_await name_of(3) : name("grace");  // finds: ternary-with-await
    co_return who.size();
}

task<int> list() {
    co_return co_await total({1, 2, 3});  // finds: initializer-list-with-await
}

task<int> braced_vector() {
    co_return co_await send_all({"a", "b"});  // finds: initializer-list-with-await aggregate-next-to-await
}

task<int> braces() {
    receipt r{"grace", co_await number(2)};  // finds: await-in-braces
    co_return r.amount;
}

task<int> array() {
    int numbers[2] = {1, co_await number(2)};  // finds: await-in-braces
    co_return numbers[0];
}
