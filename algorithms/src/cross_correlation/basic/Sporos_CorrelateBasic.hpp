// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEBASIC_HPP
#define SPOROS_CORRELATEBASIC_HPP

/// \file Sporos_CorrelateBasic.hpp
/// The algorithm `basic` of cross_correlate. A thread per shift sums the
/// products of its overlap row by row, in blocks; of volumes a plane of shifts
/// at a time. Costs two loads and a
/// multiply-add per pair of elements. The tests compare the other algorithms
/// with it.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>

namespace Sporos {
namespace Impl {

/// \tparam Volumes the plane dz of shifts of volumes
template <class T, class A, bool Volumes>
struct CorrelateBasic {
  CorrelateProblem<T, A> p;
  int dz = 0;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const CorrelateShape& s = p.shape;
    const auto r            = s.result(index);
    const int x0 = s.first_column(r.dx), x1 = s.last_column(r.dx);
    const int terms = block_terms<A>(Volumes ? most_terms_of_all(s.extents)
                                             : most_terms(s.extents));
    A sum(0), blocks(0);
    int room       = terms;
    const auto add = [&](const MatrixBatch<const T>& left,
                         const MatrixBatch<const T>& right) {
      for (int y = s.first_row(r.dy); y < s.last_row(r.dy); ++y)
        for (int x = x0; x < x1;) {
          const int end = Math::min(room, x1 - x) + x;
          room -= end - x;
          for (; x < end; ++x)
            sum = add_conjugate_product(A(left(r.i, 0, y + r.dy, x + r.dx)),
                                        A(right(r.i, r.j, y, x)), sum);
          if (room > 0) continue;
          move_sum(sum, blocks);
          room = terms;
        }
    };
    if constexpr (Volumes) {
      for (int z = s.first_plane(dz); z < s.last_plane(dz); ++z)
        add(p.left.plane(z + dz), p.right.plane(z));
      p.out.plane(dz - s.shifts.dz0)(r.i, r.j, r.oy, r.ox) = blocks + sum;
    } else {
      add(p.left, p.right);
      p.out(r.i, r.j, r.oy, r.ox) = blocks + sum;
    }
  }
};

template <class Exec, class T, class A>
void correlate_basic(const Exec& exec, const CorrelateProblem<T, A>& problem) {
  const CorrelateShape& s = problem.shape;
  const auto launch       = [&](const auto& kernel) {
    for_each_index("Sporos::cross_correlate::basic",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, s.results()),
                         kernel);
  };
  const CorrelateExtents& e = s.extents;
  if (e.left_d == 1 && e.right_d == 1 && s.planes() == 1)
    if (s.shifts.dz0 == 0) return launch(CorrelateBasic<T, A, false>{problem});
  for (int dz = s.shifts.dz0; dz < s.shifts.dz1; ++dz)
    launch(CorrelateBasic<T, A, true>{problem, dz});
}

}  // namespace Impl
}  // namespace Sporos

#endif
