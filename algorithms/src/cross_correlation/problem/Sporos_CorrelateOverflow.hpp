// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEOVERFLOW_HPP
#define SPOROS_CORRELATEOVERFLOW_HPP

/// \file Sporos_CorrelateOverflow.hpp
/// A check of SPOROS_ENABLE_CHECKS: do integer sums fit into the type of out?
/// Sums all shifts by the definition in double, unless the types say that all
/// fit, and waits.

#include <Sporos_Checks.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>

#include <limits>

namespace Sporos {
namespace Impl {

/// Finds results that do not fit.
template <class T, class A>
struct FindOverflow {
  CorrelateProblem<T, A> p;
  double end;  ///< of A: the first number that does not fit

  KOKKOS_FUNCTION void operator()(std::int64_t index,
                                  std::int64_t& first) const {
    const std::int64_t number = index;
    const CorrelateShape& s   = p.shape;
    const int ox              = int(index % s.columns());
    index /= s.columns();
    const int oy = int(index % s.rows());
    index /= s.rows();
    const int j  = int(index % s.extents.m);
    const int i  = int(index / s.extents.m);
    const int dy = s.shifts.dy0 + oy, dx = s.shifts.dx0 + ox;
    double sum = 0;
    for (int y = s.first_row(dy); y < s.last_row(dy); ++y)
      for (int x = s.first_column(dx); x < s.last_column(dx); ++x)
        sum +=
            double(p.left(i, 0, y + dy, x + dx)) * double(p.right(i, j, y, x));
    if ((sum >= end || sum < -end) && number < first) first = number;
  }
};

template <class Exec, class T, class A>
void check_integer_sums(const Exec& exec, const CorrelateProblem<T, A>& p) {
  const auto magnitude = [](auto limits) {
    return Math::max(double(limits.max()), -double(limits.lowest()));
  };
  const double one = magnitude(std::numeric_limits<T>());
  const double end = double(std::numeric_limits<A>::max()) + 1;
  if (one * one * double(most_terms(p.shape.extents)) < end) return;
  std::int64_t first = 0;
  reduce_min<Kokkos::HostSpace>(
      "Sporos::cross_correlate::check_sums",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
          exec, 0, p.shape.results()),
      FindOverflow<T, A>{p, end}, &first);
  fence(exec, "Sporos::cross_correlate::check_sums");
  if (first == std::numeric_limits<std::int64_t>::max()) return;
  const CorrelateShape& s = p.shape;
  const std::int64_t pair = first / s.columns() / s.rows();
  check(
      false, "Sporos::cross_correlate", "out",
      text("a type that holds all sums, of 64 bits or floating-point"),
      text("an integer of ", 8 * sizeof(A), " bits, which overflows for pair (",
           pair / s.extents.m, ", ", pair % s.extents.m, ") at shift (",
           s.shifts.dy0 + first / s.columns() % s.rows(), ", ",
           s.shifts.dx0 + first % s.columns(), ")"));
}

}  // namespace Impl
}  // namespace Sporos

#endif
