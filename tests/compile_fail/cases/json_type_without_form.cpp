// expect: weir: this type has no form in JSON - use a plain struct, or list its members in a static fields() or in weir::fields_of<T>
#include <weir/weir.hpp>

class price {
public:
    price() = default;
    int cents() const { return cents_; }

private:
    int cents_ = 0;
};
struct Order {
    price total;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
