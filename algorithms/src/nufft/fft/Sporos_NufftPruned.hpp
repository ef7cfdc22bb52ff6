// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTPRUNED_HPP
#define SPOROS_NUFFTPRUNED_HPP

/// \file Sporos_NufftPruned.hpp
/// FFTs in two and three directions between a fine grid and coefficients, by
/// FFTW. Needs SPOROS_HAVE_FFTW.
///
/// Lines are transformed in buffers of threads, where columns stand side by
/// side: strides of the grid that are multiples of a page would leave few lines
/// of a cache to them. What no mode needs is left out: a row of the grid is
/// followed by its modes alone, in the order of coefficients, at the beginning
/// of the row; a column is cut to its modes likewise. Coefficients are divided
/// by the transform of the kernel where the last direction leaves its buffer,
/// or where the first one fills it.

#include <Sporos_FftwPlans.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>
#include <nufft/fft/Sporos_NufftBuffers.hpp>

#ifdef SPOROS_HAVE_FFTW

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Half: of a real grid, with modes 0 to N / 2 of the last direction in memory
/// of their own; else they take the place of the grid.
template <class Exec, int Dim, class T, bool Half>
class NufftPruned {
  static_assert(Dim == 2 || Dim == 3, "Sporos: rows and columns");
  static constexpr int last = Dim - 1, columns = nufft_columns;
  using F = Fftw<T>;

 public:
  using Complex = Kokkos::complex<T>;
  using Value   = std::conditional_t<Half, T, Complex>;

  /// Plans, and may overwrite both memories. pitch: numbers of a row of modes,
  /// a multiple of nufft_columns. Waits for exec.
  NufftPruned(const Exec& exec, const NufftGrid<Dim>& grid, Value* field,
              Complex* modes, int pitch, const NufftOptions& options)
      : m_grid(grid),
        m_wide(wide(grid)),
        m_kept(Half ? grid.modes[last] / 2 + 1 : grid.modes[last]),
        m_pitch(pitch),
        m_field(field),
        m_modes(modes),
        m_buffers(exec, buffer_of(grid)) {
    const NufftPlanning<T> planning(options, (Half ? 2 : 4) + 2 * last);
    T* const buffer = reinterpret_cast<T*>(m_buffers.first());
    T* const row    = reinterpret_cast<T*>(field);
    const int n     = grid.points[last];
    if constexpr (Half) {
      m_rows[0] = F::forward(n, 1, row, n, buffer, n, planning.flags);
      m_rows[1] = F::backward(n, 1, buffer, n, row, n, planning.flags);
    } else {
      for (const int sign : {-1, 1}) {
        m_rows[sign > 0 ? 1 : 0] =
            F::line(n, row, buffer, sign, planning.flags);
        m_rows[sign > 0 ? 3 : 2] =
            F::line(n, buffer, row, sign, planning.flags);
      }
    }
    for (int d = 0; d < last; ++d)
      m_columns[d] =
          NufftLanesFft<T>(grid.points[d], m_buffers.first(), planning.flags);
  }

  /// sign: of the exponent, of half of the modes -1; take: TakeModes
  template <class Take>
  void to_coefficients(const Exec& exec, int sign, const Take& take) const {
    planes(
        exec,
        [&](std::int64_t row, Complex* buffer) {
          row_to_modes(row, buffer, sign);
        },
        [&](std::int64_t plane, int column, Complex* buffer) {
          plane_to_modes(m_modes + plane, column, buffer, sign);
        },
        true);
    const Lines lines = lines_of(m_grid);
    m_buffers.run("Sporos::nufft::fft_columns", exec, lines.tasks(),
                  [&](std::int64_t task, Complex* buffer) {
                    const int i      = lines.line(task);
                    const int column = lines.column(task);
                    gather(m_modes + i * std::int64_t(m_pitch) + column,
                           plane_pitch(), m_grid.points[0], buffer);
                    m_columns[0].run(buffer, sign);
                    for (int j = 0; j < m_grid.modes[0]; ++j)
                      take.set_many(take.row_of(lines.row(j, i)), column,
                                    lanes(column),
                                    buffer + m_grid.place(0, j) * columns);
                  });
  }

  /// sign: of the exponent, of half of the modes 1; put: PutModes
  template <class Put>
  void from_coefficients(const Exec& exec, int sign, const Put& put) const {
    const Lines lines = lines_of(m_wide);
    m_buffers.run(
        "Sporos::nufft::fft_columns", exec, lines.tasks(),
        [&](std::int64_t task, Complex* buffer) {
          const int i      = lines.line(task);
          const int column = lines.column(task), many = lanes(column);
          clear_between_modes(m_wide, 0, columns, buffer);
          for (int j = 0; j < m_wide.modes[0]; ++j) {
            const int place   = m_wide.place(0, j);
            Complex* const to = buffer + place * columns;
            const int row =
                Dim == 3 ? place * m_grid.points[1] + m_wide.place(Dim - 2, i)
                         : place;
            put.modes_of(put.row_of(row, column == 0), column, many, to);
            if (many < columns)
              std::fill_n(to + many, columns - many, Complex(0));
          }
          m_columns[0].run(buffer, sign);
          scatter(buffer, m_grid.points[0],
                  m_modes + i * std::int64_t(m_pitch) + column, plane_pitch());
        });
    planes(
        exec,
        [&](std::int64_t row, Complex* buffer) {
          row_from_modes(row, buffer, sign);
        },
        [&](std::int64_t plane, int column, Complex* buffer) {
          plane_from_modes(m_modes + plane, column, buffer, sign);
        },
        false);
  }

  std::size_t bytes() const { return m_buffers.bytes(); }

 private:
  /// With the opposite of each mode, in which row mode 0 of the last direction
  /// of half of the modes counts, too.
  static NufftGrid<Dim> wide(NufftGrid<Dim> grid) {
    if (Half)
      for (int& n : grid.modes) n = n / 2 * 2 + 1;
    return grid;
  }
  static std::size_t buffer_of(const NufftGrid<Dim>& grid) {
    auto size = std::size_t(grid.points[last]);
    for (int d = 0; d < last; ++d)
      size = std::max(size, std::size_t(grid.points[d]) * std::size_t(columns));
    return size;
  }

  /// Blocks of columns of all lines of modes in directions 1 to last - 1.
  struct Lines {
    int count, blocks;
    std::int64_t tasks() const { return std::int64_t(count) * blocks; }
    int line(std::int64_t task) const { return int(task / blocks); }
    int column(std::int64_t task) const { return int(task % blocks) * columns; }
    /// of coefficients: mode j of direction 0
    int row(int j, int i) const { return j * count + i; }
  };
  Lines lines_of(const NufftGrid<Dim>& g) const {
    return {Dim == 3 ? g.modes[Dim - 2] : 1, blocks()};
  }
  int blocks() const { return ceil_div(m_kept, columns); }
  /// Columns from this one on that hold modes.
  int lanes(int column) const { return std::min(columns, m_kept - column); }
  std::int64_t plane_pitch() const {
    return std::int64_t(Dim == 3 ? m_grid.points[Dim - 2] : 1) * m_pitch;
  }

  static void gather(const Complex* from, std::int64_t pitch, int n,
                     Complex* buffer) {
    for (int x = 0; x < n; ++x)
      copy_lanes(from + x * pitch, buffer + x * columns);
  }
  static void scatter(const Complex* buffer, int n, Complex* to,
                      std::int64_t pitch) {
    for (int x = 0; x < n; ++x)
      copy_lanes(buffer + x * columns, to + x * pitch);
  }

  /// f(row, buffer) for all rows and, in three dimensions, g(beginning of the
  /// plane, column, buffer) behind that (before it, unless rows_first).
  template <class F1, class G>
  void planes(const Exec& exec, const F1& f, const G& g,
              bool rows_first) const {
    const int outer            = m_grid.points[0];
    const int inner            = Dim == 3 ? m_grid.points[Dim - 2] : 1;
    const auto each_row        = std::int64_t(outer) * inner;
    const char* const fft_rows = "Sporos::nufft::fft_rows";
    if constexpr (Dim == 2) {
      m_buffers.run(fft_rows, exec, each_row, f);
    } else if (outer >= nufft_planes_per_thread * m_buffers.workers()) {
      // a plane stays in the cache
      m_buffers.run("Sporos::nufft::fft_planes", exec, outer,
                    [&](std::int64_t x, Complex* buffer) {
                      for (int side = 0; side < 2; ++side)
                        if ((side == 0) == rows_first)
                          for (int y = 0; y < inner; ++y)
                            f(x * inner + y, buffer);
                        else
                          for (int b = 0; b < blocks(); ++b)
                            g(x * plane_pitch(), b * columns, buffer);
                    });
    } else {
      for (int side = 0; side < 2; ++side)
        if ((side == 0) == rows_first)
          m_buffers.run(fft_rows, exec, each_row, f);
        else
          m_buffers.run("Sporos::nufft::fft_planes", exec,
                        std::int64_t(outer) * blocks(),
                        [&](std::int64_t task, Complex* buffer) {
                          g(task / blocks() * plane_pitch(),
                            int(task % blocks()) * columns, buffer);
                        });
    }
  }

  void row_to_modes(std::int64_t row, Complex* buffer, int sign) const {
    T* const from = reinterpret_cast<T*>(m_field + row * m_grid.points[last]);
    T* const in_buffer = reinterpret_cast<T*>(buffer);
    Complex* const to  = m_modes + row * m_pitch;
    if constexpr (Half) {
      F::run_forward(m_rows[0], from, in_buffer);
      std::copy_n(buffer, m_kept, to);
    } else {
      F::run(m_rows[sign > 0 ? 1 : 0], from, in_buffer);
      modes_of_line(m_grid, last, buffer, to);
    }
    std::fill(to + m_kept, to + blocks() * columns, Complex(0));
  }
  void row_from_modes(std::int64_t row, Complex* buffer, int sign) const {
    const int n               = m_grid.points[last];
    T* const in_buffer        = reinterpret_cast<T*>(buffer);
    T* const to               = reinterpret_cast<T*>(m_field + row * n);
    const Complex* const from = m_modes + row * m_pitch;
    if constexpr (Half) {
      std::copy_n(from, m_kept, buffer);
      std::fill(buffer + m_kept, buffer + (n / 2 + 1), Complex(0));
      F::run_backward(m_rows[1], in_buffer, to);
    } else {
      line_of_modes(m_grid, last, from, buffer);
      F::run(m_rows[sign > 0 ? 3 : 2], in_buffer, to);
    }
  }

  void plane_to_modes(Complex* plane, int column, Complex* buffer,
                      int sign) const {
    constexpr int d = Dim - 2;
    gather(plane + column, m_pitch, m_grid.points[d], buffer);
    m_columns[d].run(buffer, sign);
    for (int i = 0; i < m_grid.modes[d]; ++i)
      copy_lanes(buffer + m_grid.place(d, i) * columns,
                 plane + i * std::int64_t(m_pitch) + column);
  }
  void plane_from_modes(Complex* plane, int column, Complex* buffer,
                        int sign) const {
    constexpr int d = Dim - 2;
    clear_between_modes(m_wide, d, columns, buffer);
    for (int i = 0; i < m_wide.modes[d]; ++i)
      copy_lanes(plane + i * std::int64_t(m_pitch) + column,
                 buffer + m_wide.place(d, i) * columns);
    m_columns[d].run(buffer, sign);
    scatter(buffer, m_grid.points[d], plane + column, m_pitch);
  }

  NufftGrid<Dim> m_grid, m_wide;
  int m_kept, m_pitch;  ///< modes of a row, numbers of a row
  Value* m_field;
  Complex* m_modes;
  NufftBuffers<Exec, T> m_buffers;
  /// To modes and, behind them, from modes; two signs each unless Half.
  typename F::plan m_rows[Half ? 2 : 4];
  NufftLanesFft<T> m_columns[Dim - 1];
};

}  // namespace Impl
}  // namespace Sporos

#endif
#endif
