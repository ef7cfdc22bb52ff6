// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSTEPS_HPP
#define SPOROS_NUFFTSTEPS_HPP

/// \file Sporos_NufftSteps.hpp
/// The steps of types 1 and 2, for one transform that was checked.

#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_ViewChecks.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>
#include <nufft/fft/Sporos_NufftSpectrum.hpp>
#include <nufft/grid/Sporos_NufftModes.hpp>
#include <nufft/transfer/Sporos_NufftTransfer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// A grid as the transfers take it.
template <class Views, int Dim>
typename Views::Fine nufft_field(const NufftGrid<Dim>& grid,
                                 typename Views::Fine::value_type* data) {
  Kokkos::LayoutRight layout;
  for (int d = 0; d < Dim; ++d)
    layout.dimension[d] = std::size_t(grid.points[d]);
  return typename Views::Fine(data, layout);
}

/// Checks coordinates, shape (n, Dim) or in one dimension also (n), and returns
/// them with rank 2.
template <class ExecSpace, int Dim, class T, class Points>
typename NufftViews<ExecSpace, Dim, T>::Points nufft_coordinates(
    const char* function, const char* argument, const Points& points) {
  using Coordinates  = typename NufftViews<ExecSpace, Dim, T>::Points;
  constexpr int rank = view_rank_v<Points>;
  static_assert(
      Kokkos::is_view<Points>::value && (rank == 2 || (rank == 1 && Dim == 1)),
      "Sporos: points of non-uniform FFTs must be a View of rank 2, "
      "(n, Dim); in one dimension also of rank 1");
  static_assert(std::is_same<typename Points::non_const_value_type, T>::value,
                "Sporos: points of non-uniform FFTs must hold T");
  static_assert(is_accessible_v<ExecSpace, Points>,
                "Sporos: points of non-uniform FFTs must be accessible to the "
                "execution space of the plan");
  if constexpr (rank == 2)
    check(points.extent(1) == std::size_t(Dim), function, argument,
          text("extents (n, ", Dim, ")"), extents(points));
  check(points.extent(0) < points_end, function, argument,
        text("fewer than ", points_end, " points"), points.extent(0));
  check_memory(function, argument, points);
  std::size_t along = 1;
  if constexpr (rank == 2) along = std::size_t(points.stride(1));
  return Coordinates(
      points.data(),
      Kokkos::LayoutStride(points.extent(0), std::size_t(points.stride(0)),
                           std::size_t(Dim), along));
}

/// A transfer, a fine grid, its FFT and its modes. P: type of coordinates;
/// Value: T or Kokkos::complex<T>, of points and of the fine grid.
template <class ExecSpace, int Dim, class T, class P, class Widths, class Fft,
          class Value = Kokkos::complex<T>>
class NufftSteps {
 public:
  using Views    = NufftViews<ExecSpace, Dim, T, P, Value>;
  using Complex  = Kokkos::complex<T>;
  using Spectrum = NufftSpectrum<Fft, ExecSpace, Dim, T, Value>;

  /// memory: Spectrum::size() numbers, as long as this exists. Waits for exec.
  NufftSteps(const ExecSpace& exec, const NufftOptions& options,
             const NufftChoice<Dim>& choice, Complex* memory)
      : m_choice(choice),
        m_volume(choice.grid.transfer_grid().cell_volume()),
        m_transfer(
            make_nufft_transfer<ExecSpace, Dim, T, P, Value>(choice, Widths())),
        m_spectrum(exec, choice.grid, memory, options),
        m_modes(exec, choice.grid, Spectrum::row(choice.grid),
                m_transfer->inverse()) {}

  const NufftChoice<Dim>& choice() const { return m_choice; }
  NufftTransfer<ExecSpace, Dim, T, P, Value>& transfer() const {
    return *m_transfer;
  }

  /// coefficients = sum of values
  void type1(const ExecSpace& exec, const typename Views::ConstValues& values,
             const NufftCoefficients<Complex, Dim>& coefficients,
             int sign) const {
    {
      const ProfilingRegion step("Sporos::nufft::spread");
      fill_nufft_field(exec, m_spectrum.field(), m_choice.grid.size());
      m_transfer->spread(exec, values, field());
    }
    // the integral over the grid: spread adds values / cell volume
    m_spectrum.take(exec, m_modes, coefficients, m_volume, sign);
  }
  /// values = sum of coefficients
  void type2(const ExecSpace& exec,
             const NufftCoefficients<const Complex, Dim>& coefficients,
             const typename Views::Values& values, int sign) const {
    m_spectrum.put(exec, m_modes, coefficients, sign);
    to_points(exec, values);
  }
  /// values = derivative of the sum of coefficients in a direction. The
  /// coefficients are multiplied by the wave numbers: the derivative of the
  /// kernel would save the FFTs of all but one direction, but has errors of
  /// long waves that are as many times as large as there are points of the fine
  /// grid in a wave.
  void type2_slope(const ExecSpace& exec,
                   const NufftCoefficients<const Complex, Dim>& coefficients,
                   const typename Views::Values& values, int sign,
                   int direction) const {
    m_spectrum.template put<true>(exec, m_modes, coefficients, sign, direction);
    to_points(exec, values);
  }

  /// Bytes of memory, without that of the grid and of FFTW.
  std::size_t bytes() const {
    return m_transfer->bytes() + m_modes.bytes() + m_spectrum.bytes();
  }

 private:
  /// From the fine grid.
  void to_points(const ExecSpace& exec,
                 const typename Views::Values& values) const {
    const ProfilingRegion step("Sporos::nufft::interpolate");
    m_transfer->interpolate(exec, field(), values);
  }
  typename Views::Fine field() const {
    return nufft_field<Views>(m_choice.grid, m_spectrum.field());
  }

  NufftChoice<Dim> m_choice;
  double m_volume;  ///< of a cell
  std::unique_ptr<NufftTransfer<ExecSpace, Dim, T, P, Value>> m_transfer;
  Spectrum m_spectrum;
  NufftModes<ExecSpace, T, Dim, Spectrum::half> m_modes;
};

}  // namespace Impl
}  // namespace Sporos

#endif
