// expect: weir: this struct has more than 64 members, or a long C array - split it into nested structs, or list up to 64 members in a static fields()
#include <weir/weir.hpp>

struct Order {
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
    int m33;
    int m34;
    int m35;
    int m36;
    int m37;
    int m38;
    int m39;
    int m40;
    int m41;
    int m42;
    int m43;
    int m44;
    int m45;
    int m46;
    int m47;
    int m48;
    int m49;
    int m50;
    int m51;
    int m52;
    int m53;
    int m54;
    int m55;
    int m56;
    int m57;
    int m58;
    int m59;
    int m60;
    int m61;
    int m62;
    int m63;
    int m64;
};
void handle(const Order&) {}

void wire(weir::attached<weir::memory::broker>& memory) { memory.subscribe("orders", handle); }
