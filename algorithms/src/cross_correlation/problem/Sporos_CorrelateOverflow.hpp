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
  int dz;

  KOKKOS_FUNCTION void operator()(std::int64_t index,
                                  std::int64_t& first) const {
    const CorrelateShape& s = p.shape;
    const auto r            = s.result(index);
    double sum              = 0;
    for (int z = s.first_plane(dz); z < s.last_plane(dz); ++z) {
      const auto left = p.left.plane(z + dz), right = p.right.plane(z);
      for (int y = s.first_row(r.dy); y < s.last_row(r.dy); ++y)
        for (int x = s.first_column(r.dx); x < s.last_column(r.dx); ++x)
          sum += double(left(r.i, 0, y + r.dy, x + r.dx)) *
                 double(right(r.i, r.j, y, x));
    }
    if ((sum >= end || sum < -end) && index < first) first = index;
  }
};

template <class Exec, class T, class A>
void check_integer_sums(const Exec& exec, const CorrelateProblem<T, A>& p) {
  const auto magnitude = [](auto limits) {
    return Math::max(double(limits.max()), -double(limits.lowest()));
  };
  const double one = magnitude(std::numeric_limits<T>());
  const double end = double(std::numeric_limits<A>::max()) + 1;
  if (one * one * double(most_terms_of_all(p.shape.extents)) < end) return;
  const CorrelateShape& s = p.shape;
  for (int dz = s.shifts.dz0; dz < s.shifts.dz1; ++dz) {
    std::int64_t first = 0;
    reduce_min<Kokkos::HostSpace>(
        "Sporos::cross_correlate::check_sums",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0,
                                                                   s.results()),
        FindOverflow<T, A>{p, end, dz}, &first);
    fence(exec, "Sporos::cross_correlate::check_sums");
    if (first == std::numeric_limits<std::int64_t>::max()) continue;
    const auto r = s.result(first);
    throw_invalid("Sporos::cross_correlate", "out",
                  "a type that holds all sums, of 64 bits or floating-point",
                  text("an integer of ", 8 * sizeof(A),
                       " bits, which overflows for pair (", r.i, ", ", r.j,
                       ") at shift (", r.dy, ", ", r.dx, ")",
                       dz == 0 ? "" : " of a volume"));
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
