// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_OWNEDARGS_HPP
#define SPOROS_OWNEDARGS_HPP

/// \file Sporos_OwnedArgs.hpp
/// Contributions through maps that are kept, or of which a block applies those
/// to its own targets, or that a team collects.

#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>
#include <mesh_loop/arguments/Sporos_PackArgs.hpp>
#include <mesh_loop/arguments/Sporos_PartialPacks.hpp>

#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// The first target, of `size`, that block b of `blocks` owns.
inline int first_owned(int size, int b, int blocks) {
  return int(std::int64_t(size) * b / blocks);
}

/// A dat in memory, whose targets begin, ..., end - 1 get contributions, unless
/// these are kept.
template <class T, int N, int Arity, class Rows, class Target, Access A>
struct BoundOwned : BoundDat<T, N, Arity, Rows, Target, A>, KeptRows<T> {
  static constexpr bool owned = true;
  using KeptRows<T>::kept_rows;
  int size  = 0;  ///< of the set
  int begin = 0, end = 0;

  void own(int b, int blocks) {
    begin = first_owned(size, b, blocks);
    end   = first_owned(size, b + 1, blocks);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool owns(int e, int i) const {
    if constexpr (Target::partial)
      if (kept_rows != nullptr) return true;
    return is_own(this->target(e, i));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_own(int t) const {
    return unsigned(t - begin) < unsigned(end - begin);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int e, const T* v) const {
    if constexpr (Rows::dynamic) {
      store_counted(e, v);
    } else {
      if (kept_rows != nullptr) return store_wide<N * Arity>(this->row(e), v);
      SPOROS_UNROLL
      for (int i = 0; i < Arity; ++i) {
        const int t = this->target(e, i);
        if (!is_own(t)) continue;
        T* const row = this->rows.row(t);
        SPOROS_UNROLL
        for (int c = 0; c < N; ++c)
          contribute<A>(row[c * this->rows.component_stride()], v[i * N + c]);
      }
    }
  }
  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void store_counted(int e, const Values& v) const {
    if (kept_rows != nullptr) {
      T* to = this->row(e);
      for_used_registers<N, Arity>(this->count(), [&](int k) { *to++ = v[k]; });
    } else {
      for (int i = 0; i < Arity; ++i)
        if (owns(e, i))
          store_counted_row<A, false>(this->rows, this->target(e, i), v, i * N);
    }
  }
};

template <class T, int N, int Arity, class Rows, class Target, Access A,
          class P, class Elements>
SPOROS_ALWAYS_INLINE void store_pack(
    const BoundOwned<T, N, Arity, Rows, Target, A>& arg,
    const Elements& elements, const P* v) {
  using Owned = BoundOwned<T, N, Arity, Rows, Target, A>;
  using Added = BoundDat<T, N, Arity, Rows, Target, A>;
  if (arg.kept_rows == nullptr)
    store_pack(static_cast<const Added&>(arg), elements, v);
  else if constexpr (Rows::dynamic)
    store_counted(arg, elements, v);
  else
    store_transposed(as_rows<1, N * Arity>(v)[0],
                     TemporaryRows<Owned, Elements>{arg, elements});
}

template <class Arg, class = void>
constexpr bool is_owned_v = false;
template <class Arg>
constexpr bool is_owned_v<Arg, std::enable_if_t<Arg::owned>> = true;

/// Block b of the targets of an argument.
template <class Arg>
void own_targets(Arg& arg, int b, int blocks) {
  if constexpr (is_owned_v<Arg>) arg.own(b, blocks);
}
/// Are all targets of these elements the block's own?
template <int W, class Arg, class Elements>
SPOROS_ALWAYS_INLINE bool owns_targets(const Arg& arg,
                                       const Elements& elements) {
  bool all = true;
  if constexpr (is_owned_v<Arg>)
    for (int lane = 0; lane < W; ++lane)
      for (int i = 0; i < Arg::arity; ++i) all &= arg.owns(elements(lane), i);
  return all;
}

/// The place of an increment of another block's target (see OwnerGroup).
constexpr std::uint16_t no_place = 0xffff;

/// Increments that a team collects in scratch: components together where they
/// are together in memory, else apart. MayKeep: unless they are kept
template <class T, int N, int Arity, class Rows, Access A, bool MayKeep>
struct BoundCollected : KeptRows<T> {
  static constexpr BoundKind kind  = BoundKind::dat;
  static constexpr Access access   = A;
  static constexpr int components  = N;
  static constexpr int registers   = N * Arity;
  static constexpr bool kept       = false;
  static constexpr bool collected  = true;
  static constexpr bool contiguous = Rows::contiguous;
  using value_type                 = T;
  template <class V>
  using accessor = typename AccessorOf<A, V, N, Arity>::type;

  Rows rows;
  const std::uint16_t* places = nullptr;  ///< of entry 0 of the list, slot 0
  Offset pitch                = 0;        ///< from slot to slot
  T* data                     = nullptr;
  int size                    = 0;  ///< places in the block

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return N; }
  KOKKOS_FORCEINLINE_FUNCTION bool keeps() const {
    return MayKeep && this->kept_rows != nullptr;
  }
  KOKKOS_FORCEINLINE_FUNCTION int place(int k, int slot) const {
    return places[k + slot * pitch];
  }
  KOKKOS_FORCEINLINE_FUNCTION bool owns(int k, int slot) const {
    return keeps() || place(k, slot) != no_place;
  }
  KOKKOS_FORCEINLINE_FUNCTION int at(int place, int c) const {
    return contiguous ? place * N + c : c * size + place;
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(int, T* v) const {
    SPOROS_UNROLL
    for (int i = 0; i < registers; ++i) v[i] = no_contribution<A, T>();
  }
  /// What element e, entry k of the list, contributes.
  KOKKOS_FORCEINLINE_FUNCTION void store(int k, int e, const T* v) const {
    SPOROS_UNROLL
    for (int i = 0; i < Arity; ++i) {
      if (keeps()) {
        store_wide<N>(this->row(e) + i * N, v + i * N);
        continue;
      }
      const int p = place(k, i);
      if (p == no_place) continue;
      if constexpr (contiguous) {
        store_wide<N>(data + p * N, v + i * N);
      } else {
        SPOROS_UNROLL
        for (int c = 0; c < N; ++c) data[at(p, c)] = v[i * N + c];
      }
    }
  }
};

template <class Arg, class = void>
constexpr bool is_collected_v = false;
template <class Arg>
constexpr bool is_collected_v<Arg, std::enable_if_t<Arg::collected>> = true;

/// Is the block of an element's first target, through the first argument that
/// contributes through a map, this one? -1: there was no such argument so far.
/// e: the element, or for teams its entry of the list
template <class Arg>
KOKKOS_FORCEINLINE_FUNCTION int is_home(int so_far,
                                        [[maybe_unused]] const Arg& arg,
                                        [[maybe_unused]] int e) {
  if constexpr (is_owned_v<Arg> || is_collected_v<Arg>)
    return so_far < 0 ? int(arg.owns(e, 0)) : so_far;
  else
    return so_far;
}

}  // namespace Impl
}  // namespace Sporos

#endif
