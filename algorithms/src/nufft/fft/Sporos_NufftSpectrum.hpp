// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSPECTRUM_HPP
#define SPOROS_NUFFTSPECTRUM_HPP

/// \file Sporos_NufftSpectrum.hpp
/// A fine grid of real or complex numbers with its FFT: where the numbers and
/// the modes stand in memory.

#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

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
  Complex* modes() const { return m_memory; }
  void to_modes(const Exec& exec, int sign) const {
    m_fft.to_modes(exec, sign);
  }
  void from_modes(const Exec& exec, int sign) const {
    m_fft.from_modes(exec, sign);
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
  Complex* modes() const { return m_modes; }
  void to_modes(const Exec& exec, int) const { m_fft.to_modes(exec); }
  void from_modes(const Exec& exec, int) const { m_fft.from_modes(exec); }
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
