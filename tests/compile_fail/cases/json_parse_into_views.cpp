// expect: weir: parse() cannot return std::string_view members, the text they would point into ends with the call - use std::string, or decode()
#include <weir/weir.hpp>

struct Order {
    std::string_view customer;
};

void read() { (void)weir::json::parse<Order>("{}"); }
