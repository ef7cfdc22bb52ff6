// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_WAVETRANSFORM_HPP
#define SPOROS_MEMBRANE_WAVETRANSFORM_HPP

/// \file Membrane_WaveTransform.hpp
/// From values on the grid to the coefficients of SpectralBasis and back: by
/// FFTW on hosts if the build has it, else by products of matrices.

#include "Membrane_SpectralBasis.hpp"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>

#ifdef SPOROS_HAVE_FFTW
#include <fftw3.h>
#endif

namespace MembraneApp {

template <class ExecSpace>
using Matrix = Kokkos::View<double**, typename ExecSpace::memory_space>;

/// A tile of result entries in registers: rows x columns of c = a b.
template <class ExecSpace>
struct Product {
  static constexpr int rows    = 4;
  static constexpr int columns = 16;

  Matrix<ExecSpace> a, b, c;
  int n, tiles;

  KOKKOS_FUNCTION void operator()(int t) const {
    const int i0 = t / tiles * rows, j0 = t % tiles * columns;
    if (i0 + rows <= n && j0 + columns <= n)
      full_tile(i0, j0);
    else
      partial_tile(i0, j0);
  }

  KOKKOS_FUNCTION void full_tile(int i0, int j0) const {
    double sum[rows][columns] = {};
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < rows; ++i) {
        const double factor = a(i0 + i, k);
        for (int j = 0; j < columns; ++j) sum[i][j] += factor * b(k, j0 + j);
      }
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) c(i0 + i, j0 + j) = sum[i][j];
  }

  KOKKOS_FUNCTION void partial_tile(int i0, int j0) const {
    for (int i = i0; i < n && i < i0 + rows; ++i)
      for (int j = j0; j < n && j < j0 + columns; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += a(i, k) * b(k, j);
        c(i, j) = sum;
      }
  }
};

/// The transform as products of n x n matrices, 2 n^3 multiply-adds a field.
/// Runs everywhere.
///
/// This class and FftwTransform transform N fields at a time. Coefficients
/// times scale() are those of which to_values() makes the field again.
template <class ExecSpace>
class ProductTransform {
 public:
  using Field = Matrix<ExecSpace>;

  ProductTransform(const ExecSpace& exec, int n)
      : m_columns("MembraneApp::ProductTransform::columns", n, n),
        m_rows("MembraneApp::ProductTransform::rows", n, n),
        m_scratch("MembraneApp::ProductTransform::scratch", n, n) {
    auto c = Kokkos::create_mirror_view(m_columns);
    auto r = Kokkos::create_mirror_view(m_rows);
    for (int j = 0; j < n; ++j)
      for (int m = 0; m < n; ++m) c(j, m) = r(m, j) = basis_function(n, m, j);
    Kokkos::deep_copy(exec, m_columns, c);
    Kokkos::deep_copy(exec, m_rows, r);
    exec.fence();  // the copies on the host end here
  }

  static const char* name() { return "products of matrices"; }
  double scale() const { return 1; }

  template <std::size_t N>
  void to_coefficients(const ExecSpace& exec, const Field (&in)[N],
                       const Field (&out)[N]) const {
    for (std::size_t k = 0; k < N; ++k) {
      product(exec, m_rows, in[k], m_scratch);
      product(exec, m_scratch, m_columns, out[k]);
    }
  }
  template <std::size_t N>
  void to_values(const ExecSpace& exec, const Field (&in)[N],
                 const Field (&out)[N]) const {
    for (std::size_t k = 0; k < N; ++k) {
      product(exec, m_columns, in[k], m_scratch);
      product(exec, m_scratch, m_rows, out[k]);
    }
  }

 private:
  static void product(const ExecSpace& exec, const Field& a, const Field& b,
                      const Field& c) {
    using Kernel      = Product<ExecSpace>;
    const int n       = static_cast<int>(a.extent(0));
    const int columns = (n + Kernel::columns - 1) / Kernel::columns;
    const int rows    = (n + Kernel::rows - 1) / Kernel::rows;
    Kokkos::parallel_for(
        "MembraneApp::product",
        Kokkos::RangePolicy<ExecSpace>(exec, 0, rows * columns),
        Kernel{a, b, c, n, columns});
  }

  Field m_columns, m_rows;  // functions of the basis in columns, in rows
  Field m_scratch;
};

#ifdef SPOROS_HAVE_FFTW
/// The transform by FFTW on hosts, a thread for each field. Functions of the
/// basis have other lengths here; a function and its partner have the same, and
/// no more is needed.
template <class ExecSpace>
class FftwTransform {
 public:
  using Field = Matrix<ExecSpace>;

  FftwTransform(const ExecSpace& /*exec*/, int n)
      : m_scale(1. / n / n),
        m_forward(plan(n, FFTW_R2HC)),
        m_backward(plan(n, FFTW_HC2R)) {}

  static const char* name() { return "FFTW"; }
  double scale() const { return m_scale; }

  template <std::size_t N>
  void to_coefficients(const ExecSpace& exec, const Field (&in)[N],
                       const Field (&out)[N]) const {
    run(exec, m_forward, in, out);
  }
  template <std::size_t N>
  void to_values(const ExecSpace& exec, const Field (&in)[N],
                 const Field (&out)[N]) const {
    run(exec, m_backward, in, out);
  }

 private:
  using Plan = std::shared_ptr<std::remove_pointer_t<fftw_plan>>;

  static Plan plan(int n, fftw_r2r_kind kind) {
    const Field in("MembraneApp::FftwTransform::in", n, n);
    const Field out("MembraneApp::FftwTransform::out", n, n);
    const fftw_plan p =
        fftw_plan_r2r_2d(n, n, in.data(), out.data(), kind, kind,
                         FFTW_MEASURE | FFTW_PRESERVE_INPUT);
    if (p == nullptr) throw std::runtime_error("membrane: FFTW has no plan");
    return Plan(p, fftw_destroy_plan);
  }

  template <std::size_t N>
  static void run(const ExecSpace& exec, const Plan& plan, const Field (&in)[N],
                  const Field (&out)[N]) {
    double *from[N], *to[N];
    for (std::size_t k = 0; k < N; ++k) {
      from[k] = in[k].data();
      to[k]   = out[k].data();
    }
    Kokkos::parallel_for(
        "MembraneApp::fftw", Kokkos::RangePolicy<ExecSpace>(exec, 0, N),
        [=](int k) { fftw_execute_r2r(plan.get(), from[k], to[k]); });
  }

  double m_scale;
  Plan m_forward, m_backward;
};
#endif

/// The transform that the application uses.
#ifdef SPOROS_HAVE_FFTW
template <class ExecSpace>
using WaveTransform = std::conditional_t<
    Kokkos::SpaceAccessibility<ExecSpace, Kokkos::HostSpace>::accessible,
    FftwTransform<ExecSpace>, ProductTransform<ExecSpace>>;
#else
template <class ExecSpace>
using WaveTransform = ProductTransform<ExecSpace>;
#endif

}  // namespace MembraneApp

#endif
