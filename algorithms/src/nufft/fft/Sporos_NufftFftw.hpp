// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTFFTW_HPP
#define SPOROS_NUFFTFFTW_HPP

/// \file Sporos_NufftFftw.hpp
/// FFTW, one direction after another, lines in parallel. Lines of which no mode
/// is wanted, or that are all zero, are left out: a quarter of the work in 2D,
/// 5/12 of it in 3D. Needs SPOROS_HAVE_FFTW.

#include <Sporos_Error.hpp>
#include <Sporos_FftwPlans.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>

#ifdef SPOROS_HAVE_FFTW

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Flags of FFTW's planner and, while this exists, its limit of time, which is
/// one for the whole program.
template <class T>
class NufftPlanning {
 public:
  /// plans: among which the seconds are shared
  NufftPlanning(const NufftOptions& options, int plans)
      : flags(options.patience == NufftPatience::estimate  ? FFTW_ESTIMATE
              : options.patience == NufftPatience::measure ? FFTW_MEASURE
                                                           : FFTW_PATIENT),
        m_limited(flags != FFTW_ESTIMATE && options.planning_seconds >= 0) {
    if (m_limited) Fftw<T>::limit_planning(options.planning_seconds / plans);
  }
  ~NufftPlanning() {
    if (m_limited) Fftw<T>::limit_planning(-1);
  }
  NufftPlanning(const NufftPlanning&)            = delete;
  NufftPlanning& operator=(const NufftPlanning&) = delete;

  const unsigned flags;

 private:
  bool m_limited;
};

/// Transforms of complex lines, in place, along single directions of an array.
template <class Exec, int Dim, class T>
class NufftLines {
 public:
  using Complex = Kokkos::complex<T>;
  using Range   = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

  /// row: numbers of the last direction in memory; blocks: the first of each
  /// nufft_columns neighbours there that the other directions transform
  NufftLines(const NufftGrid<Dim>& grid, Complex* data, int row,
             std::vector<int> blocks)
      : m_grid(grid), m_data(data), m_row(row), m_blocks(std::move(blocks)) {}

  /// Plans direction d, and may overwrite the array.
  void plan(int d, unsigned flags) {
    std::ptrdiff_t stride = d == Dim - 1 ? 1 : m_row;
    for (int e = Dim - 2; e > d; --e) stride *= m_grid.points[e];
    for (const int sign : {-1, 1})
      m_plans[sign > 0 ? 1 : 0][d] = Fftw<T>::in_place(
          m_grid.points[d], d == Dim - 1 ? 1 : nufft_columns,
          reinterpret_cast<T*>(m_data), stride, 1, sign, flags);
  }

  void run(const Exec& exec, int d, int sign) const {
    std::int64_t tasks = d == Dim - 1 ? 1 : std::int64_t(m_blocks.size());
    for (int e = 0; e < Dim - 1; ++e)
      if (e != d) tasks *= e > d ? m_grid.modes[e] : m_grid.points[e];
    for_each_index("Sporos::nufft::fft", Range(exec, 0, tasks),
                   Direction{*this, d, sign});
  }

 private:
  /// Lines along direction d: all indices before d, those of modes behind it,
  /// neighbours in the last direction at a time.
  struct Direction {
    const NufftLines& lines;
    int d, sign;

    void operator()(std::int64_t task) const {
      const auto& g       = lines.m_grid;
      constexpr int last  = Dim - 1;
      std::ptrdiff_t at   = 0;
      std::ptrdiff_t step = lines.m_row;
      if (d < last) {
        const auto blocks = std::int64_t(lines.m_blocks.size());
        at                = lines.m_blocks[std::size_t(task % blocks)];
        task /= blocks;
      } else {
        at = std::ptrdiff_t(task) * step;
      }
      if (d < last)
        for (int e = last - 1; e >= 0; step *= g.points[e], --e) {
          if (e == d) continue;
          const int along = e > d ? g.modes[e] : g.points[e];
          const int i     = int(task % along);
          task /= along;
          at += (e > d ? g.place(e, i) : i) * step;
        }
      Fftw<T>::run_in_place(lines.m_plans[sign > 0 ? 1 : 0][d],
                            reinterpret_cast<T*>(lines.m_data + at));
    }
  };

  NufftGrid<Dim> m_grid;
  Complex* m_data;
  int m_row;
  typename Fftw<T>::plan m_plans[2][Dim];
  std::vector<int> m_blocks;
};

}  // namespace Impl

/// FFTs of plans on hosts by FFTW.
struct NufftFftw {
  /// In place, of a fine grid that lies at the same address in all calls.
  template <class Exec, int Dim, class T>
  class Plan {
   public:
    using Complex = Kokkos::complex<T>;

    /// Plans, and may overwrite the fine grid.
    Plan(const Exec&, const NufftGrid<Dim>& grid, Complex* fine,
         const NufftOptions& options)
        : m_lines(grid, fine, grid.points[Dim - 1], wanted(grid)) {
      const Impl::NufftPlanning<T> planning(options, 2 * Dim);
      for (int d = Dim - 1; d >= 0; --d) m_lines.plan(d, planning.flags);
    }

    /// From all of the grid to the modes, from the last direction to the
    /// first. sign: of the exponent
    void to_modes(const Exec& exec, int sign) const {
      for (int d = Dim - 1; d >= 0; --d) m_lines.run(exec, d, sign);
    }
    /// From the modes to all of the grid, which is 0 elsewhere.
    void from_modes(const Exec& exec, int sign) const {
      for (int d = 0; d < Dim; ++d) m_lines.run(exec, d, sign);
    }
    std::size_t bytes() const { return 0; }  ///< Memory beside the grid.

   private:
    static std::vector<int> wanted(const NufftGrid<Dim>& grid) {
      std::vector<int> blocks;
      constexpr int last = Dim - 1, columns = Impl::nufft_columns;
      for (int c = 0; c < grid.points[last]; c += columns) {
        bool any = false;
        for (int x = c; x < c + columns; ++x)
          any = any || grid.mode_at(last, x) >= 0;
        if (any) blocks.push_back(c);
      }
      return blocks;
    }

    Impl::NufftLines<Exec, Dim, T> m_lines;
  };

  /// Between a real grid and the modes of its last direction from 0 on. Both
  /// lie at the same addresses in all calls.
  template <class Exec, int Dim, class T>
  class RealPlan {
   public:
    using Complex = Kokkos::complex<T>;

    /// Numbers of a row of `half`: lines begin at whole SIMD registers.
    static int pitch(int points) {
      constexpr int columns = Impl::nufft_columns;
      return Impl::ceil_div(points / 2 + 1, columns) * columns;
    }

    /// Plans, and may overwrite both.
    RealPlan(const Exec&, const NufftGrid<Dim>& grid, T* fine, Complex* modes,
             const NufftOptions& options)
        : m_fine(fine),
          m_half(reinterpret_cast<T*>(modes)),
          m_points(grid.points[Dim - 1]),
          m_pitch(pitch(m_points)),
          m_rows(std::int64_t(grid.size()) / m_points),
          m_lines(symmetric(grid), modes, m_pitch, wanted(grid)) {
      const Impl::NufftPlanning<T> planning(options, 2 * Dim);
      m_forward  = F::forward(m_points, 1, m_fine, m_points, m_half, m_pitch,
                              planning.flags);
      m_backward = F::backward(m_points, 1, m_half, m_pitch, m_fine, m_points,
                               planning.flags);
      for (int d = Dim - 2; d >= 0; --d) m_lines.plan(d, planning.flags);
    }

    /// From all of the real grid to the modes, with exp(-i ...).
    void to_modes(const Exec& exec) const {
      run_rows<true>(exec);
      for (int d = Dim - 2; d >= 0; --d) m_lines.run(exec, d, -1);
    }
    /// From the modes to all of the real grid, with exp(i ...). Overwrites the
    /// modes.
    void from_modes(const Exec& exec) const {
      for (int d = 0; d < Dim - 1; ++d) m_lines.run(exec, d, 1);
      run_rows<false>(exec);
    }
    std::size_t bytes() const { return 0; }  ///< Memory beside both.

   private:
    using F = Impl::Fftw<T>;
    template <bool Forward>
    struct Row {
      const RealPlan& fft;
      void operator()(std::int64_t i) const {
        T* const real = fft.m_fine + i * fft.m_points;
        T* const half = fft.m_half + i * (2 * fft.m_pitch);
        if constexpr (Forward)
          F::run_forward(fft.m_forward, real, half);
        else
          F::run_backward(fft.m_backward, half, real);
      }
    };
    template <bool Forward>
    void run_rows(const Exec& exec) const {
      Impl::for_each_index(
          "Sporos::nufft::fft",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0,
                                                                     m_rows),
          Row<Forward>{*this});
    }
    /// With the opposite of each mode, in which row mode 0 of the last
    /// direction counts, too.
    static NufftGrid<Dim> symmetric(NufftGrid<Dim> grid) {
      for (int& n : grid.modes) n = n / 2 * 2 + 1;
      return grid;
    }
    static std::vector<int> wanted(const NufftGrid<Dim>& grid) {
      std::vector<int> blocks;
      for (int c = 0; c <= grid.modes[Dim - 1] / 2; c += Impl::nufft_columns)
        blocks.push_back(c);
      return blocks;
    }

    T *m_fine, *m_half;
    int m_points, m_pitch;
    std::int64_t m_rows;
    Impl::NufftLines<Exec, Dim, T> m_lines;
    typename F::plan m_forward, m_backward;
  };

  /// What FFTW's planner has learned for T, float or double, in the whole
  /// program, as a text.
  template <class T>
  static std::string export_wisdom() {
    return Impl::Fftw<T>::export_wisdom();
  }
  /// Adds wisdom that export_wisdom() gave, to be used by plans that are made
  /// later, with any patience. Plans of the same sizes and options with the
  /// same wisdom of their patience are the same transforms, so that results
  /// have the same bits.
  /// \throws std::invalid_argument for a text that FFTW refuses, for instance
  ///   of another version or number type
  template <class T>
  static void import_wisdom(const std::string& text) {
    Impl::check(Impl::Fftw<T>::import_wisdom(text),
                "Sporos::NufftFftw::import_wisdom", "text",
                Impl::text("wisdom that this version of FFTW exported for ",
                           sizeof(T) == sizeof(float) ? "float" : "double"),
                text.size(), " characters that it refuses");
  }
};

}  // namespace Sporos

#endif
#endif
