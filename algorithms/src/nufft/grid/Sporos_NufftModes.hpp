// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTMODES_HPP
#define SPOROS_NUFFTMODES_HPP

/// \file Sporos_NufftModes.hpp
/// From the fine grid to the modes and back, divided by the Fourier transform
/// of the kernel.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_Pack.hpp>
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
/// pieces, one for each team. Half: modes 0 to N / 2 of the last direction, of
/// real values, stand at the beginning of a row.
template <class T, int Dim, bool Half>
struct NufftRows {
  static constexpr int piece = nufft_piece, last = Dim - 1;
  using Complex = Kokkos::complex<T>;
  NufftGrid<Dim> grid;
  int length;        ///< of a row of the grid
  const T* inverse;  ///< 1 / transform of each mode, direction after direction
  /// Half: are modes those of the other sign of the exponent?
  bool conjugate;

  /// Modes of the last direction.
  KOKKOS_FUNCTION int modes() const {
    return Half ? grid.modes[last] / 2 + 1 : grid.modes[last];
  }
  /// Where mode i of the last direction stands.
  KOKKOS_FUNCTION int place(int i) const {
    return Half ? i : grid.place(last, i);
  }
  /// Which mode stands at a place of the last direction; negative: none.
  KOKKOS_FUNCTION int mode_at(int x) const {
    if constexpr (Half)
      return x < modes() ? x : -1;
    else
      return grid.mode_at(last, x);
  }
  /// A mode of this sign.
  KOKKOS_FUNCTION Complex signed_mode(const Complex& z) const {
    return Half && conjugate ? Complex(z.real(), -z.imag()) : z;
  }

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
template <class Exec, class T, int Dim, bool Half>
struct TakeModes {
  static constexpr bool half = Half;
  using Complex              = Kokkos::complex<T>;
  using Team                 = typename Kokkos::TeamPolicy<Exec>::member_type;
  NufftRows<T, Dim, Half> rows;
  const Complex* fine;
  NufftCoefficients<Complex, Dim> modes;
  T scale;

  /// A row of coefficients.
  struct Row {
    Complex* to;
    std::ptrdiff_t place;  ///< where the row stands on the grid, in rows
    T factor;              ///< of all of the row
    const T* inverse;      ///< factors of the last direction
  };
  KOKKOS_FUNCTION Row row_of(int row) const {
    const NufftGrid<Dim>& g = rows.grid;
    constexpr int last      = Dim - 1;
    Row r{modes.data, 0, scale, rows.inverse_of(last)};
    std::ptrdiff_t pitch = 1;
    for (int d = last - 1; d >= 0; --d) {
      const int i = row % g.modes[d];
      row /= g.modes[d];
      r.factor *= rows.inverse_of(d)[i];
      r.place += g.place(d, i) * pitch;
      r.to += i * modes.stride[d];
      pitch *= g.points[d];
    }
    return r;
  }
  /// Coefficient i of a row from its mode on the grid.
  KOKKOS_FUNCTION void set(const Row& r, int i, const Complex& z) const {
    r.to[i * modes.stride[Dim - 1]] =
        rows.signed_mode(z) * (r.factor * r.inverse[i]);
  }
  /// Hosts: coefficients [i, i + count) of a row.
  void set_many(const Row& r, int i, int count, const Complex* z) const {
    if (modes.stride[Dim - 1] == 1)
      for (int k = 0; k < count; ++k)
        r.to[i + k] = rows.signed_mode(z[k]) * (r.factor * r.inverse[i + k]);
    else
      for (int k = 0; k < count; ++k) set(r, i + k, z[k]);
  }
  /// Hosts: prefetches what set_many() needs for [i, i + nufft_columns).
  void prefetch(const Row& r, int i) const {
    SPOROS_PREFETCH(r.inverse + i);
    for (int k = 0; k < nufft_columns; k += nufft_coefficients_of_line<T>)
      SPOROS_PREFETCH_WRITE(r.to + (i + k) * modes.stride[Dim - 1]);
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int pieces          = rows.pieces(rows.modes());
    const Row r               = row_of(team.league_rank() / pieces);
    const Complex* const from = fine + r.place * rows.length;
    rows.each(team, team.league_rank() % pieces, rows.modes(),
              [&](int i) { set(r, i, from[rows.place(i)]); });
  }
};

/// fine grid = coefficients / transform, and 0 elsewhere; a team for each row
/// of the grid. Half: the FFT takes the real part of
/// sum_k weight(k) coefficients(k) exp(...), with weight 1 for the first mode
/// of the last direction and, if their number is even, the last one, else 2:
/// it doubles all but the first by itself, and asks for the symmetry of real
/// values there. Slope: coefficients(k) times sign i k(direction), those of a
/// derivative.
template <class Exec, class T, int Dim, bool Half, bool Slope>
struct PutModes {
  static constexpr bool half = Half;
  using Complex              = Kokkos::complex<T>;
  using Team                 = typename Kokkos::TeamPolicy<Exec>::member_type;
  NufftRows<T, Dim, Half> rows;
  NufftCoefficients<const Complex, Dim> modes;
  Complex* fine;
  T sign;  ///< of the exponent
  int direction;

  /// A coefficient of mode i of the last direction. Slope: multiplied by what
  /// coefficients_of() has not in its factor.
  KOKKOS_FUNCTION Complex coefficient(const Complex& z, int i) const {
    if constexpr (Slope) {
      constexpr int last = Dim - 1;
      T k                = sign;
      if (direction == last) k *= T(Half ? i : rows.grid.wave(last, i));
      return Complex(-k * z.imag(), k * z.real());
    } else {
      return z;
    }
  }
  /// Coefficients of a row of the grid, or of the row of opposite modes, and
  /// the factor of all of them; null if there are none.
  KOKKOS_FUNCTION const Complex* coefficients_of(int row, bool opposite,
                                                 T& factor) const {
    const NufftGrid<Dim>& g = rows.grid;
    const Complex* from     = modes.data;
    factor                  = T(1);
    for (int d = Dim - 2; d >= 0; --d) {
      int place = row % g.points[d];
      row /= g.points[d];
      if (opposite && place > 0) place = g.points[d] - place;
      const int i = g.mode_at(d, place);
      if (i < 0) return nullptr;
      factor *= rows.inverse_of(d)[i];
      if (Slope && d == direction) factor *= T(g.wave(d, i));
      from += i * modes.stride[d];
    }
    return from;
  }
  /// Mode 0 of the last direction: the mean of it and of the conjugate of the
  /// opposite one.
  KOKKOS_FUNCTION Complex symmetric(int row) const {
    Complex sum(0);
    T factor;
    if (const Complex* const from = coefficients_of(row, false, factor))
      sum += coefficient(from[0], 0) * factor;
    if (const Complex* const from = coefficients_of(row, true, factor)) {
      const Complex z = coefficient(from[0], 0);
      sum += Complex(z.real(), -z.imag()) * factor;
    }
    return rows.signed_mode(sum) * (T(.5) * rows.inverse_of(Dim - 1)[0]);
  }

  /// A row of the grid.
  struct Row {
    const Complex* from;  ///< its coefficients; null: none
    T factor;             ///< of all of the row
    const T* inverse;     ///< factors of the last direction
    Complex first;        ///< Half: mode 0
  };
  /// with_first: is mode 0 asked for?
  KOKKOS_FUNCTION Row row_of(int row, bool with_first) const {
    Row r{nullptr, T(1), rows.inverse_of(Dim - 1), Complex(0)};
    r.from = coefficients_of(row, false, r.factor);
    if (Half && with_first) r.first = symmetric(row);
    return r;
  }
  /// Mode i of a row that has coefficients; not mode 0 of a half.
  KOKKOS_FUNCTION Complex mode(const Row& r, int i) const {
    const bool once = Half && 2 * i == rows.grid.modes[Dim - 1];
    const T times   = (once ? T(.5) : T(1)) * r.factor * r.inverse[i];
    return rows.signed_mode(coefficient(r.from[i * modes.stride[Dim - 1]], i)) *
           times;
  }
  /// Hosts: modes [i, i + count) of a row.
  void modes_of(const Row& r, int i, int count, Complex* to) const {
    if (r.from == nullptr)
      for (int k = 0; k < count; ++k) to[k] = Complex(0);
    else if (!Half && !Slope && modes.stride[Dim - 1] == 1)
      for (int k = 0; k < count; ++k)
        to[k] = r.from[i + k] * (r.factor * r.inverse[i + k]);
    else
      for (int k = 0; k < count; ++k)
        if (!Half || i + k > 0) to[k] = mode(r, i + k);
    if (Half && i == 0 && count > 0) to[0] = r.first;
  }
  /// Hosts: prefetches what modes_of() needs for [i, i + nufft_columns).
  void prefetch(const Row& r, int i) const {
    SPOROS_PREFETCH(r.inverse + i);
    for (int k = 0; k < nufft_columns; k += nufft_coefficients_of_line<T>)
      SPOROS_PREFETCH(r.from + (i + k) * modes.stride[Dim - 1]);
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int n       = rows.length;
    const int pieces  = rows.pieces(n);
    const int k       = team.league_rank() % pieces;
    const int row     = team.league_rank() / pieces;
    Complex* const to = fine + std::ptrdiff_t(row) * n;
    const Row r       = row_of(row, k == 0);
    if (r.from == nullptr) {
      rows.each(team, k, n,
                [&](int x) { to[x] = Half && x == 0 ? r.first : Complex(0); });
      return;
    }
    rows.each(team, k, n, [&](int x) {
      const int i = rows.mode_at(x);
      if (i < 0 || (Half && i == 0))
        to[x] = i < 0 ? Complex(0) : r.first;
      else
        to[x] = mode(r, i);
    });
  }
};

/// field = a number
template <class Value>
struct FillNufftField {
  Value* field;
  Value value;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { field[i] = value; }
};

template <class Exec, class Value>
void fill_nufft_field(const Exec& exec, Value* field, std::size_t size,
                      Value value = Value(0)) {
  for_each_index("Sporos::nufft::fill",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, std::int64_t(size)),
                 FillNufftField<Value>{field, value});
}

/// Takes modes from the fine grid and puts them there, divided by the Fourier
/// transform of a kernel.
template <class Exec, class T, int Dim, bool Half = false>
class NufftModes {
  using Complex = Kokkos::complex<T>;
  using Table   = Kokkos::View<T*, typename Exec::memory_space>;
  using Rows    = NufftRows<T, Dim, Half>;

 public:
  static constexpr bool half = Half;

  /// length: of a row of modes on the grid; inverse: see NufftRows. Waits for
  /// exec.
  NufftModes(const Exec& exec, const NufftGrid<Dim>& grid, int length,
             const std::vector<double>& inverse)
      : m_grid(grid),
        m_length(length),
        m_inverse(
            new_view<Table>(exec, "Sporos::nufft::inverse", inverse.size())) {
    const auto on_host = Kokkos::create_mirror_view(m_inverse);
    for (std::size_t i = 0; i < inverse.size(); ++i) on_host(i) = T(inverse[i]);
    Kokkos::deep_copy(exec, m_inverse, on_host);
    fence(exec, "Sporos::NufftPlan");
  }

  /// What take() runs. sign: of the exponent. Half: to modes, the FFT has -1.
  TakeModes<Exec, T, Dim, Half> taking(
      const Complex* fine, const NufftCoefficients<Complex, Dim>& modes,
      double scale, int sign) const {
    return {rows(sign > 0), fine, modes, T(scale)};
  }
  void take(const Exec& exec, const Complex* fine,
            const NufftCoefficients<Complex, Dim>& modes, double scale,
            int sign) const {
    Kokkos::parallel_for("Sporos::nufft::take_modes",
                         teams(exec, rows(false).modes(), m_grid.modes),
                         taking(fine, modes, scale, sign));
  }
  /// What put() runs. sign: of the exponent. Half: from modes, the FFT has 1.
  /// Slope: of the derivative in a direction
  template <bool Slope>
  PutModes<Exec, T, Dim, Half, Slope> putting(
      const NufftCoefficients<const Complex, Dim>& modes, Complex* fine,
      int sign, int direction) const {
    return {rows(sign < 0), modes, fine, T(sign), direction};
  }
  template <bool Slope>
  void put(const Exec& exec, const NufftCoefficients<const Complex, Dim>& modes,
           Complex* fine, int sign, int direction) const {
    Kokkos::parallel_for("Sporos::nufft::put_modes",
                         teams(exec, m_length, m_grid.points),
                         putting<Slope>(modes, fine, sign, direction));
  }
  std::size_t bytes() const { return m_inverse.extent(0) * sizeof(T); }

 private:
  Rows rows(bool conjugate) const {
    return {m_grid, m_length, m_inverse.data(), conjugate};
  }
  /// along: numbers of a row
  static Kokkos::TeamPolicy<Exec> teams(const Exec& exec, int along,
                                        const int (&n)[Dim]) {
    int league = Rows::pieces(along);
    for (int d = 0; d < Dim - 1; ++d) league *= n[d];
    return {exec, league, Kokkos::AUTO};
  }

  NufftGrid<Dim> m_grid;
  int m_length;
  Table m_inverse;
};

}  // namespace Impl
}  // namespace Sporos

#endif
