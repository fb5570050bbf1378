#pragma once

// The least that makes the cases coroutines: they are parsed, never run.

#include <coroutine>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

template <class T>
struct task {
    struct promise_type {
        task get_return_object();
        std::suspend_always initial_suspend() noexcept;
        std::suspend_always final_suspend() noexcept;
        void return_value(T);
        void unhandled_exception();
    };
    bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<>) noexcept;
    T await_resume();
};

struct name {
    name(const char*);
    name(const name&);
    ~name();
    explicit operator bool() const;
    int size() const;
};

struct receipt {  // an aggregate whose members have destructors
    name customer;
    int amount;
};

task<int> number(int);
task<bool> known(const name&);
task<name> name_of(int);
task<int> send(receipt);
task<int> send_all(std::vector<std::string>);
task<int> total(std::initializer_list<int>);
template <class F>
task<int> later(F f) {
    co_return f();
}
receipt make_receipt(int);
