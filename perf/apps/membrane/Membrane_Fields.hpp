// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_FIELDS_HPP
#define SPOROS_MEMBRANE_FIELDS_HPP

/// \file Membrane_Fields.hpp
/// Fields on the marker-and-cell grid of a periodic square, and what one wants
/// to know about them.

#include "Membrane_WaveTransform.hpp"

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
    const ExecSpace& exec, int n) {
  return Kokkos::MDRangePolicy<ExecSpace, Kokkos::Rank<2>>(exec, {0, 0},
                                                           {n, n});
}

/// Runs kernel(i, j) for all points; a row at a time on hosts, where compilers
/// make little of the tiles of MDRangePolicy.
template <class ExecSpace, class Kernel>
void for_points(const char* label, const ExecSpace& exec, int n,
                const Kernel& kernel) {
  if constexpr (Kokkos::SpaceAccessibility<ExecSpace,
                                           Kokkos::HostSpace>::accessible)
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<ExecSpace>(exec, 0, n), [=](int i) {
          const Kernel k = kernel;  // which nothing else can change
          for (int j = 0; j < n; ++j) k(i, j);
        });
  else
    Kokkos::parallel_for(label, all_points(exec, n), kernel);
}

template <class ExecSpace>
struct Divergence {
  FaceField<ExecSpace> w;
  Matrix<ExecSpace> div;
  int n;
  double inverse_h;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    const int ip = i + 1 < n ? i + 1 : 0, jp = j + 1 < n ? j + 1 : 0;
    div(i, j) = inverse_h * (w.x(ip, j) - w.x(i, j) + w.y(i, jp) - w.y(i, j));
  }
};

template <class ExecSpace>
struct Vorticity {
  FaceField<ExecSpace> w;
  Matrix<ExecSpace> curl;
  int n;
  double inverse_h;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    const int im = i > 0 ? i - 1 : n - 1, jm = j > 0 ? j - 1 : n - 1;
    curl(i, j) = inverse_h * (w.y(i, j) - w.y(im, j) - w.x(i, j) + w.x(i, jm));
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
    if (a > largest) largest = a;
  }
};

}  // namespace Impl

/// Discrete divergence at the cell centres: div(i, j) at h (i + 1/2, j + 1/2).
template <class ExecSpace>
void divergence(const ExecSpace& exec, double h,
                const FaceField<ExecSpace>& velocity,
                const Matrix<ExecSpace>& div) {
  const int n = static_cast<int>(div.extent(0));
  Impl::for_points("MembraneApp::divergence", exec, n,
                   Impl::Divergence<ExecSpace>{velocity, div, n, 1 / h});
}

/// Vorticity dv/dx - du/dy at the cell corners: curl(i, j) at h (i, j).
template <class ExecSpace>
void vorticity(const ExecSpace& exec, double h,
               const FaceField<ExecSpace>& velocity,
               const Matrix<ExecSpace>& curl) {
  const int n = static_cast<int>(curl.extent(0));
  Impl::for_points("MembraneApp::vorticity", exec, n,
                   Impl::Vorticity<ExecSpace>{velocity, curl, n, 1 / h});
}

/// Half the integral of the squared velocity (density 1).
template <class ExecSpace>
double kinetic_energy(const ExecSpace& exec, double h,
                      const FaceField<ExecSpace>& velocity) {
  double s    = 0;
  const int n = static_cast<int>(velocity.x.extent(0));
  Kokkos::parallel_reduce("MembraneApp::kinetic_energy",
                          Impl::all_points(exec, n),
                          Impl::SquareSum<ExecSpace>{velocity}, s);
  return 0.5 * h * h * s;
}

/// Largest absolute value.
template <class ExecSpace>
double max_abs(const ExecSpace& exec, const Matrix<ExecSpace>& field) {
  double largest = 0;
  const int n    = static_cast<int>(field.extent(0));
  Kokkos::parallel_reduce("MembraneApp::max_abs", Impl::all_points(exec, n),
                          Impl::MaxAbs<ExecSpace>{field},
                          Kokkos::Max<double>(largest));
  return largest;
}

/// Sum of all values.
template <class ExecSpace>
double sum(const ExecSpace& exec, const Matrix<ExecSpace>& field) {
  double s    = 0;
  const int n = static_cast<int>(field.extent(0));
  Kokkos::parallel_reduce("MembraneApp::sum", Impl::all_points(exec, n),
                          Impl::Sum<ExecSpace>{field}, s);
  return s;
}

}  // namespace MembraneApp

#endif
