// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSPECTRUM_HPP
#define SPOROS_NUFFTSPECTRUM_HPP

/// \file Sporos_NufftSpectrum.hpp
/// A fine grid of real or complex numbers with its FFT: where the numbers and
/// the modes stand in memory.

#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <nufft/grid/Sporos_NufftModes.hpp>

#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Does an FFT lead to coefficients by itself, without modes on the grid?
template <class Plan, class = void>
struct NufftReachesCoefficients : std::false_type {};
template <class Plan>
struct NufftReachesCoefficients<Plan,
                                std::enable_if_t<Plan::reaches_coefficients>>
    : std::true_type {};

/// coefficients = FFT of the grid / transform of the kernel
template <class Exec, class Fft, class Modes, class Complex, int Dim>
void take_from_spectrum(const Exec& exec, const Fft& fft, const Modes& modes,
                        const Complex* grid,
                        const NufftCoefficients<Complex, Dim>& coefficients,
                        double scale, int sign) {
  if constexpr (NufftReachesCoefficients<Fft>::value) {
    const ProfilingRegion step("Sporos::nufft::fft");
    fft.to_coefficients(exec, sign,
                        modes.taking(grid, coefficients, scale, sign));
  } else {
    {
      const ProfilingRegion step("Sporos::nufft::fft");
      if constexpr (Modes::half)
        fft.to_modes(exec);
      else
        fft.to_modes(exec, sign);
    }
    const ProfilingRegion step("Sporos::nufft::modes");
    modes.take(exec, grid, coefficients, scale, sign);
  }
}
/// grid = FFT of coefficients / transform of the kernel
template <bool Slope, class Exec, class Fft, class Modes, class Complex,
          int Dim>
void put_to_spectrum(const Exec& exec, const Fft& fft, const Modes& modes,
                     const NufftCoefficients<const Complex, Dim>& coefficients,
                     Complex* grid, int sign, int direction) {
  if constexpr (NufftReachesCoefficients<Fft>::value) {
    const ProfilingRegion step("Sporos::nufft::fft");
    fft.from_coefficients(
        exec, sign,
        modes.template putting<Slope>(coefficients, grid, sign, direction));
  } else {
    {
      const ProfilingRegion step("Sporos::nufft::modes");
      modes.template put<Slope>(exec, coefficients, grid, sign, direction);
    }
    const ProfilingRegion step("Sporos::nufft::fft");
    if constexpr (Modes::half)
      fft.from_modes(exec);
    else
      fft.from_modes(exec, sign);
  }
}

/// Complex numbers: modes take their place. Value: Kokkos::complex<T> or T
template <class Fft, class Exec, int Dim, class T, class Value>
class NufftSpectrum {
 public:
  using Complex = Kokkos::complex<T>;
  /// Do the modes of the last direction begin with 0?
  static constexpr bool half = false;

  /// Complex numbers of memory.
  static std::size_t size(const NufftGrid<Dim>& grid) { return grid.size(); }
  /// Numbers of a row of modes.
  static int row(const NufftGrid<Dim>& grid) { return grid.points[Dim - 1]; }

  NufftSpectrum(const Exec& exec, const NufftGrid<Dim>& grid, Complex* memory,
                const NufftOptions& options)
      : m_memory(memory), m_fft(exec, grid, memory, options) {}

  Value* field() const { return m_memory; }
  /// coefficients = FFT of the field / transform of the kernel. Overwrites the
  /// field. sign: of the exponent
  void take(const Exec& exec, const NufftModes<Exec, T, Dim>& modes,
            const NufftCoefficients<Complex, Dim>& coefficients, double scale,
            int sign) const {
    take_from_spectrum(exec, m_fft, modes, m_memory, coefficients, scale, sign);
  }
  /// field = FFT of coefficients / transform of the kernel. Slope: of the
  /// derivative in a direction
  template <bool Slope = false>
  void put(const Exec& exec, const NufftModes<Exec, T, Dim>& modes,
           const NufftCoefficients<const Complex, Dim>& coefficients, int sign,
           int direction = 0) const {
    put_to_spectrum<Slope>(exec, m_fft, modes, coefficients, m_memory, sign,
                           direction);
  }
  std::size_t bytes() const { return m_fft.bytes(); }

 private:
  Complex* m_memory;
  typename Fft::template Plan<Exec, Dim, T> m_fft;
};

/// Real numbers, followed by half of their modes. The signs of exponents are
/// fixed, see NufftRows::conjugate.
template <class Fft, class Exec, int Dim, class T>
class NufftSpectrum<Fft, Exec, Dim, T, T> {
  using Plan = typename Fft::template RealPlan<Exec, Dim, T>;

 public:
  using Complex              = Kokkos::complex<T>;
  static constexpr bool half = true;

  static std::size_t size(const NufftGrid<Dim>& grid) {
    const std::size_t points = std::size_t(grid.points[Dim - 1]);
    return behind_field(grid) + grid.size() / points * std::size_t(row(grid));
  }
  static int row(const NufftGrid<Dim>& grid) {
    return Plan::pitch(grid.points[Dim - 1]);
  }

  NufftSpectrum(const Exec& exec, const NufftGrid<Dim>& grid, Complex* memory,
                const NufftOptions& options)
      : m_field(reinterpret_cast<T*>(memory)),
        m_modes(memory + behind_field(grid)),
        m_fft(exec, grid, m_field, m_modes, options) {}

  T* field() const { return m_field; }
  void take(const Exec& exec, const NufftModes<Exec, T, Dim, true>& modes,
            const NufftCoefficients<Complex, Dim>& coefficients, double scale,
            int sign) const {
    take_from_spectrum(exec, m_fft, modes, m_modes, coefficients, scale, sign);
  }
  template <bool Slope = false>
  void put(const Exec& exec, const NufftModes<Exec, T, Dim, true>& modes,
           const NufftCoefficients<const Complex, Dim>& coefficients, int sign,
           int direction = 0) const {
    put_to_spectrum<Slope>(exec, m_fft, modes, coefficients, m_modes, sign,
                           direction);
  }
  std::size_t bytes() const { return m_fft.bytes(); }

 private:
  /// Extents of fine grids are even.
  static std::size_t behind_field(const NufftGrid<Dim>& grid) {
    return grid.size() / 2;
  }

  T* m_field;
  Complex* m_modes;
  Plan m_fft;
};

}  // namespace Impl
}  // namespace Sporos

#endif
