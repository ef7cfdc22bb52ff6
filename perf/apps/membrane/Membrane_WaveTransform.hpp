// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_WAVETRANSFORM_HPP
#define SPOROS_MEMBRANE_WAVETRANSFORM_HPP

/// \file Membrane_WaveTransform.hpp
/// From values on the grid to waves and back: by FFTW on hosts if the build has
/// it, else by products of matrices.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <type_traits>

#ifdef SPOROS_HAVE_FFTW
#include <fftw3.h>
#endif

namespace MembraneApp {

template <class ExecSpace>
using Matrix = Kokkos::View<double**, typename ExecSpace::memory_space>;

/// Multiplies waves as the five-point Laplacian does their values.
template <class ExecSpace>
struct Laplacian {
  using Vector = Kokkos::View<double*, typename ExecSpace::memory_space>;

  Vector rows, columns;

  /// For n waves with spacing h in as many rows, each of them in `parts`
  /// columns.
  Laplacian(const ExecSpace& exec, int n, double h, int column_count, int parts)
      : rows("MembraneApp::Laplacian::rows", n),
        columns("MembraneApp::Laplacian::columns", column_count) {
    fill(exec, rows, n, h, 1);
    fill(exec, columns, n, h, parts);
  }

  KOKKOS_FUNCTION double operator()(int i, int j) const {
    return rows(i) + columns(j);
  }

 private:
  static void fill(const ExecSpace& exec, const Vector& v, int n, double h,
                   int parts) {
    auto host = Kokkos::create_mirror_view(v);
    for (int k = 0; k < static_cast<int>(v.extent(0)); ++k) {
      const double root = 2 / h * std::sin(std::acos(-1.) * (k / parts) / n);
      host(k)           = -root * root;
    }
    Kokkos::deep_copy(exec, v, host);
    exec.fence();  // the copies on the host end here
  }
};

/// Wave m of n at point j: 1, cos x, cos 2x, ..., sin 2x, sin x of unit length.
inline double wave(int n, int m, int j) {
  const int k       = 2 * m > n ? n - m : m;
  const bool single = k == 0 || 2 * k == n;
  const double angle =
      2 * std::acos(-1.) / n * static_cast<double>(1LL * k * j % n);
  return (2 * m > n ? std::sin(angle) : std::cos(angle)) *
         std::sqrt((single ? 1. : 2.) / n);
}

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
/// This class and FftwTransform have the same functions. Waves times scale()
/// are those of which to_values() makes the field again.
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
      for (int m = 0; m < n; ++m) c(j, m) = r(m, j) = wave(n, m, j);
    Kokkos::deep_copy(exec, m_columns, c);
    Kokkos::deep_copy(exec, m_rows, r);
    exec.fence();  // the copies on the host end here
  }

  static const char* name() { return "products of matrices"; }
  double scale() const { return 1; }
  /// Room for the waves of a field.
  Field waves() const {
    return Field("MembraneApp::waves", m_rows.extent(0), m_rows.extent(1));
  }
  Laplacian<ExecSpace> laplacian(const ExecSpace& exec, double h) const {
    const int n = static_cast<int>(m_rows.extent(0));
    return Laplacian<ExecSpace>(exec, n, h, n, 1);
  }

  void to_waves(const ExecSpace& exec, const Field& in,
                const Field& out) const {
    product(exec, m_rows, in, m_scratch);
    product(exec, m_scratch, m_columns, out);
  }
  /// Overwrites the waves.
  void to_values(const ExecSpace& exec, const Field& in,
                 const Field& out) const {
    product(exec, m_columns, in, m_scratch);
    product(exec, m_scratch, m_rows, out);
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

  Field m_columns, m_rows;  // waves in columns, in rows
  Field m_scratch;
};

#ifdef SPOROS_HAVE_FFTW
/// The transform by FFTW on hosts: real rows to n / 2 + 1 complex waves, these
/// column by column. Threads share the rows, and blocks of columns.
template <class ExecSpace>
class FftwTransform {
 public:
  using Field = Matrix<ExecSpace>;

  FftwTransform(const ExecSpace& /*exec*/, int n)
      : m_n(n), m_blocks((n / 2 + block) / block) {
    const Field field("MembraneApp::FftwTransform::field", n, n);
    const Field waves_of_field = waves();
    double* const f            = field.data();
    fftw_complex* const w      = complex(waves_of_field.data());
    // rows of an odd number of values begin anywhere
    const unsigned flags = FFTW_MEASURE | (n % 2 == 0 ? 0u : FFTW_UNALIGNED);
    const auto columns   = [&](int sign) {
      return owned(fftw_plan_many_dft(1, &n, block, w, nullptr,
                                        block * m_blocks, 1, w, nullptr,
                                        block * m_blocks, 1, sign, flags));
    };
    m_rows_forward     = owned(fftw_plan_dft_r2c_1d(n, f, w, flags));
    m_rows_backward    = owned(fftw_plan_dft_c2r_1d(n, w, f, flags));
    m_columns_forward  = columns(FFTW_FORWARD);
    m_columns_backward = columns(FFTW_BACKWARD);
  }

  static const char* name() { return "FFTW"; }
  double scale() const { return 1. / m_n / m_n; }
  Field waves() const {
    return Field("MembraneApp::waves", m_n, 2 * block * m_blocks);
  }
  Laplacian<ExecSpace> laplacian(const ExecSpace& exec, double h) const {
    return Laplacian<ExecSpace>(exec, m_n, h, 2 * block * m_blocks, 2);
  }

  void to_waves(const ExecSpace& exec, const Field& in,
                const Field& out) const {
    const fftw_plan plan = m_rows_forward.get();
    for_each("MembraneApp::fftw::rows", exec, m_n, [=](int i) {
      fftw_execute_dft_r2c(plan, &in(i, 0), complex(&out(i, 0)));
    });
    transform_columns(exec, m_columns_forward, out);
  }
  void to_values(const ExecSpace& exec, const Field& in,
                 const Field& out) const {
    transform_columns(exec, m_columns_backward, in);
    const fftw_plan plan = m_rows_backward.get();
    for_each("MembraneApp::fftw::rows", exec, m_n, [=](int i) {
      fftw_execute_dft_c2r(plan, complex(&in(i, 0)), &out(i, 0));
    });
  }

 private:
  static constexpr int block = 8;  // columns; what fills the last one is zero

  using Plan = std::shared_ptr<std::remove_pointer_t<fftw_plan>>;

  static Plan owned(fftw_plan plan) {
    if (plan == nullptr) throw std::runtime_error("membrane: FFTW has no plan");
    return Plan(plan, fftw_destroy_plan);
  }
  static fftw_complex* complex(double* parts) {
    return reinterpret_cast<fftw_complex*>(parts);
  }
  template <class Function>
  static void for_each(const char* label, const ExecSpace& exec, int count,
                       const Function& function) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecSpace>(exec, 0, count),
                         function);
  }
  void transform_columns(const ExecSpace& exec, const Plan& columns,
                         const Field& waves_of_field) const {
    const fftw_plan plan = columns.get();
    for_each("MembraneApp::fftw::columns", exec, m_blocks, [=](int k) {
      fftw_complex* const w = complex(&waves_of_field(0, 2 * block * k));
      fftw_execute_dft(plan, w, w);
    });
  }

  int m_n, m_blocks;
  Plan m_rows_forward, m_rows_backward, m_columns_forward, m_columns_backward;
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
