// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BOUNDARGS_HPP
#define SPOROS_BOUNDARGS_HPP

/// \file Sporos_BoundArgs.hpp
/// Arguments of a loop as kernels see them: raw pointers and strides, constant
/// where the types say so. load brings the values of an element to registers,
/// store takes them back.

#include <Sporos_MissingArgs.hpp>
#include <mesh_loop/arguments/Sporos_LoopBundle.hpp>
#include <mesh_loop/arguments/Sporos_WideRows.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

using Offset = std::ptrdiff_t;

/// Where the components of an element lie.
template <class T, int N, class Layout>
struct DatRows {
  static constexpr bool contiguous = false;
  T* data;
  Offset row_pitch, pitch;
  KOKKOS_FORCEINLINE_FUNCTION T* row(int i) const {
    return data + Offset(i) * row_pitch;
  }
  KOKKOS_FORCEINLINE_FUNCTION Offset row_stride() const { return row_pitch; }
  KOKKOS_FORCEINLINE_FUNCTION Offset component_stride() const { return pitch; }
};

template <class T, int N>
struct DatRows<T, N, Kokkos::LayoutRight> {
  static constexpr bool contiguous = true;
  T* data;
  KOKKOS_FORCEINLINE_FUNCTION T* row(int i) const {
    return data + Offset(i) * N;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset row_stride() { return N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset component_stride() {
    return 1;
  }
};

template <class T, int N>
struct DatRows<T, N, Kokkos::LayoutLeft> {
  static constexpr bool contiguous = N == 1;
  T* data;
  Offset pitch;
  KOKKOS_FORCEINLINE_FUNCTION T* row(int i) const { return data + i; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset row_stride() { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION Offset component_stride() const { return pitch; }
};

/// The element itself.
struct DirectTarget {
  static constexpr bool direct      = true;
  static constexpr bool consecutive = true;   ///< k + 1 lies behind k
  static constexpr bool partial     = false;  ///< may a target be negative?
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int e, int) const { return e; }
};

/// Element e of a list.
struct ListTarget {
  static constexpr bool direct      = true;
  static constexpr bool consecutive = false;
  static constexpr bool partial     = false;
  const int* list;
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int e, int) const {
    return list[e];
  }
};

/// Entry i of a map; Arity is 0 if only known at run time.
template <int Arity, class Layout>
struct MapTarget {  // rows of entries
  static constexpr bool direct      = false;
  static constexpr bool consecutive = false;
  static constexpr bool partial     = false;
  const int* data;
  int arity;
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int e, int i) const {
    return data[Offset(e) * (Arity > 0 ? Arity : arity) + i];
  }
};

template <int Arity>
struct MapTarget<Arity, Kokkos::LayoutLeft> {  // columns of entries
  static constexpr bool direct      = false;
  static constexpr bool consecutive = false;
  static constexpr bool partial     = false;
  const int* data;
  Offset pitch;
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int e, int i) const {
    return data[e + i * pitch];
  }
};

/// Entry i of a map that may be negative: then `value` is read, and nothing is
/// written.
template <class Base, class T>
struct PartialTarget : Base {
  static constexpr bool partial = true;
  T value;
};

enum class BoundKind { dat, constant, reduction };

template <Access A, class V, int N, int Arity>
struct AccessorOf {
  using type = Reduce<V, N, Arity>;
};
template <class V, int N, int Arity>
struct AccessorOf<Access::read, V, N, Arity> {
  using type = Read<V, N, Arity>;
};
template <class V, int N, int Arity>
struct AccessorOf<Access::write, V, N, Arity> {
  using type = Write<V, N, Arity>;
};
template <class V, int N, int Arity>
struct AccessorOf<Access::rw, V, N, Arity> {
  using type = ReadWrite<V, N, Arity>;
};
template <class V, int N, int Arity>
struct AccessorOf<Access::inc, V, N, Arity> {
  using type = Inc<V, N, Arity>;
};

/// Does combining `value` with v change it?
template <Access A, class T>
KOKKOS_FORCEINLINE_FUNCTION bool is_changed_by(T value, T v) {
  return !Math::is_nan(value) &&
         (Math::is_nan(v) || (A == Access::min ? v < value : value < v));
}

/// Kokkos' own minima and maxima lose NaN.
template <Access A, class T>
KOKKOS_FORCEINLINE_FUNCTION void contribute_atomically(T& value, T v) {
  if constexpr (!std::is_floating_point_v<T> && A == Access::min) {
    Kokkos::atomic_fetch_min(&value, v);
  } else if constexpr (!std::is_floating_point_v<T> && A == Access::max) {
    Kokkos::atomic_fetch_max(&value, v);
  } else if constexpr (A == Access::min || A == Access::max) {
    // v in place of v: an atomic load
    T now = Kokkos::atomic_compare_exchange(&value, v, v);
    while (is_changed_by<A>(now, v)) {
      Kokkos::atomic_compare_exchange(&value, now, v);
      now = Kokkos::atomic_compare_exchange(&value, v, v);
    }
  } else {
    Kokkos::atomic_add(&value, v);
  }
}

/// A dat in memory. Atomic: contributions are combined atomically.
template <class T, int N, int Arity, class Rows, class Target, Access A,
          bool Atomic = false>
struct BoundDat {
  static constexpr BoundKind kind = BoundKind::dat;
  static constexpr Access access  = A;
  static constexpr int components = N;
  static constexpr int arity      = Arity;
  static constexpr int registers  = N * Arity;
  static constexpr int row_values = Rows::contiguous ? N : 1;
  static constexpr bool kept      = false;
  static constexpr bool direct    = Target::direct;
  using value_type                = T;
  template <class V>
  using accessor = typename AccessorOf<A, V, N, Arity>::type;

  Rows rows;
  Target target;

  KOKKOS_FORCEINLINE_FUNCTION void load(int e, T* v) const {
    if constexpr (accumulates_v<A>) {
      SPOROS_UNROLL
      for (int k = 0; k < registers; ++k) v[k] = no_contribution<A, T>();
    } else {  // a write, too: what the kernel leaves alone stays as it is
      SPOROS_UNROLL
      for (int i = 0; i < Arity; ++i) {
        const int t = target(e, i);
        if constexpr (Target::partial)
          if (t < 0) {
            SPOROS_UNROLL
            for (int c = 0; c < N; ++c) v[i * N + c] = target.value;
            continue;
          }
        load_row<N>(rows, t, v + i * N);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(int e, const T* v) const {
    if constexpr (A != Access::read) {
      SPOROS_UNROLL
      for (int i = 0; i < Arity; ++i) {
        const int t = target(e, i);
        if constexpr (Target::partial)
          if (t < 0) continue;
        if constexpr (!accumulates_v<A>) {
          store_row<N>(rows, t, v + i * N);
        } else if constexpr (Atomic) {
          T* const row = rows.row(t);
          SPOROS_UNROLL
          for (int c = 0; c < N; ++c)
            contribute_atomically<A>(row[c * rows.component_stride()],
                                     v[i * N + c]);
        } else if constexpr (is_device_pass) {
          T sum[N];
          load_row<N>(rows, t, sum);
          SPOROS_UNROLL
          for (int c = 0; c < N; ++c) contribute<A>(sum[c], v[i * N + c]);
          store_row<N>(rows, t, sum);
        } else {
          T* const row = rows.row(t);
          SPOROS_UNROLL
          for (int c = 0; c < N; ++c)
            contribute<A>(row[c * rows.component_stride()], v[i * N + c]);
        }
      }
    }
  }
};

/// Contributions that are kept, row `e - first` for element e: the gather
/// strategy combines them afterwards.
template <class T, int N, int Arity, Access A>
struct BoundTemporary {
  static constexpr BoundKind kind = BoundKind::dat;
  static constexpr Access access  = A;
  static constexpr int registers  = N * Arity;
  static constexpr bool kept      = true;
  using value_type                = T;
  template <class V>
  using accessor = typename AccessorOf<A, V, N, Arity>::type;

  T* data;
  int first;

  KOKKOS_FORCEINLINE_FUNCTION T* row(int e) const {
    return data + Offset(e - first) * registers;
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(int, T* v) const {
    SPOROS_UNROLL
    for (int k = 0; k < registers; ++k) v[k] = no_contribution<A, T>();
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int e, const T* v) const {
    store_wide<registers>(row(e), v);
  }
};

/// Contributions to a sum that are kept.
template <class T, int N>
struct BoundKeptSum : BoundTemporary<T, N, 1, Access::inc> {
  template <class V>
  using accessor = Reduce<V, N>;
};

/// The element's number, which is a value and no accessor.
template <class Target>
struct BoundIndex {
  static constexpr BoundKind kind = BoundKind::dat;
  static constexpr Access access  = Access::read;
  static constexpr int registers  = 1;
  using value_type                = int;
  template <class V>
  using accessor = V;

  Target target;
  KOKKOS_FORCEINLINE_FUNCTION void load(int e, int* v) const {
    *v = target(e, 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int, const int*) const {}
};

/// Constants. Values: const T*, in memory, or T[N], in the loop itself
template <class T, int N, class Values>
struct BoundConstant {
  static constexpr BoundKind kind = BoundKind::constant;
  static constexpr int components = N;
  using value_type                = T;
  template <class V>
  using accessor = GlobalRead<V, N>;

  Values values;
  KOKKOS_FORCEINLINE_FUNCTION T initial(int c) const { return values[c]; }
  KOKKOS_FORCEINLINE_FUNCTION const T* numbers() const { return values; }
};

/// The value; a zero becomes positive and a NaN the usual one.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T plain_value(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (Math::is_nan(value)) return ValueRange<T>::nan;
    return value == T(0) ? T(0) : value;
  } else {
    return value;
  }
}

/// A reduction: chunk k of the loop leaves its part in partials[k * N ...].
template <class T, int N, Reduction R>
struct BoundReduce {
  static constexpr BoundKind kind      = BoundKind::reduction;
  static constexpr int components      = N;
  static constexpr Reduction reduction = R;
  using value_type                     = T;
  template <class V>
  using accessor = Reduce<V, N>;

  T* partials;
  T* result;
  bool accumulate;  ///< combine with what result holds, or overwrite it
  /// Which zero, or which NaN, wins depends on the order.
  bool plain;
  KOKKOS_FORCEINLINE_FUNCTION T initial(int) const {
    return reduction_identity<R, T>();
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish(int c, const T& total) const {
    const T value = accumulate ? combine<R>(result[c], total) : total;
    result[c]     = plain ? plain_value<T>(value) : value;
  }
};

/// A global that is written: a reduction to what the last element wrote.
template <class T, int N>
struct BoundWrite {
  static constexpr BoundKind kind      = BoundKind::reduction;
  static constexpr int components      = N;
  static constexpr Reduction reduction = Reduction::last;
  using value_type                     = Written<T>;
  template <class V>
  using accessor = GlobalWrite<V, N>;

  Written<T>* partials;
  T* result;
  int* element;      ///< null, or gets place() of what wrote each component
  const int* order;  ///< place of each element in the set; null: its number
  KOKKOS_FORCEINLINE_FUNCTION int place(int e) const {
    return order != nullptr ? order[e] : e;
  }
  KOKKOS_FORCEINLINE_FUNCTION Written<T> initial(int) const {
    return reduction_identity<reduction, Written<T>>();
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish(int c,
                                          const Written<T>& total) const {
    if (total.element < 0) return;
    result[c] = total.value;
    if (element != nullptr) element[c] = total.element;
  }
};

template <class T, int N, class L, class M>
DatRows<T, N, L> dat_rows(const Dat<T, N, L, M>& dat) {
  const auto& v = dat.view();
  if constexpr (std::is_same_v<L, Kokkos::LayoutRight>)
    return {v.data()};
  else if constexpr (std::is_same_v<L, Kokkos::LayoutLeft>)
    return {v.data(), Offset(v.stride(1))};
  else
    return {v.data(), Offset(v.stride(0)), Offset(v.stride(1))};
}

inline DirectTarget map_target(const NoMap&, int) { return {}; }
inline ListTarget map_target(const ListMap& map, int) { return {map.list}; }

template <int Arity, class M>
auto map_target(const Map<Arity, M>& map, int index) {
  using View    = typename Map<Arity, M>::view_type;
  using Target  = MapTarget<Arity, typename View::array_layout>;
  const View& v = map.view();
  if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>)
    return Target{v.data() + index * Offset(v.stride(1)), Offset(v.stride(1))};
  else
    return Target{v.data() + index, map.arity()};
}
template <class M, class T>
auto map_target(const PartialMap<M, T>& map, int index) {
  const M& entries = map;
  return PartialTarget<decltype(map_target(entries, index)), T>{
      map_target(entries, index), map.value};
}

}  // namespace Impl
}  // namespace Sporos

#endif
