// expect: weir: a layer used on an included router keeps at most 16 plain bytes between before and after
#include <weir/weir.hpp>

struct wide {
    struct state {
        long numbers[4];
    };
    state before(const weir::incoming&) { return {}; }
    void after(const weir::incoming&, state&, weir::outcome&) {}
};

void wire() {
    auto outer = weir::router{"shop."}.layer(wide{});
    outer.include(weir::router{"eu."});
}
