#pragma once
#include "weir/reflect/member_count.hpp"

// The one place where the language wants every number of members written out.

namespace weir::reflect::detail {

/// Calls f(member...) with references to the members of the plain struct `t`, which has N of them.
template <std::size_t N, class T, class F> constexpr decltype(auto) bind_members(T& t, F&& f) {
    if constexpr (N == 0) {
        return f();
    } else if constexpr (N == 1) {
        auto& [a] = t;
        return f(a);
    } else if constexpr (N == 2) {
        auto& [a, b] = t;
        return f(a, b);
    } else if constexpr (N == 3) {
        auto& [a, b, c] = t;
        return f(a, b, c);
    } else if constexpr (N == 4) {
        auto& [a, b, c, d] = t;
        return f(a, b, c, d);
    } else if constexpr (N == 5) {
        auto& [a, b, c, d, e] = t;
        return f(a, b, c, d, e);
    } else if constexpr (N == 6) {
        auto& [a, b, c, d, e, g] = t;
        return f(a, b, c, d, e, g);
    } else if constexpr (N == 7) {
        auto& [a, b, c, d, e, g, h] = t;
        return f(a, b, c, d, e, g, h);
    } else if constexpr (N == 8) {
        auto& [a, b, c, d, e, g, h, i] = t;
        return f(a, b, c, d, e, g, h, i);
    } else if constexpr (N == 9) {
        auto& [a, b, c, d, e, g, h, i, j] = t;
        return f(a, b, c, d, e, g, h, i, j);
    } else if constexpr (N == 10) {
        auto& [a, b, c, d, e, g, h, i, j, k] = t;
        return f(a, b, c, d, e, g, h, i, j, k);
    } else if constexpr (N == 11) {
        auto& [a, b, c, d, e, g, h, i, j, k, l] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l);
    } else if constexpr (N == 12) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m);
    } else if constexpr (N == 13) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n);
    } else if constexpr (N == 14) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o);
    } else if constexpr (N == 15) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p);
    } else if constexpr (N == 16) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q);
    } else if constexpr (N == 17) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r);
    } else if constexpr (N == 18) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s);
    } else if constexpr (N == 19) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u);
    } else if constexpr (N == 20) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v);
    } else if constexpr (N == 21) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w);
    } else if constexpr (N == 22) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x);
    } else if constexpr (N == 23) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y);
    } else if constexpr (N == 24) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z);
    } else if constexpr (N == 25) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa);
    } else if constexpr (N == 26) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab);
    } else if constexpr (N == 27) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac);
    } else if constexpr (N == 28) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad);
    } else if constexpr (N == 29) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae] =
            t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae);
    } else if constexpr (N == 30) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
               ag] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag);
    } else if constexpr (N == 31) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah);
    } else if constexpr (N == 32) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai);
    } else if constexpr (N == 33) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj);
    } else if constexpr (N == 34) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak);
    } else if constexpr (N == 35) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al);
    } else if constexpr (N == 36) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am);
    } else if constexpr (N == 37) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an);
    } else if constexpr (N == 38) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao);
    } else if constexpr (N == 39) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap);
    } else if constexpr (N == 40) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq);
    } else if constexpr (N == 41) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar);
    } else if constexpr (N == 42) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as);
    } else if constexpr (N == 43) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au);
    } else if constexpr (N == 44) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av);
    } else if constexpr (N == 45) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw);
    } else if constexpr (N == 46) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax);
    } else if constexpr (N == 47) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay);
    } else if constexpr (N == 48) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az);
    } else if constexpr (N == 49) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba);
    } else if constexpr (N == 50) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb);
    } else if constexpr (N == 51) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc);
    } else if constexpr (N == 52) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd);
    } else if constexpr (N == 53) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be] =
            t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be);
    } else if constexpr (N == 54) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be,
               bg] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg);
    } else if constexpr (N == 55) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh);
    } else if constexpr (N == 56) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi);
    } else if constexpr (N == 57) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj);
    } else if constexpr (N == 58) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj, bk] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj, bk);
    } else if constexpr (N == 59) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj, bk, bl] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj, bk, bl);
    } else if constexpr (N == 60) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj, bk, bl, bm] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj, bk, bl, bm);
    } else if constexpr (N == 61) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj, bk, bl, bm, bn] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj, bk, bl, bm, bn);
    } else if constexpr (N == 62) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj, bk, bl, bm, bn, bo] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj, bk, bl, bm, bn, bo);
    } else if constexpr (N == 63) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj, bk, bl, bm, bn, bo, bp] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj, bk, bl, bm, bn, bo, bp);
    } else if constexpr (N == 64) {
        auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae, ag,
               ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd, be, bg,
               bh, bi, bj, bk, bl, bm, bn, bo, bp, bq] = t;
        return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y, z, aa, ab, ac, ad, ae,
                 ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, au, av, aw, ax, ay, az, ba, bb, bc, bd,
                 be, bg, bh, bi, bj, bk, bl, bm, bn, bo, bp, bq);
    }
}

}  // namespace weir::reflect::detail
