// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the lanes of a warp.
#pragma once
#include "ptxrun.hpp"
#include <cmath>
#include <limits>

namespace ptxrun {

// .ftz: a denormal number is a zero of its sign
inline float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.f, x)
             : x;
}

template <class F>
inline __attribute__((always_inline)) void lanes(u32 active, F f) {
  if (active == ~0u) {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) f(l);
  } else
    for (u32 m = active; m; m &= m - 1) f(__builtin_ctz(m));
}

template <class D, class A, class F>
Handler unary(F) {
  return [](Warp &w, const Ins &i, u32 active) {
    D *d       = column<D>(w, i.d);
    const A *a = column<A>(w, i.a);
    lanes(active, [=](int l) { d[l] = F{}(a[l]); });
  };
}
template <class D, class A, class B, class F>
Handler binary(F) {
  return [](Warp &w, const Ins &i, u32 active) {
    D *d       = column<D>(w, i.d);
    const A *a = column<A>(w, i.a);
    const B *b = column<B>(w, i.b);
    lanes(active, [=](int l) { d[l] = F{}(a[l], b[l]); });
  };
}
template <class D, class A, class B, class C, class F>
Handler ternary(F) {
  return [](Warp &w, const Ins &i, u32 active) {
    D *d       = column<D>(w, i.d);
    const A *a = column<A>(w, i.a);
    const B *b = column<B>(w, i.b);
    const C *c = column<C>(w, i.c);
    lanes(active, [=](int l) { d[l] = F{}(a[l], b[l], c[l]); });
  };
}
template <class T, class F>
Handler same1(F f) {
  return unary<T, T>(f);
}
template <class T, class F>
Handler same2(F f) {
  return binary<T, T, T>(f);
}
template <class T, class F>
Handler same3(F f) {
  return ternary<T, T, T, T>(f);
}

}  // namespace ptxrun
