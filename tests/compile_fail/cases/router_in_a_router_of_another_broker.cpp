// expect: weir: this router was written for another broker - include it there, or write router{"prefix."} without a broker
#include <weir/weir.hpp>

struct other_broker {
    static constexpr unsigned capabilities = 0;
};

void wire() {
    weir::router<weir::memory::broker> outer{"shop."};
    outer.include(weir::router<other_broker>{"eu."});
}
