// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTLINE_HPP
#define SPOROS_NUFFTLINE_HPP

/// \file Sporos_NufftLine.hpp
/// The FFT between a fine grid of one direction and coefficients, by FFTW: as a
/// whole, or split if it is long. Needs SPOROS_HAVE_FFTW.

#include <Sporos_FftwPlans.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_Pack.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>
#include <nufft/fft/Sporos_NufftBuffers.hpp>
#include <nufft/fft/Sporos_NufftSplit.hpp>

#ifdef SPOROS_HAVE_FFTW

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace Sporos {
namespace Impl {

/// f(first, count) for pieces of n numbers, in parallel
template <class Exec, class F>
void for_each_nufft_piece(const char* label, const Exec& exec, int n,
                          const F& f) {
  for_each_index(label,
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, ceil_div(n, nufft_piece)),
                 [&](std::int64_t piece) {
                   const int first = int(piece) * nufft_piece;
                   f(first, std::min(nufft_piece, n - first));
                 });
}

/// f() once, as a kernel of exec
template <class Exec, class F>
void run_nufft_line(const Exec& exec, const F& f) {
  for_each_index("Sporos::nufft::fft", Kokkos::RangePolicy<Exec>(exec, 0, 1),
                 [&](int) { f(); });
}

/// The FFT of a line of complex numbers, in place.
template <class Exec, class T>
class NufftLine {
  using F = Fftw<T>;

 public:
  using Complex                              = Kokkos::complex<T>;
  static constexpr bool reaches_coefficients = true;  ///< see NufftFftw

  /// Plans, and may overwrite the grid. Waits for exec. split_from: points
  NufftLine(const Exec& exec, const NufftGrid<1>& grid, Complex* fine, Complex*,
            int, const NufftOptions& options,
            int split_from = nufft_split_points)
      : m_grid(grid), m_fine(fine) {
    if (grid.points[0] >= split_from) {
      m_split =
          std::make_unique<NufftSplit<Exec, T>>(exec, grid, fine, options);
      return;
    }
    const NufftPlanning<T> planning(options, 2);
    T* const line = reinterpret_cast<T*>(fine);
    for (const int sign : {-1, 1})
      m_plans[sign > 0 ? 1 : 0] =
          F::line(grid.points[0], line, line, sign, planning.flags);
  }

  /// sign: of the exponent; take: TakeModes
  template <class Take>
  void to_coefficients(const Exec& exec, int sign, const Take& take) const {
    if (m_split != nullptr) return m_split->to_coefficients(exec, sign, take);
    transform(exec, sign);
    const auto all = take.row_of(0);
    for_each_nufft_piece("Sporos::nufft::take_modes", exec, m_grid.modes[0],
                         [&](int first, int count) {
                           for (int i = first; i < first + count; ++i)
                             take.set(all, i, m_fine[m_grid.place(0, i)]);
                         });
  }
  /// sign: of the exponent; put: PutModes
  template <class Put>
  void from_coefficients(const Exec& exec, int sign, const Put& put) const {
    if (m_split != nullptr) return m_split->from_coefficients(exec, sign, put);
    const auto all = put.row_of(0, false);
    for_each_nufft_piece("Sporos::nufft::put_modes", exec, m_grid.points[0],
                         [&](int first, int count) {
                           for (int x = first; x < first + count; ++x) {
                             const int i = m_grid.mode_at(0, x);
                             m_fine[x] = i < 0 ? Complex(0) : put.mode(all, i);
                           }
                         });
    transform(exec, sign);
  }
  std::size_t bytes() const {
    return m_split != nullptr ? m_split->bytes() : 0;
  }

 private:
  void transform(const Exec& exec, int sign) const {
    run_nufft_line(exec, [&] {
      F::run_in_place(m_plans[sign > 0 ? 1 : 0], reinterpret_cast<T*>(m_fine));
    });
  }

  NufftGrid<1> m_grid;
  Complex* m_fine;
  typename F::plan m_plans[2];
  std::unique_ptr<NufftSplit<Exec, T>> m_split;
};

/// The FFT of a line of real numbers x(n). A split line is one of half as many
/// complex numbers z(n) = x(2 n) + i x(2 n + 1), whose transform Z leads to the
/// modes: with N real points and w = exp(-2 pi i / N),
///
///   modes(k) = E + w^k O,  E = (Z(k) + Z*(-k)) / 2,  O = (Z(k) - Z*(-k)) / 2i
///
/// and back, with all modes twice, Z(k) = A + i B w^-k,
/// A = modes(k) + modes*(N / 2 - k), B = modes(k) - modes*(N / 2 - k).
template <class Exec, class T>
class NufftRealLine {
  using F = Fftw<T>;

 public:
  using Complex                              = Kokkos::complex<T>;
  static constexpr bool reaches_coefficients = true;  ///< see NufftFftw

  /// Plans, and may overwrite both memories. Waits for exec. pitch: numbers of
  /// modes in memory; split_from: pairs of points
  NufftRealLine(const Exec& exec, const NufftGrid<1>& grid, T* field,
                Complex* modes, int pitch, const NufftOptions& options,
                int split_from = nufft_split_points)
      : m_modes_end(grid.modes[0] / 2 + 1),
        m_pairs(grid.points[0] / 2),
        m_field(field),
        m_modes(modes) {
    if (m_pairs >= split_from && m_pairs % nufft_columns == 0) {
      NufftGrid<1> pairs;
      pairs.points[0] = m_pairs;
      pairs.modes[0]  = std::min(2 * m_modes_end - 1, m_pairs);
      pairs.centred   = false;
      m_around        = pairs.modes[0];
      m_roots.emplace(grid.points[0]);
      m_split = std::make_unique<NufftSplit<Exec, T>>(
          exec, pairs, reinterpret_cast<Complex*>(field), options);
      return;
    }
    const NufftPlanning<T> planning(options, 2);
    const int n   = grid.points[0];
    T* const half = reinterpret_cast<T*>(modes);
    m_forward     = F::forward(n, 1, field, n, half, pitch, planning.flags);
    m_backward    = F::backward(n, 1, half, pitch, field, n, planning.flags);
  }

  /// With exp(-i ...); take: TakeModes, conjugates
  template <class Take>
  void to_coefficients(const Exec& exec, int, const Take& take) const {
    const auto all = take.row_of(0);
    if (m_split != nullptr)
      m_split->to_coefficients(exec, -1, CopyPairs{m_modes});
    else
      run_nufft_line(exec, [&] {
        F::run_forward(m_forward, m_field, reinterpret_cast<T*>(m_modes));
      });
    for_each_nufft_piece("Sporos::nufft::take_modes", exec, m_modes_end,
                         [&](int first, int count) {
                           if (m_split != nullptr)
                             for (int k = first; k < first + count; ++k)
                               take.set(all, k, mode_of_pairs(k));
                           else
                             take.set_many(all, first, count, m_modes + first);
                         });
  }
  /// With exp(i ...); put: PutModes, conjugates
  template <class Put>
  void from_coefficients(const Exec& exec, int, const Put& put) const {
    const auto all = put.row_of(0, true);
    if (m_split != nullptr) {
      for_each_nufft_piece("Sporos::nufft::put_modes", exec, m_around,
                           [&](int first, int count) {
                             for (int i = first; i < first + count; ++i)
                               m_modes[i] = pair_of_modes(put, all, i);
                           });
      m_split->from_coefficients(exec, 1, CopyPairs{m_modes});
      return;
    }
    for_each_nufft_piece("Sporos::nufft::put_modes", exec, m_pairs + 1,
                         [&](int first, int count) {
                           const int some = std::max(
                               0, std::min(count, m_modes_end - first));
                           put.modes_of(all, first, some, m_modes + first);
                           std::fill(m_modes + (first + some),
                                     m_modes + (first + count), Complex(0));
                         });
    run_nufft_line(exec, [&] {
      F::run_backward(m_backward, reinterpret_cast<T*>(m_modes), m_field);
    });
  }
  std::size_t bytes() const {
    return m_split != nullptr ? m_split->bytes() : 0;
  }

 private:
  /// Transforms of pairs as they are, k = 0, 1, ..., -2, -1.
  struct CopyPairs {
    Complex* pairs;
    int row_of(int, bool = false) const { return 0; }
    void set_many(int, int i, int count, const Complex* z) const {
      std::copy_n(z, count, pairs + i);
    }
    void modes_of(int, int i, int count, Complex* z) const {
      std::copy_n(pairs + i, count, z);
    }
    void prefetch(int, int i) const {
      for (int k = 0; k < nufft_columns; k += nufft_coefficients_of_line<T>)
        SPOROS_PREFETCH_WRITE(pairs + (i + k));
    }
  };
  /// exp(2 pi i k / N)
  Complex root(int k) const {
    const auto w = (*m_roots)(k);
    return {T(w.real()), T(w.imag())};
  }
  static Complex conjugate(const Complex& z) { return {z.real(), -z.imag()}; }

  Complex mode_of_pairs(int k) const {
    const Complex here  = m_modes[k];
    const Complex there = conjugate(m_modes[k == 0 ? 0 : m_around - k]);
    const Complex odd   = conjugate(root(k)) * (here - there);
    return (here + there + Complex(odd.imag(), -odd.real())) * T(.5);
  }
  template <class Put, class Row>
  Complex pair_of_modes(const Put& put, const Row& all, int i) const {
    const int k = i < m_modes_end ? i : i - m_around + m_pairs;
    Complex here(0), there(0);
    if (k < m_modes_end) put.modes_of(all, k, 1, &here);
    if (m_pairs - k < m_modes_end) put.modes_of(all, m_pairs - k, 1, &there);
    there             = conjugate(there);
    const Complex odd = root(k) * (here - there);
    return here + there + Complex(-odd.imag(), odd.real());
  }

  int m_modes_end, m_pairs;
  int m_around = 0;  ///< transforms of pairs that modes lead to
  T* m_field;
  Complex* m_modes;
  typename F::plan m_forward, m_backward;
  std::optional<NufftRoots> m_roots;
  std::unique_ptr<NufftSplit<Exec, T>> m_split;
};

}  // namespace Impl
}  // namespace Sporos

#endif
#endif
