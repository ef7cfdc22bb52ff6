// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEBASIC_HPP
#define SPOROS_CORRELATEBASIC_HPP

/// \file Sporos_CorrelateBasic.hpp
/// The algorithm `basic` of cross_correlate. A thread per shift sums the
/// products of its overlap row by row, in blocks. Costs two loads and a
/// multiply-add per pair of elements. The tests compare the other algorithms
/// with it.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>

namespace Sporos {
namespace Impl {

template <class T, class A>
struct CorrelateBasic {
  CorrelateProblem<T, A> p;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const CorrelateShape& s = p.shape;
    const int ox            = int(index % s.columns());
    index /= s.columns();
    const int oy = int(index % s.rows());
    index /= s.rows();
    const int j  = int(index % s.extents.m);
    const int i  = int(index / s.extents.m);
    const int dy = s.shifts.dy0 + oy, dx = s.shifts.dx0 + ox;
    const int x0 = s.first_column(dx), x1 = s.last_column(dx);
    const int terms = block_terms<A>(most_terms(s.extents));
    A sum(0), blocks(0);
    int room = terms;
    for (int y = s.first_row(dy); y < s.last_row(dy); ++y)
      for (int x = x0; x < x1;) {
        const int end = Math::min(room, x1 - x) + x;
        room -= end - x;
        for (; x < end; ++x)
          sum = add_conjugate_product(A(p.left(i, 0, y + dy, x + dx)),
                                      A(p.right(i, j, y, x)), sum);
        if (room > 0) continue;
        move_sum(sum, blocks);
        room = terms;
      }
    p.out(i, j, oy, ox) = blocks + sum;
  }
};

template <class Exec, class T, class A>
void correlate_basic(const Exec& exec, const CorrelateProblem<T, A>& problem) {
  for_each_index("Sporos::cross_correlate::basic",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, problem.shape.results()),
                 CorrelateBasic<T, A>{problem});
}

}  // namespace Impl
}  // namespace Sporos

#endif
