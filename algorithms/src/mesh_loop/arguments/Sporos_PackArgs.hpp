// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKARGS_HPP
#define SPOROS_PACKARGS_HPP

/// \file Sporos_PackArgs.hpp
/// W elements of an argument in packs: rows transposed in registers for AoS,
/// plain loads for what is contiguous; increments are applied element by
/// element in their order.

#include <Sporos_Pack.hpp>
#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>

namespace Sporos {
namespace Impl {

/// The elements first, first + 1, ...
struct ConsecutiveElements {
  static constexpr bool consecutive = true;
  int first;
  SPOROS_ALWAYS_INLINE int operator()(int lane) const { return first + lane; }
};

/// The elements of a list.
struct ListedElements {
  static constexpr bool consecutive = false;
  const int* list;
  SPOROS_ALWAYS_INLINE int operator()(int lane) const { return list[lane]; }
};

/// The rows that W elements reach: rows(lane) through index `slot`, or
/// rows(lane, i) through index i.
template <class Rows, class Target, class Elements>
struct LaneRows {
  const Rows& rows;
  const Target& target;
  const Elements& elements;
  int slot = 0;
  SPOROS_ALWAYS_INLINE auto* operator()(int lane) const {
    return rows.row(target(elements(lane), slot));
  }
  SPOROS_ALWAYS_INLINE auto* operator()(int lane, int i) const {
    return rows.row(target(elements(lane), i));
  }
};

/// The rows of a temporary.
template <class Arg, class Elements>
struct TemporaryRows {
  const Arg& arg;
  const Elements& elements;
  SPOROS_ALWAYS_INLINE auto* operator()(int lane) const {
    return arg.row(elements(lane));
  }
};

template <Access A>
struct ContributePiece {
  template <class T>
  SPOROS_ALWAYS_INLINE void operator()(T* value, T v) const {
    contribute<A>(*value, v);
  }
};

template <int N, class P>
SPOROS_ALWAYS_INLINE P (&as_row(P* v))[N] {
  return *reinterpret_cast<P(*)[N]>(v);
}
template <int Arity, int N, class P>
SPOROS_ALWAYS_INLINE const P (&as_rows(const P* v))[Arity][N] {
  return *reinterpret_cast<const P(*)[Arity][N]>(v);
}

/// A lane of all registers.
template <class P>
struct LaneValues {
  const P* v;
  int lane;
  SPOROS_ALWAYS_INLINE auto operator[](int k) const { return v[k][lane]; }
};

/// W elements whose components are counted at run time.
template <class Arg, class P, class Elements>
SPOROS_ALWAYS_INLINE void load_counted(const Arg& arg, const Elements& elements,
                                       P* v) {
  using T         = typename Arg::value_type;
  constexpr int N = Arg::components;
  if constexpr (accumulates_v<Arg::access>) {
    for_used_registers<N, Arg::arity>(arg.count(), [&](int k) {
      v[k] = P(no_contribution<Arg::access, T>());
    });
  } else {
    for (int i = 0; i < Arg::arity; ++i) {
      int targets[P::width];
      for (int lane = 0; lane < P::width; ++lane)
        targets[lane] = arg.target(elements(lane), i);
      for (int c = 0; c < arg.count(); ++c)
        v[i * N + c] = P::generate(
            [&](int lane) { return arg.value_at(targets[lane], c); });
    }
  }
}
template <class Arg, class P, class Elements>
SPOROS_ALWAYS_INLINE void store_counted(const Arg& arg,
                                        const Elements& elements, const P* v) {
  for (int lane = 0; lane < P::width; ++lane)
    arg.store_counted(elements(lane), LaneValues<P>{v, lane});
}

template <class T, int N, int Arity, class Rows, class Target, Access A,
          class P, class Elements>
SPOROS_ALWAYS_INLINE void load_pack(
    const BoundDat<T, N, Arity, Rows, Target, A, false>& arg,
    const Elements& elements, P* v) {
  if constexpr (Rows::dynamic) {
    load_counted(arg, elements, v);
  } else if constexpr (accumulates_v<A>) {
    for (int k = 0; k < N * Arity; ++k) v[k] = P(no_contribution<A, T>());
  } else if constexpr (Target::consecutive && Elements::consecutive &&
                       (N == 1 || !Rows::contiguous)) {
    T* const first = arg.rows.row(elements.first);
    if (arg.rows.row_stride() == 1)
      for (int c = 0; c < N; ++c)
        v[c] = P::load(first + c * arg.rows.component_stride());
    else
      load_elements(as_row<N>(v), StridedRows<T>{first, arg.rows.row_stride()},
                    arg.rows.component_stride());
  } else {
    static_for<Arity>([&](int i) SPOROS_INLINE_LAMBDA {
      const LaneRows<Rows, Target, Elements> rows{arg.rows, arg.target,
                                                  elements, i};
      if constexpr (Rows::contiguous)
        load_transposed(as_row<N>(v + i * N), rows);
      else
        load_elements(as_row<N>(v + i * N), rows, arg.rows.component_stride());
    });
  }
}

template <class T, int N, int Arity, class Rows, class Target, Access A,
          class P, class Elements>
SPOROS_ALWAYS_INLINE void store_pack(
    const BoundDat<T, N, Arity, Rows, Target, A, false>& arg,
    const Elements& elements, const P* v) {
  if constexpr (A == Access::read) {
    return;
  } else if constexpr (Rows::dynamic) {
    store_counted(arg, elements, v);
  } else if constexpr (A == Access::min || A == Access::max) {
    const LaneRows<Rows, Target, Elements> rows{arg.rows, arg.target, elements};
    visit_elements<ContributePiece<A>>(as_rows<Arity, N>(v), rows,
                                       arg.rows.component_stride());
  } else if constexpr (Target::consecutive && Elements::consecutive &&
                       (N == 1 || !Rows::contiguous)) {
    T* const first = arg.rows.row(elements.first);
    const auto& in = as_rows<1, N>(v)[0];
    const Offset s = arg.rows.component_stride();
    if (arg.rows.row_stride() == 1) {
      for (int c = 0; c < N; ++c) {
        if constexpr (A == Access::inc)
          (P::load(first + c * s) + v[c]).store(first + c * s);
        else
          v[c].store(first + c * s);
      }
    } else {
      const StridedRows<T> rows{first, arg.rows.row_stride()};
      if constexpr (A == Access::inc)
        add_elements(in, rows, s);
      else
        store_elements(in, rows, s);
    }
  } else {
    const LaneRows<Rows, Target, Elements> rows{arg.rows, arg.target, elements};
    const auto& in = as_rows<Arity, N>(v);
    if constexpr (Rows::contiguous && A == Access::inc)
      add_transposed(in, rows);
    else if constexpr (Rows::contiguous)
      store_transposed(in, rows);
    else if constexpr (A == Access::inc)
      add_elements(in, rows, arg.rows.component_stride());
    else
      store_elements(in, rows, arg.rows.component_stride());
  }
}

template <class Target, class P, class Elements>
SPOROS_ALWAYS_INLINE void load_pack(const BoundIndex<Target>& arg,
                                    const Elements& elements, P* v) {
  *v = P::generate([&](int lane) { return arg.target(elements(lane), 0); });
}
template <class Target, class P, class Elements>
SPOROS_ALWAYS_INLINE void store_pack(const BoundIndex<Target>&, const Elements&,
                                     const P*) {}

template <class T, int N, int Arity, Access A, bool Dynamic, class P,
          class Elements>
SPOROS_ALWAYS_INLINE void load_pack(
    const BoundTemporary<T, N, Arity, A, Dynamic>& arg,
    const Elements& elements, P* v) {
  if constexpr (Dynamic)
    load_counted(arg, elements, v);
  else
    for (int k = 0; k < N * Arity; ++k) v[k] = P(no_contribution<A, T>());
}
template <class T, int N, int Arity, Access A, bool Dynamic, class P,
          class Elements>
SPOROS_ALWAYS_INLINE void store_pack(
    const BoundTemporary<T, N, Arity, A, Dynamic>& arg,
    const Elements& elements, const P* v) {
  using Arg = BoundTemporary<T, N, Arity, A, Dynamic>;
  if constexpr (Dynamic)
    store_counted(arg, elements, v);
  else
    store_transposed(as_rows<1, N * Arity>(v)[0],
                     TemporaryRows<Arg, Elements>{arg, elements});
}

}  // namespace Impl
}  // namespace Sporos

#endif
