// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTIALPACKS_HPP
#define SPOROS_PARTIALPACKS_HPP

/// \file Sporos_PartialPacks.hpp
/// W elements of an argument through a map that may have no target: packs take
/// a row of stand-ins from there, or leave theirs in one.

#include <Sporos_Pack.hpp>
#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>
#include <mesh_loop/arguments/Sporos_PackArgs.hpp>

namespace Sporos {
namespace Impl {

/// The contiguous rows that W elements reach; `none` where there is no target.
template <class Arg, class Elements>
struct PartialRows {
  const Arg& arg;
  const Elements& elements;
  typename Arg::value_type* none;
  int slot = 0;
  SPOROS_ALWAYS_INLINE auto* operator()(int lane) const {
    return (*this)(lane, slot);
  }
  SPOROS_ALWAYS_INLINE auto* operator()(int lane, int i) const {
    const int t = arg.target(elements(lane), i);
    return t < 0 ? none : arg.rows.row(t);
  }
};

template <class T, int N, int Arity, class Rows, class Base, class V, Access A,
          class P, class Elements>
SPOROS_ALWAYS_INLINE void load_pack(
    const BoundDat<T, N, Arity, Rows, PartialTarget<Base, V>, A, false>& arg,
    const Elements& elements, P* v) {
  using Arg = BoundDat<T, N, Arity, Rows, PartialTarget<Base, V>, A, false>;
  if constexpr (Rows::dynamic) {
    load_counted(arg, elements, v);
  } else if constexpr (accumulates_v<A>) {
    for (int k = 0; k < N * Arity; ++k) v[k] = P(no_contribution<A, T>());
  } else if constexpr (Rows::contiguous) {
    T none[N];
    for (T& x : none) x = arg.target.value;
    static_for<Arity>([&](int i) SPOROS_INLINE_LAMBDA {
      load_transposed(as_row<N>(v + i * N),
                      PartialRows<Arg, Elements>{arg, elements, none, i});
    });
  } else {
    for (int i = 0; i < Arity; ++i)
      for (int c = 0; c < N; ++c)
        v[i * N + c] = P::generate([&](int lane) {
          const int t = arg.target(elements(lane), i);
          return t < 0 ? arg.target.value
                       : arg.rows.row(t)[c * arg.rows.component_stride()];
        });
  }
}

template <class T, int N, int Arity, class Rows, class Base, class V, Access A,
          class P, class Elements>
SPOROS_ALWAYS_INLINE void store_pack(
    const BoundDat<T, N, Arity, Rows, PartialTarget<Base, V>, A, false>& arg,
    const Elements& elements, const P* v) {
  using Arg = BoundDat<T, N, Arity, Rows, PartialTarget<Base, V>, A, false>;
  if constexpr (A == Access::read) {
    return;
  } else if constexpr (Rows::dynamic) {
    store_counted(arg, elements, v);
  } else if constexpr (Rows::contiguous &&
                       (A == Access::inc || !accumulates_v<A>)) {
    T none[N] = {};
    const PartialRows<Arg, Elements> rows{arg, elements, none};
    if constexpr (A == Access::inc)
      add_transposed(as_rows<Arity, N>(v), rows);
    else
      store_transposed(as_rows<Arity, N>(v), rows);
  } else {
    for (int lane = 0; lane < P::width; ++lane) {
      T one[N * Arity];
      for (int k = 0; k < N * Arity; ++k) one[k] = v[k][lane];
      arg.store(elements(lane), one);
    }
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
