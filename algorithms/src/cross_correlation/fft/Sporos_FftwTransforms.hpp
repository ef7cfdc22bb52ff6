// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FFTWTRANSFORMS_HPP
#define SPOROS_FFTWTRANSFORMS_HPP

/// \file Sporos_FftwTransforms.hpp
/// Transforms of padded matrices through FFTW, along rows and then columns; of
/// volumes along rows, and then columns and lines along z.

#ifdef SPOROS_HAVE_FFTW

#include <cross_correlation/fft/Sporos_CorrelateFftShape.hpp>
#include <cross_correlation/fft/Sporos_CorrelateRanges.hpp>
#include <Sporos_FftwPlans.hpp>

#include <algorithm>
#include <cstddef>

namespace Sporos {
namespace Impl {

/// A matrix in a padded one: element (0, 0), which comes to lie at
/// (first_row, first_column), and by which power of two it is divided. A volume
/// alike, from first_plane on.
template <class T>
struct FftwMatrix {
  const T* from;
  std::ptrdiff_t y, x;
  int h, w, first_row, first_column;
  int exponent     = 0;
  int d            = 1;  ///< planes
  int first_plane  = 0;
  std::ptrdiff_t z = 0;

  /// Rows of all planes
  int rows() const { return d * h; }
  const T* row(int k) const {
    return k < h ? from + k * y : from + k / h * z + k % h * y;
  }
  /// As a matrix; without rows beyond the planes that there are
  FftwMatrix plane(int number) const {
    FftwMatrix m = *this;
    if (number < 0 || number >= d) {
      m.h = 0;
    } else {
      m.from += number * z;
    }
    return m;
  }
};

/// Plans and sizes. Numbers are of real elements. Small matrices are
/// transformed by one plan for all rows and one for all columns; large ones row
/// by row, and some columns at a time, so that threads can share them.
template <class A>
struct FftwTransforms {
  using R    = fft_real<A>;
  using Plan = typename Fftw<R>::plan;
  FftShape shape;
  int rows_pitch        = 0;  ///< of a matrix of numbers (or of complex ones)
  int pitch             = 0;  ///< of a spectrum
  std::size_t rows_size = 0, spectrum_size = 0;
  int right_h = 0, out_h = 0, out_d = 0;
  bool in_parts    = false;  ///< large
  int columns_step = 0;      ///< columns of a plan
  Plan left_rows, right_rows, columns, columns_back, rows_back;
  Plan last_columns, last_columns_back;

  static constexpr bool real = !is_complex_v<A>;

  FftwTransforms() = default;
  FftwTransforms(const CorrelateShape& s)
      : shape(s, real),
        right_h(s.extents.right_h),
        out_h(s.rows()),
        out_d(s.planes()) {
    rows_pitch    = round(shape.x.size * (real ? 1 : 2));
    pitch         = round(2 * shape.columns);
    const int h   = std::max({shape.z.left_count * shape.y.left_count,
                              s.extents.right_d * right_h, out_d * out_h});
    rows_size     = std::size_t(h) * std::size_t(rows_pitch);
    spectrum_size = std::size_t(shape.rows()) * std::size_t(pitch);
    in_parts      = spectrum_size >= large_fft;
    columns_step  = in_parts ? std::min(columns_of_large_fft, shape.columns)
                             : shape.columns;
  }
  std::size_t size() const { return rows_size + 2 * spectrum_size; }
  /// Rows of a plan, of so many
  int rows_at_once(int count) const { return in_parts ? 1 : count; }

  /// scratch is of size() elements, and is overwritten.
  void plan(R* scratch, unsigned flags) {
    using F         = Fftw<R>;
    R* const z      = scratch + rows_size;
    const int nx    = shape.x.size;
    const auto rows = [&](int count) {
      const int at_once = rows_at_once(count);
      return real ? F::forward(nx, at_once, scratch, rows_pitch, z, pitch / 2,
                               flags)
                  : F::in_place(nx, at_once, z, 1, pitch / 2, FFTW_FORWARD,
                                flags);
    };
    const auto along_y = [&](int count, int sign) {
      if (shape.z.size == 1)
        return F::in_place(shape.y.size, count, z, pitch / 2, 1, sign, flags);
      return F::planes_in_place(shape.z.size, shape.y.size, count, z, pitch / 2,
                                sign, flags);
    };
    if (shape.y.left_count > 0) left_rows = rows(shape.y.left_count);
    right_rows        = rows(right_h);
    const int at_once = rows_at_once(out_h);
    rows_back =
        real
            ? F::backward(nx, at_once, z, pitch / 2, scratch, rows_pitch, flags)
            : F::in_place(nx, at_once, z, 1, pitch / 2, FFTW_BACKWARD, flags);
    if (shape.rows() == 1) return;  // signals
    columns        = along_y(columns_step, FFTW_FORWARD);
    columns_back   = along_y(columns_step, FFTW_BACKWARD);
    const int rest = shape.columns % columns_step;
    if (rest == 0) return;
    last_columns      = along_y(rest, FFTW_FORWARD);
    last_columns_back = along_y(rest, FFTW_BACKWARD);
  }

  /// Rows begin ... end of z: transformed rows of the matrix, zeros around.
  template <class T>
  [[gnu::noinline]] void rows_of(const FftwMatrix<T>& m, const Plan& row_plan,
                                 R* rows, R* z, int begin, int end) const {
    if (shape.z.size == 1)
      return rows_of_plane(m, row_plan, rows, z, begin, end);
    const int of_plane = shape.y.size;
    for (int k = begin / of_plane; k * of_plane < end; ++k) {
      const int first = k * of_plane, number = k - m.first_plane;
      const std::ptrdiff_t row =
          number > 0 && number < m.d ? std::ptrdiff_t(number) * m.h : 0;
      rows_of_plane(m.plane(number), row_plan, rows + row * rows_pitch,
                    row_of(z, first), std::max(begin - first, 0),
                    std::min(end - first, of_plane));
    }
  }
  /// Columns begin ... end; begin: a multiple of columns_step
  void columns_of(R* z, int begin, int end) const {
    run_columns(columns, last_columns, z, begin, end);
  }
  void columns_back_of(R* z, int begin, int end) const {
    run_columns(columns_back, last_columns_back, z, begin, end);
  }
  /// Results begin ... end of a plane from z, which is overwritten. Returns
  /// where the first one is, and sets `step` to the numbers from row to row.
  const R* rows_back_of(int plane, R* z, R* rows, int begin, int end,
                        int& step) const {
    z = row_of(z, plane * shape.y.size);
    rows += std::ptrdiff_t(plane) * out_h * rows_pitch;
    step           = real ? rows_pitch : pitch;
    const auto row = [&](int y) { return std::ptrdiff_t(y) * rows_pitch; };
    for (int y = begin; y < end; y += rows_at_once(out_h))
      if constexpr (real)
        Fftw<R>::run_backward(rows_back, row_of(z, y), rows + row(y));
      else
        Fftw<R>::run_in_place(rows_back, row_of(z, y));
    return real ? rows + row(begin) : row_of(z, begin);
  }
  R* row_of(R* z, int y) const { return z + std::ptrdiff_t(y) * pitch; }

 private:
  template <class T>
  void rows_of_plane(const FftwMatrix<T>& m, const Plan& row_plan, R* rows,
                     R* z, int begin, int end) const {
    const int first = std::min(std::max(begin, m.first_row), end);
    const int last  = std::max(first, std::min(end, m.first_row + m.h));
    std::fill(row_of(z, begin), row_of(z, first), R(0));
    std::fill(row_of(z, last), row_of(z, end), R(0));
    const auto number_row = [&](int y) {
      return real ? rows + std::ptrdiff_t(y - m.first_row) * rows_pitch
                  : row_of(z, y);
    };
    for (int y = first; y < last; ++y) copy_row(m, y, number_row(y));
    for (int y = first; y < last; y += rows_at_once(m.h))
      if constexpr (real)
        Fftw<R>::run_forward(row_plan, number_row(y), row_of(z, y));
      else
        Fftw<R>::run_in_place(row_plan, row_of(z, y));
  }
  template <class T>
  void copy_row(const FftwMatrix<T>& m, int y, R* row) const {
    const T* const in = m.from + (y - m.first_row) * m.y;
    const int n = shape.x.size, end = m.first_column + m.w;
    constexpr int c = real ? 1 : 2;
    const R scale   = power_of_two<R>(-m.exponent);
    std::fill(row, row + c * m.first_column, R(0));
    for (int x = 0; x < m.w; ++x)
      if constexpr (real) {
        row[m.first_column + x] = R(in[x * m.x]) * scale;
      } else {
        row[2 * (m.first_column + x)]     = R(in[x * m.x].real()) * scale;
        row[2 * (m.first_column + x) + 1] = R(in[x * m.x].imag()) * scale;
      }
    std::fill(row + c * end, row + c * n, R(0));
  }
  void run_columns(const Plan& most, const Plan& last, R* z, int begin,
                   int end) const {
    if (shape.rows() == 1) return;
    for (int x = begin; x < end; x += columns_step)
      Fftw<R>::run_in_place(x + columns_step <= shape.columns ? most : last,
                            z + 2 * x);
  }
  /// Rows that begin alike: whole cache lines.
  static int round(int n) { return ceil_div(n, 16) * 16; }
};

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_HAVE_FFTW
#endif
