// expect: weir: this router was written for another broker - include it there, or write router{"prefix."} without a broker
#include <weir/weir.hpp>

struct other_broker {
    static constexpr unsigned capabilities = 0;
};
void wire(weir::attached<weir::memory::broker>& memory) {
    memory.include(weir::router<other_broker>{"shop."});
}
