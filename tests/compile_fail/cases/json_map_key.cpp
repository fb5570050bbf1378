// expect: weir: the keys of a map in a message are std::string, std::string_view, integers or enumerations
#include <weir/weir.hpp>

#include <map>

struct Order {
    std::map<double, int> prices;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
