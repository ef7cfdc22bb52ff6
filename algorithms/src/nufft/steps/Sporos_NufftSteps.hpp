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
                                 typename Views::Complex* data) {
  Kokkos::LayoutRight layout;
  for (int d = 0; d < Dim; ++d)
    layout.dimension[d] = std::size_t(grid.points[d]);
  return typename Views::Fine(data, layout);
}

/// Transform b of values, of rank 1 or with the transforms as first extent.
template <class Line, class Values>
Line nufft_line(const Values& values, std::size_t b) {
  constexpr int along = view_rank_v<Values> - 1;
  auto* data          = values.data();
  if (along == 1) data += b * std::size_t(values.stride(0));
  return Line(data, Kokkos::LayoutStride(values.extent(along),
                                         std::size_t(values.stride(along))));
}

/// Transform b of coefficients, of rank Dim or with the transforms as first
/// extent.
template <class Complex, int Dim, class Coefficients>
NufftCoefficients<Complex, Dim> nufft_coefficients(
    const Coefficients& coefficients, std::size_t b) {
  constexpr int first = view_rank_v<Coefficients> - Dim;
  NufftCoefficients<Complex, Dim> c;
  c.data = coefficients.data();
  if (first == 1) c.data += b * std::size_t(coefficients.stride(0));
  for (int d = 0; d < Dim; ++d)
    c.stride[d] = std::ptrdiff_t(coefficients.stride(first + d));
  return c;
}

/// "8 x 9"
template <int Dim>
std::string nufft_sizes(const int (&n)[Dim]) {
  std::string out;
  for (int d = 0; d < Dim; ++d)
    out += (d > 0 ? " x " : "") + std::to_string(n[d]);
  return out;
}

/// Number of transforms.
template <class Values>
std::size_t nufft_batches(const Values& values) {
  return view_rank_v<Values> == 2 ? values.extent(0) : 1;
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

/// A transfer, a fine grid, its FFT and its modes. P: type of coordinates.
template <class ExecSpace, int Dim, class T, class P, class Widths, class Fft>
class NufftSteps {
 public:
  using Views   = NufftViews<ExecSpace, Dim, T, P>;
  using Complex = Kokkos::complex<T>;

  /// fine: memory of the grid, as long as this exists. Waits for exec.
  NufftSteps(const ExecSpace& exec, const NufftOptions& options,
             const NufftChoice<Dim>& choice, Complex* fine)
      : m_choice(choice),
        m_volume(choice.grid.transfer_grid().cell_volume()),
        m_transfer(make_nufft_transfer<ExecSpace, Dim, T, P>(choice, Widths())),
        m_fine(fine),
        m_fft(exec, choice.grid, fine, options),
        m_modes(exec, choice.grid, m_transfer->inverse()) {}

  const NufftChoice<Dim>& choice() const { return m_choice; }
  NufftTransfer<ExecSpace, Dim, T, P>& transfer() const { return *m_transfer; }

  /// coefficients = sum of values
  void type1(const ExecSpace& exec, const typename Views::ConstValues& values,
             const NufftCoefficients<Complex, Dim>& coefficients,
             int sign) const {
    {
      const ProfilingRegion step("Sporos::nufft::spread");
      zero_fine_grid(exec, m_fine, m_choice.grid.size());
      m_transfer->spread(exec, values, field());
    }
    {
      const ProfilingRegion step("Sporos::nufft::fft");
      m_fft.to_modes(exec, sign);
    }
    // the integral over the grid: spread adds values / cell volume
    const ProfilingRegion step("Sporos::nufft::modes");
    m_modes.take(exec, m_fine, coefficients, m_volume);
  }
  /// values = sum of coefficients
  void type2(const ExecSpace& exec,
             const NufftCoefficients<const Complex, Dim>& coefficients,
             const typename Views::Values& values, int sign) const {
    {
      const ProfilingRegion step("Sporos::nufft::modes");
      m_modes.put(exec, coefficients, m_fine);
    }
    {
      const ProfilingRegion step("Sporos::nufft::fft");
      m_fft.from_modes(exec, sign);
    }
    const ProfilingRegion step("Sporos::nufft::interpolate");
    m_transfer->interpolate(exec, field(), values);
  }

  /// Bytes of memory, without that of the grid and of FFTW.
  std::size_t bytes() const {
    return m_transfer->bytes() + m_modes.bytes() + m_fft.bytes();
  }

 private:
  typename Views::Fine field() const {
    return nufft_field<Views>(m_choice.grid, m_fine);
  }

  NufftChoice<Dim> m_choice;
  double m_volume;  ///< of a cell
  std::unique_ptr<NufftTransfer<ExecSpace, Dim, T, P>> m_transfer;
  Complex* m_fine;
  typename Fft::template Plan<ExecSpace, Dim, T> m_fft;
  NufftModes<ExecSpace, T, Dim> m_modes;
};

}  // namespace Impl
}  // namespace Sporos

#endif
