// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ROWPACK_HPP
#define SPOROS_ROWPACK_HPP

/// \file Sporos_RowPack.hpp
/// A short row of values of constant length in SIMD registers.

#include <Sporos_PackMath.hpp>
#include <Sporos_PackShuffle.hpp>
#include <Sporos_PackType.hpp>

namespace Sporos {
namespace Impl {

/// N consecutive values in SIMD registers of hosts: a pack for each bit of N.
template <class T, int N>
struct RowPack {
  static constexpr int lanes = previous_power_of_two(N);
  using Head                 = Pack<T, lanes>;
  static constexpr int registers =
      Head::registers + RowPack<T, N - lanes>::registers;
  Head head;
  RowPack<T, N - lanes> tail;

  static SPOROS_ALWAYS_INLINE RowPack load(const T* p) {
    return {Head::load(p), RowPack<T, N - lanes>::load(p + lanes)};
  }
  static SPOROS_ALWAYS_INLINE RowPack fill(T s) {
    return {Head(s), RowPack<T, N - lanes>::fill(s)};
  }
  SPOROS_ALWAYS_INLINE void store(T* p) const {
    head.store(p);
    tail.store(p + lanes);
  }
  /// *this += a b
  SPOROS_ALWAYS_INLINE void add_product(const RowPack& a, T b) {
    head = fma(a.head, Head(b), head);
    tail.add_product(a.tail, b);
  }
  SPOROS_ALWAYS_INLINE void add(const RowPack& a) {
    head += a.head;
    tail.add(a.tail);
  }
  SPOROS_ALWAYS_INLINE RowPack times(T b) const {
    return {head * Head(b), tail.times(b)};
  }
  /// sum of the products with b
  SPOROS_ALWAYS_INLINE T dot(const RowPack& b) const {
    return sum(head * b.head) + tail.dot(b.tail);
  }
  /// The sum of the products where *this is not 0; b may be NaN elsewhere.
  SPOROS_ALWAYS_INLINE T dot_nonzero(const RowPack& b) const {
    return sum(where_nonzero(head, head * b.head)) + tail.dot_nonzero(b.tail);
  }
};

template <class T>
struct RowPack<T, 1> {
  static constexpr int registers = 1;
  T value;
  static SPOROS_ALWAYS_INLINE RowPack load(const T* p) { return {*p}; }
  static SPOROS_ALWAYS_INLINE RowPack fill(T s) { return {s}; }
  SPOROS_ALWAYS_INLINE void store(T* p) const { *p = value; }
  SPOROS_ALWAYS_INLINE void add_product(const RowPack& a, T b) {
    value += a.value * b;
  }
  SPOROS_ALWAYS_INLINE void add(const RowPack& a) { value += a.value; }
  SPOROS_ALWAYS_INLINE RowPack times(T b) const { return {value * b}; }
  SPOROS_ALWAYS_INLINE T dot(const RowPack& b) const { return value * b.value; }
  SPOROS_ALWAYS_INLINE T dot_nonzero(const RowPack& b) const {
    return value != T(0) ? value * b.value : T(0);
  }
};

template <class T>
struct RowPack<T, 0> {
  static constexpr int registers = 0;
  static SPOROS_ALWAYS_INLINE RowPack load(const T*) { return {}; }
  static SPOROS_ALWAYS_INLINE RowPack fill(T) { return {}; }
  SPOROS_ALWAYS_INLINE void store(T*) const {}
  SPOROS_ALWAYS_INLINE void add_product(const RowPack&, T) {}
  SPOROS_ALWAYS_INLINE void add(const RowPack&) {}
  SPOROS_ALWAYS_INLINE RowPack times(T) const { return {}; }
  SPOROS_ALWAYS_INLINE T dot(const RowPack&) const { return T(0); }
  SPOROS_ALWAYS_INLINE T dot_nonzero(const RowPack&) const { return T(0); }
};

}  // namespace Impl
}  // namespace Sporos

#endif
