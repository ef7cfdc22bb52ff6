// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_FIELDS_HPP
#define SPOROS_MEMBRANE_FIELDS_HPP

/// \file Membrane_Fields.hpp
/// Fields on the marker-and-cell grid of a periodic square, and what one wants
/// to know about them.

#include "Membrane_WaveTransform.hpp"

#include <Sporos_KokkosCompat.hpp>

#include <cmath>
#include <string>

namespace MembraneApp {

/// One component per direction, each on the faces normal to its direction:
/// x(i, j) at h (i, j + 1/2), y(i, j) at h (i + 1/2, j).
template <class ExecSpace>
struct FaceField {
  Matrix<ExecSpace> x, y;

  FaceField() = default;
  FaceField(const std::string& label, int n)
      : x(label + "::x", n, n), y(label + "::y", n, n) {}
};

namespace Impl {

template <class ExecSpace>
Kokkos::MDRangePolicy<ExecSpace, Kokkos::Rank<2>> all_points(
    const ExecSpace& exec, int rows, int columns) {
  return Kokkos::MDRangePolicy<ExecSpace, Kokkos::Rank<2>>(exec, {0, 0},
                                                           {rows, columns});
}

/// Indices before and after i and j on a periodic grid.
struct Around {
  int im, ip, jm, jp;
};

/// kernel(i, j, around) at any point.
template <class Kernel>
struct AnyPoint {
  Kernel kernel;
  int rows, columns;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    kernel(i, j,
           Around{i > 0 ? i - 1 : rows - 1, i + 1 < rows ? i + 1 : 0,
                  j > 0 ? j - 1 : columns - 1, j + 1 < columns ? j + 1 : 0});
  }
};

/// Runs kernel(i, j, around) for all entries of a matrix. Hosts take a row at a
/// time, since compilers make little of the tiles of MDRangePolicy, and its
/// ends apart, so that they vectorise the rest. No kernel may read what it
/// writes for another entry.
template <class ExecSpace, class Kernel>
void for_points(const char* label, const ExecSpace& exec,
                const Matrix<ExecSpace>& entries, const Kernel& kernel) {
  const int rows    = static_cast<int>(entries.extent(0));
  const int columns = static_cast<int>(entries.extent(1));
  const AnyPoint<Kernel> any{kernel, rows, columns};
  if constexpr (Kokkos::SpaceAccessibility<ExecSpace,
                                           Kokkos::HostSpace>::accessible)
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<ExecSpace>(exec, 0, rows), [=](int i) {
          const Kernel k = kernel;  // which nothing else can change
          const int im   = i > 0 ? i - 1 : rows - 1,
                    ip   = i + 1 < rows ? i + 1 : 0;
          any(i, 0);
          SPOROS_IVDEP
          for (int j = 1; j < columns - 1; ++j)
            k(i, j, Around{im, ip, j - 1, j + 1});
          any(i, columns - 1);
        });
  else
    Kokkos::parallel_for(label, all_points(exec, rows, columns), any);
}

template <class ExecSpace>
struct Divergence {
  FaceField<ExecSpace> w;
  Matrix<ExecSpace> div;
  double inverse_h;
  KOKKOS_FUNCTION void operator()(int i, int j, const Around& a) const {
    div(i, j) =
        inverse_h * (w.x(a.ip, j) - w.x(i, j) + w.y(i, a.jp) - w.y(i, j));
  }
};

template <class ExecSpace>
struct Vorticity {
  FaceField<ExecSpace> w;
  Matrix<ExecSpace> curl;
  double inverse_h;
  KOKKOS_FUNCTION void operator()(int i, int j, const Around& a) const {
    curl(i, j) =
        inverse_h * (w.y(i, j) - w.y(a.im, j) - w.x(i, j) + w.x(i, a.jm));
  }
};

template <class ExecSpace>
struct SquareSum {
  FaceField<ExecSpace> w;
  KOKKOS_FUNCTION void operator()(int i, int j, double& s) const {
    s += w.x(i, j) * w.x(i, j) + w.y(i, j) * w.y(i, j);
  }
};

template <class ExecSpace>
struct Sum {
  Matrix<ExecSpace> field;
  KOKKOS_FUNCTION void operator()(int i, int j, double& s) const {
    s += field(i, j);
  }
};

template <class ExecSpace>
struct MaxAbs {
  Matrix<ExecSpace> field;
  KOKKOS_FUNCTION void operator()(int i, int j, double& largest) const {
    const double a = field(i, j) < 0 ? -field(i, j) : field(i, j);
    if (!(a <= largest)) largest = a == a ? a : HUGE_VAL;
  }
};

}  // namespace Impl

/// Discrete divergence at the cell centres: div(i, j) at h (i + 1/2, j + 1/2).
template <class ExecSpace>
void divergence(const ExecSpace& exec, double h,
                const FaceField<ExecSpace>& velocity,
                const Matrix<ExecSpace>& div) {
  Impl::for_points("MembraneApp::divergence", exec, div,
                   Impl::Divergence<ExecSpace>{velocity, div, 1 / h});
}

/// Vorticity dv/dx - du/dy at the cell corners: curl(i, j) at h (i, j).
template <class ExecSpace>
void vorticity(const ExecSpace& exec, double h,
               const FaceField<ExecSpace>& velocity,
               const Matrix<ExecSpace>& curl) {
  Impl::for_points("MembraneApp::vorticity", exec, curl,
                   Impl::Vorticity<ExecSpace>{velocity, curl, 1 / h});
}

/// Half the integral of the squared velocity (density 1).
template <class ExecSpace>
double kinetic_energy(const ExecSpace& exec, double h,
                      const FaceField<ExecSpace>& velocity) {
  double s    = 0;
  const int n = static_cast<int>(velocity.x.extent(0));
  Kokkos::parallel_reduce("MembraneApp::kinetic_energy",
                          Impl::all_points(exec, n, n),
                          Impl::SquareSum<ExecSpace>{velocity}, s);
  return 0.5 * h * h * s;
}

/// Largest absolute value; infinity if one is NaN, which Kokkos::Max may drop.
template <class ExecSpace>
double max_abs(const ExecSpace& exec, const Matrix<ExecSpace>& field) {
  double largest = 0;
  const int n    = static_cast<int>(field.extent(0));
  Kokkos::parallel_reduce("MembraneApp::max_abs", Impl::all_points(exec, n, n),
                          Impl::MaxAbs<ExecSpace>{field},
                          Kokkos::Max<double>(largest));
  return largest;
}

/// Sum of all values.
template <class ExecSpace>
double sum(const ExecSpace& exec, const Matrix<ExecSpace>& field) {
  double s    = 0;
  const int n = static_cast<int>(field.extent(0));
  Kokkos::parallel_reduce("MembraneApp::sum", Impl::all_points(exec, n, n),
                          Impl::Sum<ExecSpace>{field}, s);
  return s;
}

}  // namespace MembraneApp

#endif
