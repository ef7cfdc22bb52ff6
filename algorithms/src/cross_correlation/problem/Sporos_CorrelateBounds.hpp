// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEBOUNDS_HPP
#define SPOROS_CORRELATEBOUNDS_HPP

/// \file Sporos_CorrelateBounds.hpp
/// Keeps normalised coefficients within [-1, 1]. One pass over the results.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <algorithm>
#include <limits>

namespace Sporos {
namespace Impl {

/// Coefficients that rounding errors moved beyond 1 are 1 in absolute value.
template <class A>
struct BoundCoefficients {
  static constexpr real_of<A> epsilon =
      std::numeric_limits<real_of<A>>::epsilon();
  MatrixBatch<A> out;
  int m, rows, columns, part_rows, part_columns;

  /// Part of a matrix, of (part_rows, part_columns) elements
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const int across = ceil_div(columns, part_columns);
    const int x0     = int(index % across) * part_columns;
    index /= across;
    const int down = ceil_div(rows, part_rows);
    const int y0   = int(index % down) * part_rows;
    index /= down;
    const int y1 = Math::min(part_rows, rows - y0) + y0;
    const int x1 = Math::min(part_columns, columns - x0) + x0;
    for (int y = y0; y < y1; ++y) {
      A* const row = &out(int(index / m), int(index % m), y, 0);
      for (int x = x0; x < x1; ++x) row[x * out.x] = bounded(row[x * out.x]);
    }
  }

  template <class R>
  static KOKKOS_FORCEINLINE_FUNCTION R bounded(const R& c) {
    return c > R(1) ? R(1) : c < R(-1) ? R(-1) : c;
  }
  template <class R>
  static KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<R> bounded(
      const Kokkos::complex<R>& c) {
    const R square = c.real() * c.real() + c.imag() * c.imag();
    if (!(square > R(1) - 4 * epsilon)) return c;
    if (c.imag() == R(0)) return {bounded(c.real()), c.imag()};
    const R factor = (R(1) - 2 * epsilon) / Math::From::sqrt(square);
    return {c.real() * factor, c.imag() * factor};
  }
};

template <class Exec, class A>
void bound_coefficients(const Exec& exec, const CorrelateShape& s,
                        const MatrixBatch<A>& out) {
  // hosts: some rows at a time, devices: neighbours by neighbouring threads
  constexpr bool host = is_host_space_v<Exec>;
  const auto parts =
      int(std::min<std::int64_t>(s.rows(), ceil_div(bound_parts, s.pairs())));
  const BoundCoefficients<A> kernel{out,
                                    s.extents.m,
                                    s.rows(),
                                    s.columns(),
                                    host ? ceil_div(s.rows(), parts) : 1,
                                    host ? s.columns() : 1};
  for_each_index("Sporos::cross_correlate::bound",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0,
                     s.pairs() * ceil_div(s.rows(), kernel.part_rows) *
                         ceil_div(s.columns(), kernel.part_columns)),
                 kernel);
}

}  // namespace Impl
}  // namespace Sporos

#endif
