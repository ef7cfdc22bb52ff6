// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Validate.hpp"

#include <cmath>
#include <utility>

namespace PivApp {
namespace {

using Flags    = Kokkos::View<unsigned char*, Kokkos::LayoutRight, Exec>;
using Policy   = Kokkos::RangePolicy<Exec>;
using Expected = double[2][8];  // (dy or dx, neighbour)

/// The one in the middle, or the mean of the two; sorts values.
KOKKOS_FUNCTION double median(double* values, int count) {
  for (int k = 1; k < count; ++k) {
    const double value = values[k];
    int at             = k;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/// |value - median of others| / (median of their deviations + 0.1).
KOKKOS_FUNCTION double residual(double value, double* others, int count) {
  const double middle = median(others, count);
  for (int k = 0; k < count; ++k) others[k] = std::fabs(others[k] - middle);
  return std::fabs(value - middle) / (median(others, count) + .1);
}

/// Vectors with flags of those that are good.
struct Judged {
  WindowGrid grid;
  Couples moves;
  Flags good;

  KOKKOS_FUNCTION bool is_good(int i, int j) const {
    return i >= 0 && i < grid.nx && j >= 0 && j < grid.ny &&
           good(j * grid.nx + i) != 0;
  }
  /// What good neighbours let expect. Where there is none on the other side, it
  /// is what lies on the line through one and that behind it.
  /// \return how many there are
  KOKKOS_FUNCTION int expect(int n, Expected& values) const {
    const int i = n % grid.nx, j = n / grid.nx;
    int count = 0;
    for (int b = -1; b <= 1; ++b)
      for (int a = -1; a <= 1; ++a) {
        if ((a == 0 && b == 0) || !is_good(i + a, j + b)) continue;
        const bool line =
            !is_good(i - a, j - b) && is_good(i + 2 * a, j + 2 * b);
        const int next = n + b * grid.nx + a, behind = next + b * grid.nx + a;
        for (int c = 0; c < 2; ++c)
          values[c][count] =
              line ? 2 * moves(next, c) - moves(behind, c) : moves(next, c);
        ++count;
      }
    return count;
  }
};

/// Vectors with a finite value and a peak that stands out.
struct MarkWeak {
  Field field;
  double ratio;
  Flags good;

  KOKKOS_FUNCTION void operator()(int n) const {
    const double sum = field.moves(n, 0) + field.moves(n, 1);
    const bool ok    = sum - sum == 0 && field.quality(n, 1) >= ratio;
    Status& status   = field.status(n);
    good(n)          = ok && status != Status::masked ? 1 : 0;
    if (status != Status::masked)
      status = ok ? Status::found : Status::replaced;
  }
};

struct MarkOutliers {
  Judged before;
  double limit;
  Marks status;
  Flags good;

  KOKKOS_FUNCTION void operator()(int n) const {
    good(n) = before.good(n);
    Expected others;
    if (good(n) == 0) return;
    const int count = before.expect(n, others);
    if (count < 2) return;
    const double y = residual(before.moves(n, 0), others[0], count);
    const double x = residual(before.moves(n, 1), others[1], count);
    if (y * y + x * x <= limit * limit) return;
    good(n)   = 0;
    status(n) = Status::replaced;
  }
};

/// A layer of holes: those with enough good neighbours. Moves of holes are
/// written and those of good vectors read.
struct FillHoles {
  Judged before;
  int wanted;
  Flags good;

  KOKKOS_FUNCTION void operator()(int n, int& filled) const {
    good(n) = before.good(n);
    Expected others;
    if (good(n) != 0) return;
    const int count = before.expect(n, others);
    if (count < wanted) return;
    for (int c = 0; c < 2; ++c) before.moves(n, c) = median(others[c], count);
    good(n) = 1;
    ++filled;
  }
};

/// Holes without anything to go by do not move.
struct ForgetHoles {
  Judged judged;

  KOKKOS_FUNCTION void operator()(int n) const {
    if (judged.good(n) != 0) return;
    judged.moves(n, 0) = judged.moves(n, 1) = 0;
  }
};

}  // namespace

void validate(const Exec& exec, const Field& f,
              const ValidationLimits& limits) {
  const int size = f.grid.size();
  const Policy all(exec, 0, size);
  auto good  = allocated<Flags>("piv::good", size);
  auto after = allocated<Flags>("piv::good", size);
  Kokkos::parallel_for("piv::mark_weak", all, MarkWeak{f, limits.ratio, good});
  Kokkos::parallel_for(
      "piv::mark_outliers", all,
      MarkOutliers{{f.grid, f.moves, good}, limits.median, f.status, after});
  // those with most neighbours first, layer by layer
  for (int wanted = 3;;) {
    std::swap(good, after);
    int filled = 0;
    Kokkos::parallel_reduce("piv::fill_holes", all,
                            FillHoles{{f.grid, f.moves, good}, wanted, after},
                            filled);
    if (filled == 0 && wanted == 1) break;
    if (filled == 0) wanted = 1;
  }
  Kokkos::parallel_for("piv::forget_holes", all,
                       ForgetHoles{{f.grid, f.moves, after}});
  exec.fence();
}

}  // namespace PivApp
