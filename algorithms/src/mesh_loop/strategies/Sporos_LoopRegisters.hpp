// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPREGISTERS_HPP
#define SPOROS_LOOPREGISTERS_HPP

/// \file Sporos_LoopRegisters.hpp
/// What a loop keeps of each argument for an element, or a pack of elements,
/// and for a chunk of elements.

#include <Sporos_Checks.hpp>
#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// Nothing, or n values.
template <class V, int N>
struct RegisterArray {
  V v[N];
};
template <class V>
struct RegisterArray<V, 0> {
  static constexpr V* v = nullptr;
};

/// W lanes of T; T itself for W = 0.
template <class T, int W>
struct LaneType {
  using type = Pack<T, W>;
};
template <class T>
struct LaneType<T, 0> {
  using type = T;
};

template <class Arg, int W>
using lane_type =
    typename LaneType<typename KernelValue<typename Arg::value_type>::type,
                      W>::type;

template <class Arg>
constexpr bool is_bound_dat_v = Arg::kind == BoundKind::dat;

/// Is it a global that is written?
template <class Arg>
constexpr bool is_bound_write_v = false;
template <class T, int N>
constexpr bool is_bound_write_v<BoundWrite<T, N>> = true;

// Constructors are written out where nvcc takes an implicit one, which is
// constexpr, for a host function (with C++20 more often than with 17).

/// Registers of one element (or pack of elements).
template <class Arg, int W, bool = is_bound_dat_v<Arg>>
struct ElementRegisters : RegisterArray<lane_type<Arg, W>, Arg::registers> {};
template <class Arg, int W>
struct ElementRegisters<Arg, W, false> : RegisterArray<lane_type<Arg, W>, 0> {};
template <class T, int N, int W>
struct ElementRegisters<BoundWrite<T, N>, W, false> {
  typename LaneType<T, W>::type v[N] = {};
  bool assigned[N]                   = {};
  KOKKOS_FORCEINLINE_FUNCTION ElementRegisters() {}
};

/// Registers that live through a chunk: constants and partial results.
template <class Arg, int W>
using chunk_type =
    std::conditional_t<is_bound_write_v<Arg>, typename Arg::value_type,
                       lane_type<Arg, W>>;
template <class Arg, int W, bool = is_bound_dat_v<Arg>>
struct ChunkRegisters : RegisterArray<chunk_type<Arg, W>, Arg::components> {
  KOKKOS_FORCEINLINE_FUNCTION ChunkRegisters() {}
};
template <class Arg, int W>
struct ChunkRegisters<Arg, W, true> : RegisterArray<lane_type<Arg, W>, 0> {};

/// Is the number of its components known at run time only?
template <class Arg, class = void>
constexpr bool is_dynamic_v = false;
template <class Arg>
constexpr bool is_dynamic_v<Arg, std::enable_if_t<Arg::dynamic>> = true;

template <class Arg, int W>
KOKKOS_FORCEINLINE_FUNCTION typename Arg::template accessor<lane_type<Arg, W>>
accessor([[maybe_unused]] const Arg& arg, ElementRegisters<Arg, W>& element,
         ChunkRegisters<Arg, W>& chunk) {
  using A = typename Arg::template accessor<lane_type<Arg, W>>;
  if constexpr (std::is_same_v<A, lane_type<Arg, W>>)
    return *element.v;
  else if constexpr (is_bound_write_v<Arg>)
    return A(element.v, element.assigned);
  else if constexpr (is_dynamic_v<Arg>)
    return A(element.v, arg.count());
  else if constexpr (is_bound_dat_v<Arg>)
    return A(element.v);
  else if constexpr (Arg::kind == BoundKind::constant)
    return A(chunk.v, arg.numbers());
  else
    return A(chunk.v);
}

/// Constants and the identities of reductions.
template <class Arg, int W>
KOKKOS_FORCEINLINE_FUNCTION void begin_chunk(const Arg& arg,
                                             ChunkRegisters<Arg, W>& chunk) {
  if constexpr (!is_bound_dat_v<Arg>) {
    SPOROS_UNROLL
    for (int c = 0; c < Arg::components; ++c)
      chunk.v[c] = chunk_type<Arg, W>(arg.initial(c));
  }
}

/// One element, as lanes of a pack.
struct OneElement {
  int e;
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int) const { return e; }
};

/// What the last of the elements wrote to a global.
template <class Arg, int W, class Elements>
KOKKOS_FORCEINLINE_FUNCTION void keep_written(
    [[maybe_unused]] const Arg& arg, [[maybe_unused]] const Elements& elements,
    [[maybe_unused]] const ElementRegisters<Arg, W>& element,
    [[maybe_unused]] ChunkRegisters<Arg, W>& chunk) {
  if constexpr (is_bound_write_v<Arg>) {
    int lane       = W == 0 ? 0 : W - 1;
    int last       = arg.place(elements(lane));
    bool ascending = arg.order == nullptr;
    if constexpr (W > 0) ascending = ascending && Elements::consecutive;
    if (!ascending)
      for (int l = 0; l < W; ++l) {
        const int place = arg.place(elements(l));
        if (place > last) {
          last = place;
          lane = l;
        }
      }
    SPOROS_UNROLL
    for (int c = 0; c < Arg::components; ++c) {
      if (!element.assigned[c]) continue;
      typename Arg::value_type written{{}, last};
      if constexpr (W == 0)
        written.value = element.v[c];
      else
        written.value = element.v[c][lane];
      chunk.v[c] = combine<Reduction::last>(chunk.v[c], written);
    }
  }
}

template <class Arg>
KOKKOS_FORCEINLINE_FUNCTION void end_chunk(const Arg& arg,
                                           const ChunkRegisters<Arg, 0>& chunk,
                                           int number) {
  if constexpr (Arg::kind == BoundKind::reduction)
    for (int c = 0; c < Arg::components; ++c)
      arg.partials[Offset(number) * Arg::components + c] = chunk.v[c];
}

/// Lanes into scalars, by halves.
template <class Arg, int W>
void fold_lanes(const Arg&, const ChunkRegisters<Arg, W>& packs,
                ChunkRegisters<Arg, 0>& scalars) {
  if constexpr (is_bound_write_v<Arg>)
    for (int c = 0; c < Arg::components; ++c)
      scalars.v[c] = combine<Reduction::last>(scalars.v[c], packs.v[c]);
  else if constexpr (Arg::kind == BoundKind::reduction)
    for (int c = 0; c < Arg::components; ++c) {
      typename Arg::value_type lane[W];
      packs.v[c].store(lane);
      for (int half = W / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l)
          lane[l] = combine<Arg::reduction>(lane[l], lane[l + half]);
      scalars.v[c] = combine<Arg::reduction>(scalars.v[c], lane[0]);
    }
}

/// A minimum or maximum of a chunk before the kernel sees an element. If checks
/// are on, the program ends where the kernel assigns to it what is no smaller
/// or larger, or drops a NaN: what depends on the order of elements then.
template <class Arg, int W, bool = checks_enabled, class = void>
struct ReducedSoFar {
  KOKKOS_FORCEINLINE_FUNCTION void take(const ChunkRegisters<Arg, W>&) {}
  KOKKOS_FORCEINLINE_FUNCTION void check(const ChunkRegisters<Arg, W>&) const {}
};
template <class Arg, int W>
struct ReducedSoFar<Arg, W, true,
                    std::enable_if_t<Arg::reduction == Reduction::min ||
                                     Arg::reduction == Reduction::max>> {
  lane_type<Arg, W> before[Arg::components];

  KOKKOS_FORCEINLINE_FUNCTION void take(const ChunkRegisters<Arg, W>& chunk) {
    for (int c = 0; c < Arg::components; ++c) before[c] = chunk.v[c];
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void check_value(T was, T is) {
    if (Math::is_nan(is)) return;
    if (!(Arg::reduction == Reduction::min ? is <= was : was <= is))
      Kokkos::abort(
          "Sporos::par_loop: a kernel assigns to a minimum or maximum, or "
          "drops a NaN: write a[c] = Sporos::min(a[c], v), or max\n");
  }
  KOKKOS_FORCEINLINE_FUNCTION void check(
      const ChunkRegisters<Arg, W>& chunk) const {
    for (int c = 0; c < Arg::components; ++c)
      if constexpr (W == 0)
        check_value(before[c], chunk.v[c]);
      else
        for (int lane = 0; lane < W; ++lane)
          check_value(before[c][lane], chunk.v[c][lane]);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
