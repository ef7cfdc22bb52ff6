// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_PRODUCT_HPP
#define SPOROS_MEMBRANE_PRODUCT_HPP

/// \file Membrane_Product.hpp
/// The product of two square matrices: KokkosBlas::gemm where Kokkos Kernels is
/// at hand (the build defines SPOROS_HAVE_KOKKOSKERNELS), else a plain
/// kernel of the same product.

#include <Kokkos_Core.hpp>

#ifdef SPOROS_HAVE_KOKKOSKERNELS
#include <KokkosBlas3_gemm.hpp>
#endif

namespace MembraneApp {

template <class ExecSpace>
using Matrix = Kokkos::View<double**, typename ExecSpace::memory_space>;

/// A tile of result entries in registers: rows x columns of c = a b.
template <class ExecSpace>
struct PlainProduct {
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

/// c = a b without any library.
template <class ExecSpace>
void plain_product(const ExecSpace& exec, const Matrix<ExecSpace>& a,
                   const Matrix<ExecSpace>& b, const Matrix<ExecSpace>& c) {
  using Kernel      = PlainProduct<ExecSpace>;
  const int n       = static_cast<int>(a.extent(0));
  const int columns = (n + Kernel::columns - 1) / Kernel::columns;
  const int rows    = (n + Kernel::rows - 1) / Kernel::rows;
  Kokkos::parallel_for("MembraneApp::product",
                       Kokkos::RangePolicy<ExecSpace>(exec, 0, rows * columns),
                       Kernel{a, b, c, n, columns});
}

/// c = a b for square matrices; c must not be a or b.
template <class ExecSpace>
void product(const ExecSpace& exec, const Matrix<ExecSpace>& a,
             const Matrix<ExecSpace>& b, const Matrix<ExecSpace>& c) {
#ifdef SPOROS_HAVE_KOKKOSKERNELS
  (void)exec;  // Kokkos Kernels 3 multiplies in the default instance
  KokkosBlas::gemm("N", "N", 1., a, b, 0., c);
#else
  plain_product(exec, a, b, c);
#endif
}

/// What product() uses, for the summary.
inline const char* product_name() {
#ifdef SPOROS_HAVE_KOKKOSKERNELS
  return "KokkosBlas::gemm";
#else
  return "a plain Kokkos kernel (no Kokkos Kernels)";
#endif
}

}  // namespace MembraneApp

#endif
