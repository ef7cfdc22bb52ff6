// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSPLIT_HPP
#define SPOROS_NUFFTSPLIT_HPP

/// \file Sporos_NufftSplit.hpp
/// One long FFT by many short ones in parallel, between a fine grid of one
/// direction and coefficients. Needs SPOROS_HAVE_FFTW.
///
/// With N = A B points x = B a + b and modes k = c + A d,
///
///   modes(c + A d) = sum_b w(B)^(b d) w(N)^(b c) sum_a w(A)^(a c) x(B a + b)
///
/// where w(n) = exp(sign 2 pi i / n): columns of the matrix (a, b), factors,
/// then rows. A column stays in its place; the modes of neighbouring rows are
/// neighbours, which leave a buffer for the coefficients together. So the grid
/// is read twice and written once; from coefficients the other way round. A
/// and B follow from N alone, and so do the bits.
///
/// (Bailey, "FFTs in external or hierarchical memory", 1990, without the
/// transpositions.)

#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>
#include <nufft/fft/Sporos_NufftBuffers.hpp>

#ifdef SPOROS_HAVE_FFTW

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Impl {

/// exp(2 pi i m / n) for m = 0, ..., n - 1, to rounding.
class NufftRoots {
 public:
  using Complex = Kokkos::complex<double>;

  explicit NufftRoots(std::int64_t n) {
    while ((std::int64_t(1) << (2 * m_shift)) < n) ++m_shift;
    const std::int64_t step = std::int64_t(1) << m_shift;
    for (std::int64_t m = 0; m < step; ++m) m_fine.push_back(exact(m, n));
    for (std::int64_t m = 0; m < n; m += step) m_coarse.push_back(exact(m, n));
  }
  Complex operator()(std::int64_t m) const {
    const auto mask = (std::int64_t(1) << m_shift) - 1;
    return m_coarse[std::size_t(m >> m_shift)] * m_fine[std::size_t(m & mask)];
  }

  /// By an angle of at most pi / 4 and quarters of a turn.
  static Complex exact(std::int64_t m, std::int64_t n) {
    const std::int64_t quarters = (4 * m + n / 2) / n;
    const double angle =
        std::acos(-1.) / 2 * (double(4 * m - quarters * n) / double(n));
    const double c = std::cos(angle), s = std::sin(angle);
    switch (quarters % 4) {
      case 0: return {c, s};
      case 1: return {-s, c};
      case 2: return {-c, -s};
      default: return {s, -c};
    }
  }

 private:
  int m_shift = 0;
  std::vector<Complex> m_fine, m_coarse;
};

/// Rows of a line of n points, a multiple of nufft_columns: a divisor near its
/// square root, so that columns are a multiple of nufft_columns and few lanes
/// of blocks of rows are left over.
inline int nufft_split_rows(int n) {
  int best   = 1;
  auto least = double(n) * nufft_columns;
  for (int columns = nufft_columns; columns <= n && columns < least;
       columns += nufft_columns) {
    if (n % columns != 0) continue;
    const int rows   = n / columns;
    const int padded = ceil_div(rows, nufft_columns) * nufft_columns;
    const double cost =
        (double(rows) + columns) * (double(padded) / double(rows));
    if (cost >= least) continue;
    least = cost;
    best  = rows;
  }
  return best;
}

template <class Exec, class T>
class NufftSplit {
 public:
  using Complex                              = Kokkos::complex<T>;
  static constexpr bool reaches_coefficients = true;  ///< see NufftFftw

  /// Plans. Waits for exec.
  NufftSplit(const Exec& exec, const NufftGrid<1>& grid, Complex* fine,
             const NufftOptions& options)
      : m_grid(grid),
        m_rows(nufft_split_rows(grid.points[0])),
        m_columns(grid.points[0] / m_rows),
        m_fine(fine),
        m_roots(grid.points[0]),
        m_buffers(exec, std::size_t(std::max(m_rows, m_columns)) *
                            std::size_t(lanes)) {
    const NufftPlanning<T> planning(options, 4);
    m_along_column =
        NufftLanesFft<T>(m_rows, m_buffers.first(), planning.flags);
    m_along_row =
        NufftLanesFft<T>(m_columns, m_buffers.first(), planning.flags);
    for (int c = 0; c < m_rows; ++c)
      for (const bool imaginary : {false, true})
        for (int lane = 0; lane < lanes; ++lane) {
          const auto root =
              NufftRoots::exact(std::int64_t(c) * lane, grid.points[0]);
          m_table.push_back(T(imaginary ? root.imag() : root.real()));
        }
  }

  /// sign: of the exponent; take: TakeModes
  template <class Take>
  void to_coefficients(const Exec& exec, int sign, const Take& take) const {
    run_columns(exec, [&](int column, Complex* buffer) {
      for (int a = 0; a < m_rows; ++a)
        copy_lanes(at(a, column), buffer + a * lanes);
      m_along_column.run(buffer, sign);
      for (int c = 0; c < m_rows; ++c)
        turn(c, column, sign, buffer + c * lanes, at(c, column));
    });
    const auto all = take.row_of(0);
    run_rows(exec, [&](int row, int many, Complex* buffer) {
      for (int b = 0; b < m_columns; b += lanes)
        for (int r = 0; r < lanes; ++r)
          for (int lane = 0; lane < lanes; ++lane)
            buffer[(b + lane) * lanes + r] =
                r < many ? at(row + r, b)[lane] : Complex(0);
      m_along_row.run(buffer, sign);
      each_run(
          row, many,
          [&](int d, int lane, int mode, int count) {
            take.set_many(all, mode, count, buffer + d * lanes + lane);
          },
          [&](int mode) { take.prefetch(all, mode); });
    });
  }

  /// sign: of the exponent; put: PutModes
  template <class Put>
  void from_coefficients(const Exec& exec, int sign, const Put& put) const {
    const auto all = put.row_of(0, false);
    run_rows(exec, [&](int row, int many, Complex* buffer) {
      std::fill_n(buffer, m_columns * lanes, Complex(0));
      each_run(
          row, many,
          [&](int d, int lane, int mode, int count) {
            put.modes_of(all, mode, count, buffer + d * lanes + lane);
          },
          [&](int mode) { put.prefetch(all, mode); });
      m_along_row.run(buffer, sign);
      for (int b = 0; b < m_columns; b += lanes)
        for (int r = 0; r < many; ++r)
          for (int lane = 0; lane < lanes; ++lane)
            at(row + r, b)[lane] = buffer[(b + lane) * lanes + r];
    });
    run_columns(exec, [&](int column, Complex* buffer) {
      for (int c = 0; c < m_rows; ++c)
        turn(c, column, sign, at(c, column), buffer + c * lanes);
      m_along_column.run(buffer, sign);
      for (int a = 0; a < m_rows; ++a)
        copy_lanes(buffer + a * lanes, at(a, column));
    });
  }

  std::size_t bytes() const {
    return m_buffers.bytes() + m_table.size() * sizeof(T);
  }

 private:
  static constexpr int lanes = nufft_columns;

  Complex* at(int row, int column) const {
    return m_fine + std::int64_t(row) * m_columns + column;
  }
  /// f(first column, buffer)
  template <class F>
  void run_columns(const Exec& exec, const F& f) const {
    m_buffers.run("Sporos::nufft::fft_columns", exec, m_columns / lanes,
                  [&](std::int64_t task, Complex* buffer) {
                    f(int(task) * lanes, buffer);
                  });
  }
  /// f(first row, number of rows, buffer)
  template <class F>
  void run_rows(const Exec& exec, const F& f) const {
    m_buffers.run("Sporos::nufft::fft_rows", exec, ceil_div(m_rows, lanes),
                  [&](std::int64_t task, Complex* buffer) {
                    const int row = int(task) * lanes;
                    f(row, std::min(lanes, m_rows - row), buffer);
                  });
  }

  /// out = in times w(N)^(c b) for the lanes of columns b.
  void turn(int c, int column, int sign, const Complex* in,
            Complex* out) const {
    const auto root = m_roots(std::int64_t(c) * column);
    const T re = T(root.real()), im = T(root.imag()), s = T(sign);
    const T* const table = m_table.data() + std::size_t(c) * (2 * lanes);
    T cosine[lanes], sine[lanes];
    for (int lane = 0; lane < lanes; ++lane) {
      const T x = table[lane], y = table[lanes + lane];
      cosine[lane] = re * x - im * y;
      sine[lane]   = s * (re * y + im * x);
    }
    for (int lane = 0; lane < lanes; ++lane) {
      const T x = in[lane].real(), y = in[lane].imag();
      out[lane] = Complex(cosine[lane] * x - sine[lane] * y,
                          cosine[lane] * y + sine[lane] * x);
    }
  }

  /// f(place in a row, lane, mode, count) for all modes of `many` rows from
  /// this one on: those of neighbouring lanes, and the number of the first in
  /// the order of coefficients. prefetch(mode): of a later call, as these
  /// modes are so far apart that processors do not foresee them.
  template <class F, class P>
  void each_run(int row, int many, const F& f, const P& prefetch) const {
    const int n = m_grid.points[0], modes = m_grid.modes[0];
    const int negative = modes / 2, zero = m_grid.centred ? negative : 0;
    const auto runs = [&](int begin, int end, int first_mode) {
      // modes at places [begin, end) of the grid
      int d = begin <= row ? 0 : (begin - row) / m_rows;
      for (; d < m_columns && row + std::int64_t(d) * m_rows < end; ++d) {
        const int place = row + d * m_rows;
        const int from  = std::max(begin - place, 0);
        const int to    = std::min(end - place, many);
        const auto soon = place + std::int64_t(nufft_runs_ahead) * m_rows;
        if (soon >= begin && soon + lanes <= end)
          prefetch(first_mode + int(soon - begin));
        if (from < to)
          f(d, from, first_mode + (place + from - begin), to - from);
      }
    };
    runs(0, modes - negative, zero);
    runs(n - negative, n, m_grid.centred ? 0 : modes - negative);
  }

  NufftGrid<1> m_grid;
  int m_rows, m_columns;
  Complex* m_fine;
  NufftRoots m_roots;
  std::vector<T> m_table;  ///< w(N)^(c lane): real parts of lanes, imaginary
  NufftBuffers<Exec, T> m_buffers;
  NufftLanesFft<T> m_along_column, m_along_row;
};

}  // namespace Impl
}  // namespace Sporos

#endif
#endif
