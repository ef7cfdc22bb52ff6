// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTTOEPLITZ_HPP
#define SPOROS_NUFFTTOEPLITZ_HPP

/// \file Sporos_NufftToeplitz.hpp
/// From sums over weighted points to the spectrum of the normal operator's
/// convolution.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/fft/Sporos_NufftSpectrum.hpp>
#include <nufft/grid/Sporos_NufftModes.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Impl {

/// field *= factors
template <class Value, class T>
struct MultiplyNufftField {
  Value* field;
  const T* factors;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    field[i] *= factors[i];
  }
};

template <class Exec, class Value, class T>
void multiply_nufft_field(const Exec& exec, Value* field, const T* factors,
                          std::size_t size) {
  for_each_index("Sporos::nufft::multiply",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, std::int64_t(size)),
                 MultiplyNufftField<Value, T>{field, factors});
}

/// out = field * scale
template <class T>
struct ScaleNufftField {
  const T* field;
  T* out;
  T scale;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    out[i] = field[i] * scale;
  }
};

/// Differences of two modes: -(N - 1) to N - 1.
template <int Dim>
NufftGrid<Dim> nufft_differences(const NufftGrid<Dim>& modes) {
  NufftGrid<Dim> grid = modes;
  for (int& n : grid.modes) n = 2 * n - 1;
  return grid;
}

/// Factors of modes that are divided by nothing.
template <int Dim>
std::vector<double> all_ones(const NufftGrid<Dim>& grid) {
  std::size_t count = 0;
  for (const int n : grid.modes) count += std::size_t(n);
  return std::vector<double>(count, 1.);
}

/// Modes from 0 on of the last direction, all of the others.
template <int Dim>
std::size_t half_of_modes(const NufftGrid<Dim>& grid) {
  const int n = grid.modes[Dim - 1];
  return grid.all_modes() / std::size_t(n) * std::size_t(n / 2 + 1);
}

/// An array of them, of LayoutRight.
template <class Complex, int Dim>
NufftCoefficients<Complex, Dim> packed_half(const NufftGrid<Dim>& grid,
                                            Complex* data) {
  NufftCoefficients<Complex, Dim> c{data, {}};
  std::ptrdiff_t stride = 1;
  for (int d = Dim - 1; d >= 0; --d) {
    c.stride[d] = stride;
    stride *= d == Dim - 1 ? grid.modes[d] / 2 + 1 : grid.modes[d];
  }
  return c;
}

/// spectrum(x) = sum_k sums(k) exp(2 pi i k x / points) / grid.size() over all
/// differences of modes of the grid; sums(-k) is the conjugate of sums(k).
/// Waits for exec.
template <class Fft, class Exec, int Dim, class T>
void transform_differences(
    const Exec& exec, const NufftOptions& options, const NufftGrid<Dim>& grid,
    const NufftCoefficients<const Kokkos::complex<T>, Dim>& sums, T* spectrum) {
  using Complex              = Kokkos::complex<T>;
  using Spectrum             = NufftSpectrum<Fft, Exec, Dim, T, T>;
  using Memory               = typename Exec::memory_space;
  const NufftGrid<Dim> sizes = nufft_differences(grid);
  const auto memory          = new_view<Kokkos::View<Complex*, Memory>>(
      exec, "Sporos::nufft::differences", Spectrum::size(sizes));
  const Spectrum fft(exec, sizes, memory.data(), options);
  const NufftModes<Exec, T, Dim, true> modes(exec, sizes, Spectrum::row(sizes),
                                             all_ones(sizes));
  fft.put(exec, modes, sums, 1);
  for_each_index(
      "Sporos::nufft::scale",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
          exec, 0, std::int64_t(sizes.size())),
      ScaleNufftField<T>{fft.field(), spectrum, T(1. / double(sizes.size()))});
  fence(exec, "Sporos::NufftNormalPlan::set_points");
}

}  // namespace Impl
}  // namespace Sporos

#endif
