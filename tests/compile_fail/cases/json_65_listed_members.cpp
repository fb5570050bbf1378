// expect: weir: a message has at most 64 members - group some in nested structs
#include <weir/weir.hpp>

struct Half {
    int m0;
    int m1;
    int m2;
    int m3;
    int m4;
    int m5;
    int m6;
    int m7;
    int m8;
    int m9;
    int m10;
    int m11;
    int m12;
    int m13;
    int m14;
    int m15;
    int m16;
    int m17;
    int m18;
    int m19;
    int m20;
    int m21;
    int m22;
    int m23;
    int m24;
    int m25;
    int m26;
    int m27;
    int m28;
    int m29;
    int m30;
    int m31;
    int m32;
};
struct Other {
    int n0;
    int n1;
    int n2;
    int n3;
    int n4;
    int n5;
    int n6;
    int n7;
    int n8;
    int n9;
    int n10;
    int n11;
    int n12;
    int n13;
    int n14;
    int n15;
    int n16;
    int n17;
    int n18;
    int n19;
    int n20;
    int n21;
    int n22;
    int n23;
    int n24;
    int n25;
    int n26;
    int n27;
    int n28;
    int n29;
    int n30;
    int n31;
};
struct Order : Half, Other {
    static constexpr auto fields() { return weir::fields(weir::base<Half>, weir::base<Other>); }
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
