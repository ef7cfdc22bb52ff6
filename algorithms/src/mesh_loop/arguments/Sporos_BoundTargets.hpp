// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BOUNDTARGETS_HPP
#define SPOROS_BOUNDTARGETS_HPP

/// \file Sporos_BoundTargets.hpp
/// Where the values of an argument lie, and which target an element reaches
/// through it, as kernels see them: raw pointers and strides, constant where
/// the types say so.

#include <Sporos_MissingArgs.hpp>

#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

using Offset = std::ptrdiff_t;

/// Where the components of an element lie.
template <class T, int N, class Layout>
struct DatRows {
  static constexpr bool contiguous = false;
  static constexpr bool dynamic    = false;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return N; }
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
  static constexpr bool dynamic    = false;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return N; }
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
  static constexpr bool dynamic    = false;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return N; }
  T* data;
  Offset pitch;
  KOKKOS_FORCEINLINE_FUNCTION T* row(int i) const { return data + i; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset row_stride() { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION Offset component_stride() const { return pitch; }
};

/// Components of which the number is known at run time only.
template <class T>
struct DynamicRows {
  static constexpr bool contiguous = false;
  static constexpr bool dynamic    = true;
  T* data;
  Offset row_pitch, pitch;
  int n;
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return n; }
  KOKKOS_FORCEINLINE_FUNCTION T* row(int i) const {
    return data + Offset(i) * row_pitch;
  }
  KOKKOS_FORCEINLINE_FUNCTION Offset row_stride() const { return row_pitch; }
  KOKKOS_FORCEINLINE_FUNCTION Offset component_stride() const { return pitch; }
};

template <class T, int N, class L, class M>
auto dat_rows(const Dat<T, N, L, M>& dat) {
  using Rows    = std::conditional_t<N == dynamic_components, DynamicRows<T>,
                                  DatRows<T, N, L>>;
  const auto& v = dat.view();
  if constexpr (N == dynamic_components)
    return Rows{v.data(), Offset(v.stride(0)), Offset(v.stride(1)),
                dat.component_count()};
  else if constexpr (std::is_same_v<L, Kokkos::LayoutRight>)
    return Rows{v.data()};
  else if constexpr (std::is_same_v<L, Kokkos::LayoutLeft>)
    return Rows{v.data(), Offset(v.stride(1))};
  else
    return Rows{v.data(), Offset(v.stride(0)), Offset(v.stride(1))};
}

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
