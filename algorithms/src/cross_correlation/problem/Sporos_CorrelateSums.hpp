// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATESUMS_HPP
#define SPOROS_CORRELATESUMS_HPP

/// \file Sporos_CorrelateSums.hpp
/// Sums of many products on several levels. Blocks of a fixed number of terms
/// are summed one by one, and move to a sum of blocks. That loses no digits if
/// what rounding leaves out is kept and added to the next block. So errors are
/// those of a block, however many there are. Compilers that may reorder sums
/// (-ffast-math) leave plain sums of blocks.

#include <Sporos_Lanes.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// A block of all terms
inline constexpr int all_terms = std::numeric_limits<int>::max();

/// Terms of a block, of so many terms of a sum. Sums of equal floats lose most
/// digits: up to 1.3e-6 in 64 terms, mostly less than half of it. Integers are
/// never rounded.
template <class A>
KOKKOS_INLINE_FUNCTION int block_terms(std::int64_t terms) {
  if (std::is_integral<real_of<A>>::value) return all_terms;
  if (!std::is_same<real_of<A>, float>::value) return double_block_terms;
  return terms > few_terms ? long_float_block_terms : float_block_terms;
}

/// The most terms of a sum, of volumes in a pair of planes.
KOKKOS_INLINE_FUNCTION std::int64_t most_terms(const CorrelateExtents& e) {
  return std::int64_t(Math::min(e.left_h, e.right_h)) *
         Math::min(e.left_w, e.right_w);
}
KOKKOS_INLINE_FUNCTION std::int64_t most_terms_of_all(
    const CorrelateExtents& e) {
  return most_terms(e) * Math::min(e.left_d, e.right_d);
}

/// Steps of two nested loops that are a block together.
struct BlockSteps {
  int outer, inner;
};
KOKKOS_INLINE_FUNCTION BlockSteps block_steps(int outer, int inner, int terms) {
  if (terms == all_terms || inner == 0)
    return {Math::max(1, outer), Math::max(1, inner)};
  const int n = ceil_div(inner, ceil_div(inner, terms));
  return {Math::min(outer, Math::max(1, (terms + n / 2) / n)), n};
}

/// blocks += sum; sum = what rounding left out.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION void move_sum(V& sum, V& blocks) {
  const V all = blocks + sum;
  sum         = sum - (all - blocks);
  blocks      = all;
}
template <class T, int W>
KOKKOS_FORCEINLINE_FUNCTION void move_sum(LaneArray<T, W>& sum,
                                          LaneArray<T, W>& blocks) {
  for (int l = 0; l < W; ++l) move_sum(sum.v[l], blocks.v[l]);
}

}  // namespace Impl
}  // namespace Sporos

#endif
