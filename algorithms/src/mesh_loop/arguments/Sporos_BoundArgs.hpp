// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BOUNDARGS_HPP
#define SPOROS_BOUNDARGS_HPP

/// \file Sporos_BoundArgs.hpp
/// Arguments of a loop as kernels see them: load brings the values of an
/// element to registers, store takes them back.

#include <mesh_loop/arguments/Sporos_BoundTargets.hpp>
#include <mesh_loop/arguments/Sporos_LoopBundle.hpp>
#include <mesh_loop/arguments/Sporos_WideRows.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

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

/// N registers for each element; `count` of them are used, f(k) for these.
template <int N, int Arity, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_used_registers(int count, const F& f) {
  for (int i = 0; i < Arity; ++i)
    for (int c = 0; c < count; ++c) f(i * N + c);
}

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

/// What access A makes of row i and the registers v[k], v[k + 1], ... of
/// components that are counted at run time.
template <Access A, bool Atomic, class T, class Values>
KOKKOS_FORCEINLINE_FUNCTION void store_counted_row(const DynamicRows<T>& rows,
                                                   int i, const Values& v,
                                                   int k) {
  T* const row = rows.row(i);
  for (int c = 0; c < rows.count(); ++c) {
    T& to         = row[c * rows.component_stride()];
    const T value = v[k + c];
    if constexpr (!accumulates_v<A>)
      to = value;
    else if constexpr (Atomic)
      contribute_atomically<A>(to, value);
    else
      contribute<A>(to, value);
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
  static constexpr bool dynamic   = Rows::dynamic;
  using value_type                = T;
  template <class V>
  using accessor =
      typename AccessorOf<A, V, dynamic ? dynamic_components : N, Arity>::type;

  Rows rows;
  Target target;

  KOKKOS_FORCEINLINE_FUNCTION int count() const { return rows.count(); }
  KOKKOS_FORCEINLINE_FUNCTION void load(int e, T* v) const {
    if constexpr (dynamic) {
      load_counted(e, v);
    } else if constexpr (accumulates_v<A>) {
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
    if constexpr (dynamic) {
      store_counted(e, v);
    } else if constexpr (A != Access::read) {
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

  // of components that are counted at run time; v[k] is that of register k
  KOKKOS_FORCEINLINE_FUNCTION void load_counted(int e, T* v) const {
    if constexpr (accumulates_v<A>) {
      for_used_registers<N, Arity>(
          count(), [&](int k) { v[k] = no_contribution<A, T>(); });
    } else {
      for (int i = 0; i < Arity; ++i) {
        const int t = target(e, i);
        for (int c = 0; c < count(); ++c) v[i * N + c] = value_at(t, c);
      }
    }
  }
  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void store_counted(int e, const Values& v) const {
    if constexpr (A != Access::read)
      for (int i = 0; i < Arity; ++i) {
        const int t = target(e, i);
        if constexpr (Target::partial)
          if (t < 0) continue;
        store_counted_row<A, Atomic>(rows, t, v, i * N);
      }
  }
  /// What is read at a target, which may be missing.
  KOKKOS_FORCEINLINE_FUNCTION T value_at(int t, int c) const {
    if constexpr (Target::partial)
      if (t < 0) return target.value;
    return rows.row(t)[c * rows.component_stride()];
  }
};

/// Contributions that are kept until targets combine them (see
/// Sporos_LoopGather.hpp), those of element e in row(e).
template <class T>
struct KeptRows {
  T* kept_rows      = nullptr;  ///< the first row; null: they are not kept
  Offset kept_pitch = 0;  ///< of rows, which arguments with one dat may share
  int first         = 0;  ///< the element of the first row

  KOKKOS_FORCEINLINE_FUNCTION T* row(int e) const {
    return kept_rows + Offset(e - first) * kept_pitch;
  }
};

/// Contributions that are always kept.
template <class T, int N, int Arity, Access A, bool Dynamic = false>
struct BoundTemporary : KeptRows<T> {
  static constexpr BoundKind kind = BoundKind::dat;
  static constexpr Access access  = A;
  static constexpr int components = N;
  static constexpr int arity      = Arity;
  static constexpr int registers  = N * Arity;
  static constexpr bool kept      = true;
  static constexpr bool dynamic   = Dynamic;
  using value_type                = T;
  template <class V>
  using accessor =
      typename AccessorOf<A, V, dynamic ? dynamic_components : N, Arity>::type;

  int n = N;  ///< components

  KOKKOS_FORCEINLINE_FUNCTION int count() const { return dynamic ? n : N; }
  KOKKOS_FORCEINLINE_FUNCTION void load(int, T* v) const {
    if constexpr (dynamic) {
      for_used_registers<N, Arity>(
          n, [&](int k) { v[k] = no_contribution<A, T>(); });
    } else {
      SPOROS_UNROLL
      for (int k = 0; k < registers; ++k) v[k] = no_contribution<A, T>();
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int e, const T* v) const {
    if constexpr (dynamic)
      store_counted(e, v);
    else
      store_wide<registers>(this->row(e), v);
  }
  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void store_counted(int e, const Values& v) const {
    T* to = this->row(e);
    for_used_registers<N, Arity>(n, [&](int k) { *to++ = v[k]; });
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

}  // namespace Impl
}  // namespace Sporos

#endif
