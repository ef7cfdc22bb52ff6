// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTMODES_HPP
#define SPOROS_NUFFTMODES_HPP

/// \file Sporos_NufftModes.hpp
/// From the fine grid to the modes and back, divided by the Fourier transform
/// of the kernel.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_NufftGrid.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Impl {

/// Coefficients of modes in an array of any layout.
template <class Complex, int Dim>
struct NufftCoefficients {
  Complex* data;
  std::ptrdiff_t stride[Dim];
};

/// What the kernels below share. A row is all of the last direction, cut into
/// pieces, one for each team.
template <class T, int Dim>
struct NufftRows {
  static constexpr int piece = nufft_piece;
  NufftGrid<Dim> grid;
  const T* inverse;  ///< 1 / transform of each mode, direction after direction

  /// Pieces of a row of n.
  KOKKOS_FUNCTION static int pieces(int n) { return (n - 1) / piece + 1; }
  /// Calls f for the indices of piece number k of a row of n.
  template <class Team, class F>
  KOKKOS_FUNCTION static void each(const Team& team, int k, int n, const F& f) {
    const int end = k == pieces(n) - 1 ? n : (k + 1) * piece;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, k * piece, end), f);
  }

  /// The factors of direction d.
  KOKKOS_FUNCTION const T* inverse_of(int d) const {
    const T* from = inverse;
    for (int e = 0; e < d; ++e) from += grid.modes[e];
    return from;
  }
};

/// coefficients = fine grid / transform, a team for each row of modes
template <class Exec, class T, int Dim>
struct TakeModes {
  using Complex = Kokkos::complex<T>;
  using Team    = typename Kokkos::TeamPolicy<Exec>::member_type;
  NufftRows<T, Dim> rows;
  const Complex* fine;
  NufftCoefficients<Complex, Dim> modes;
  T scale;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const NufftGrid<Dim>& g = rows.grid;
    constexpr int last      = Dim - 1;
    T factor                = scale;
    const Complex* from     = fine;
    Complex* to             = modes.data;
    std::ptrdiff_t pitch    = g.points[last];
    const int pieces        = rows.pieces(g.modes[last]);
    const int k             = team.league_rank() % pieces;
    int row                 = team.league_rank() / pieces;
    for (int d = last - 1; d >= 0; --d) {
      const int i = row % g.modes[d];
      row /= g.modes[d];
      factor *= rows.inverse_of(d)[i];
      from += g.place(d, i) * pitch;
      to += i * modes.stride[d];
      pitch *= g.points[d];
    }
    const T* const inverse      = rows.inverse_of(last);
    const std::ptrdiff_t stride = modes.stride[last];
    rows.each(team, k, g.modes[last], [&](int i) {
      to[i * stride] = from[g.place(last, i)] * (factor * inverse[i]);
    });
  }
};

/// fine grid = coefficients / transform, and 0 elsewhere; a team for each row
/// of the grid
template <class Exec, class T, int Dim>
struct PutModes {
  using Complex = Kokkos::complex<T>;
  using Team    = typename Kokkos::TeamPolicy<Exec>::member_type;
  NufftRows<T, Dim> rows;
  NufftCoefficients<const Complex, Dim> modes;
  Complex* fine;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const NufftGrid<Dim>& g = rows.grid;
    constexpr int last      = Dim - 1;
    const int n             = g.points[last];
    const int pieces        = rows.pieces(n);
    const int k             = team.league_rank() % pieces;
    int row                 = team.league_rank() / pieces;
    Complex* const to       = fine + std::ptrdiff_t(row) * n;
    T factor(1);
    const Complex* from = modes.data;
    bool empty          = false;
    for (int d = last - 1; d >= 0; --d) {
      const int i = g.mode_at(d, row % g.points[d]);
      row /= g.points[d];
      empty = empty || i < 0;
      if (empty) break;
      factor *= rows.inverse_of(d)[i];
      from += i * modes.stride[d];
    }
    if (empty) {
      rows.each(team, k, n, [&](int x) { to[x] = Complex(0); });
      return;
    }
    const T* const inverse      = rows.inverse_of(last);
    const std::ptrdiff_t stride = modes.stride[last];
    rows.each(team, k, n, [&](int x) {
      const int i = g.mode_at(last, x);
      to[x] = i < 0 ? Complex(0) : from[i * stride] * (factor * inverse[i]);
    });
  }
};

/// fine grid = 0
template <class T>
struct ZeroFineGrid {
  Kokkos::complex<T>* fine;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    fine[i] = Kokkos::complex<T>(0);
  }
};

template <class Exec, class T>
void zero_fine_grid(const Exec& exec, Kokkos::complex<T>* fine,
                    std::size_t size) {
  for_each_index("Sporos::nufft::zero",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, std::int64_t(size)),
                 ZeroFineGrid<T>{fine});
}

/// Takes modes from the fine grid and puts them there, divided by the Fourier
/// transform of a kernel.
template <class Exec, class T, int Dim>
class NufftModes {
  using Complex = Kokkos::complex<T>;
  using Table   = Kokkos::View<T*, typename Exec::memory_space>;

 public:
  /// inverse: see NufftRows. Waits for exec.
  NufftModes(const Exec& exec, const NufftGrid<Dim>& grid,
             const std::vector<double>& inverse)
      : m_grid(grid),
        m_inverse(
            new_view<Table>(exec, "Sporos::nufft::inverse", inverse.size())) {
    const auto on_host = Kokkos::create_mirror_view(m_inverse);
    for (std::size_t i = 0; i < inverse.size(); ++i) on_host(i) = T(inverse[i]);
    Kokkos::deep_copy(exec, m_inverse, on_host);
    fence(exec, "Sporos::NufftPlan");
  }

  void take(const Exec& exec, const Complex* fine,
            const NufftCoefficients<Complex, Dim>& modes, double scale) const {
    Kokkos::parallel_for(
        "Sporos::nufft::take_modes", teams(exec, m_grid.modes),
        TakeModes<Exec, T, Dim>{rows(), fine, modes, T(scale)});
  }
  void put(const Exec& exec, const NufftCoefficients<const Complex, Dim>& modes,
           Complex* fine) const {
    Kokkos::parallel_for("Sporos::nufft::put_modes", teams(exec, m_grid.points),
                         PutModes<Exec, T, Dim>{rows(), modes, fine});
  }
  std::size_t bytes() const { return m_inverse.extent(0) * sizeof(T); }

 private:
  NufftRows<T, Dim> rows() const { return {m_grid, m_inverse.data()}; }
  static Kokkos::TeamPolicy<Exec> teams(const Exec& exec, const int (&n)[Dim]) {
    int league = NufftRows<T, Dim>::pieces(n[Dim - 1]);
    for (int d = 0; d < Dim - 1; ++d) league *= n[d];
    return {exec, league, Kokkos::AUTO};
  }

  NufftGrid<Dim> m_grid;
  Table m_inverse;
};

}  // namespace Impl
}  // namespace Sporos

#endif
