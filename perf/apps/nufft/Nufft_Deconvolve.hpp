// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_DECONVOLVE_HPP
#define SPOROS_NUFFT_DECONVOLVE_HPP

/// \file Nufft_Deconvolve.hpp
/// From the fine grid to the modes and back, divided by the Fourier transform
/// of the kernel.

#include "Nufft_Shape.hpp"

#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace NufftApp {

/// What the kernels below share. A row is all modes of the last direction.
template <class T, int Dim>
struct ModeRows {
  using Complex = Kokkos::complex<T>;
  Modes m;
  Vector<T> inverse;  ///< 1 / transform of the kernel, of each mode

  /// Product of the factors of row `row`, and its first number on the grid.
  KOKKOS_FUNCTION T row(int row, std::ptrdiff_t& place) const {
    T factor(1);
    place                = 0;
    std::ptrdiff_t pitch = m.n;
    for (int d = Dim - 2; d >= 0; --d, row /= m.modes, pitch *= m.n) {
      factor *= inverse(row % m.modes);
      place += m.place(row % m.modes) * pitch;
    }
    return factor;
  }
};

/// modes = fine grid / transform
template <class T, int Dim>
struct TakeModes {
  using Complex = Kokkos::complex<T>;
  using Team    = typename Kokkos::TeamPolicy<Exec>::member_type;
  ModeRows<T, Dim> rows;
  const Complex* fine;
  Complex* modes;
  T scale;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    std::ptrdiff_t place;
    const T factor      = scale * rows.row(team.league_rank(), place);
    const int count     = rows.m.modes;
    const Complex* from = fine + place;
    Complex* const to   = modes + std::ptrdiff_t(team.league_rank()) * count;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int i) {
      to[i] = from[rows.m.place(i)] * (factor * rows.inverse(i));
    });
  }
};

/// fine grid = modes / transform, and 0 elsewhere
template <class T, int Dim>
struct PutModes {
  using Complex = Kokkos::complex<T>;
  using Team    = typename Kokkos::TeamPolicy<Exec>::member_type;
  ModeRows<T, Dim> rows;
  const Complex* modes;
  Complex* fine;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Modes& m = rows.m;
    int grid_row = team.league_rank(), row = 0, pitch = 1;
    for (int d = Dim - 2; d >= 0; --d, grid_row /= m.n, pitch *= m.modes) {
      const int i = m.mode_at(grid_row % m.n);
      row         = row < 0 || i < 0 ? -1 : row + i * pitch;
    }
    Complex* const to = fine + std::ptrdiff_t(team.league_rank()) * m.n;
    if (row < 0) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m.n),
                           [&](int x) { to[x] = Complex(0); });
      return;
    }
    std::ptrdiff_t place;
    const T factor      = rows.row(row, place);
    const Complex* from = modes + std::ptrdiff_t(row) * m.modes;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m.n), [&](int x) {
      const int i = m.mode_at(x);
      to[x]       = i < 0 ? Complex(0) : from[i] * (factor * rows.inverse(i));
    });
  }
};

/// Takes modes from the fine grid and puts them there, divided by the Fourier
/// transform of a kernel.
template <class T, int Dim>
class Deconvolve {
  using Complex = Kokkos::complex<T>;

 public:
  Deconvolve() = default;
  template <class Kernel>
  Deconvolve(const Exec& exec, const Kernel& kernel, const Modes& m)
      : m_rows{m, Vector<T>("NufftApp::inverse", std::size_t(m.modes))} {
    const double step    = 2 * std::acos(-1.) / m.n;
    const auto transform = kernel.transform(step, m.modes / 2 + 1);
    const auto on_host   = Kokkos::create_mirror_view(m_rows.inverse);
    for (int i = 0; i < m.modes; ++i)
      on_host(i) = T(1 / transform[std::size_t(std::abs(m.wave(i)))]);
    Kokkos::deep_copy(exec, m_rows.inverse, on_host);
    exec.fence();
  }

  void take(const Exec& exec, const Field<Complex, Dim>& fine,
            const Vector<Complex>& modes, double scale) const {
    Kokkos::parallel_for(
        "NufftApp::take_modes", rows(exec, m_rows.m.modes),
        TakeModes<T, Dim>{m_rows, fine.data(), modes.data(), T(scale)});
  }
  void put(const Exec& exec, const Vector<Complex>& modes,
           const Field<Complex, Dim>& fine) const {
    Kokkos::parallel_for("NufftApp::put_modes", rows(exec, m_rows.m.n),
                         PutModes<T, Dim>{m_rows, modes.data(), fine.data()});
  }

 private:
  /// A team for each row.
  static Kokkos::TeamPolicy<Exec> rows(const Exec& exec, int along) {
    return {exec, Dim == 3 ? along * along : along, Kokkos::AUTO};
  }

  ModeRows<T, Dim> m_rows{};
};

}  // namespace NufftApp

#endif
