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

/// Are N values three packs or more, one for each bit of N?
constexpr bool overlapping_packs(int N) {
  const int rest = N - previous_power_of_two(N);
  return rest > 0 && rest != previous_power_of_two(rest);
}

/// N consecutive values in SIMD registers of hosts: a pack for each bit of N,
/// or two that overlap. To load values soon after they were stored, processors
/// must wait longer where packs overlap.
template <class T, int N, bool Overlap = false>
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

/// The first values and the last; both packs hold those in the middle.
template <class T, int N>
struct RowPack<T, N, true> {
  static constexpr int lanes     = previous_power_of_two(N);
  static constexpr int tail      = N - lanes;  ///< where the second pack begins
  using Half                     = Pack<T, lanes>;
  static constexpr int registers = 2 * Half::registers;
  Half first, last;

  static SPOROS_ALWAYS_INLINE RowPack load(const T* p) {
    return {Half::load(p), Half::load(p + tail)};
  }
  static SPOROS_ALWAYS_INLINE RowPack fill(T s) { return {Half(s), Half(s)}; }
  SPOROS_ALWAYS_INLINE void store(T* p) const {
    first.store(p);
    last.store(p + tail);
  }
  /// *this += a b
  SPOROS_ALWAYS_INLINE void add_product(const RowPack& a, T b) {
    first = fma(a.first, Half(b), first);
    last  = fma(a.last, Half(b), last);
  }
  SPOROS_ALWAYS_INLINE void add(const RowPack& a) {
    first += a.first;
    last += a.last;
  }
  SPOROS_ALWAYS_INLINE RowPack times(T b) const {
    return {first * Half(b), last * Half(b)};
  }
  /// sum of the products with b
  SPOROS_ALWAYS_INLINE T dot(const RowPack& b) const {
    return sum(first * b.first) + sum(once(last * b.last));
  }
  /// The sum of the products where *this is not 0; b may be NaN elsewhere.
  SPOROS_ALWAYS_INLINE T dot_nonzero(const RowPack& b) const {
    return sum(where_nonzero(first, first * b.first)) +
           sum(once(where_nonzero(last, last * b.last)));
  }

 private:
  /// Lanes of the second pack; 0 for values that the first one has, too.
  static SPOROS_ALWAYS_INLINE Half once(const Half& a) {
    T later[lanes];
    for (int i = 0; i < lanes; ++i) later[i] = T(i >= lanes - tail);
    return where_nonzero(Half::load(later), a);
  }
};

/// N values that are read, in as few packs as they need.
template <class T, int N>
using ReadRowPack = RowPack<T, N, overlapping_packs(N)>;

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
