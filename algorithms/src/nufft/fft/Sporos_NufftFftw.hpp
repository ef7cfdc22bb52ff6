// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTFFTW_HPP
#define SPOROS_NUFFTFFTW_HPP

/// \file Sporos_NufftFftw.hpp
/// FFTW, one direction after another, lines in parallel. Lines of which no mode
/// is wanted, or that are all zero, are left out: a quarter of the work in 2D,
/// 5/12 of it in 3D. Needs SPOROS_HAVE_FFTW.

#include <Sporos_FftwPlans.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>

#ifdef SPOROS_HAVE_FFTW

#include <cstddef>
#include <cstdint>
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
        : m_grid(grid), m_fine(fine) {
      const Impl::NufftPlanning<T> planning(options, 2 * Dim);
      std::ptrdiff_t stride = 1;
      for (int d = Dim - 1; d >= 0; stride *= grid.points[d], --d)
        for (const int sign : {-1, 1})
          m_plans[sign > 0 ? 1 : 0][d] = Impl::Fftw<T>::in_place(
              grid.points[d], d == Dim - 1 ? 1 : Impl::nufft_columns,
              reinterpret_cast<T*>(fine), stride, 1, sign, planning.flags);
      constexpr int last = Dim - 1, columns = Impl::nufft_columns;
      for (int c = 0; c < grid.points[last]; c += columns) {
        bool wanted = false;
        for (int x = c; x < c + columns; ++x)
          wanted = wanted || grid.mode_at(last, x) >= 0;
        if (wanted) m_blocks.push_back(c);
      }
    }

    /// From all of the grid to the modes, from the last direction to the
    /// first. sign: of the exponent
    void to_modes(const Exec& exec, int sign) const {
      for (int d = Dim - 1; d >= 0; --d) direction(exec, d, sign);
    }
    /// From the modes to all of the grid, which is 0 elsewhere.
    void from_modes(const Exec& exec, int sign) const {
      for (int d = 0; d < Dim; ++d) direction(exec, d, sign);
    }
    std::size_t bytes() const { return 0; }  ///< Memory beside the grid.

   private:
    /// Lines along direction d: all indices before d, those of modes behind it,
    /// neighbours in the last direction at a time.
    struct Lines {
      const Plan& fft;
      int d, sign;

      void operator()(std::int64_t task) const {
        const auto& g       = fft.m_grid;
        constexpr int last  = Dim - 1;
        std::ptrdiff_t at   = 0;
        std::ptrdiff_t step = g.points[last];
        if (d < last) {
          const auto blocks = std::int64_t(fft.m_blocks.size());
          at                = fft.m_blocks[std::size_t(task % blocks)];
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
        Impl::Fftw<T>::run_in_place(fft.m_plans[sign > 0 ? 1 : 0][d],
                                    reinterpret_cast<T*>(fft.m_fine + at));
      }
    };

    void direction(const Exec& exec, int d, int sign) const {
      std::int64_t tasks = d == Dim - 1 ? 1 : std::int64_t(m_blocks.size());
      for (int e = 0; e < Dim - 1; ++e)
        if (e != d) tasks *= e > d ? m_grid.modes[e] : m_grid.points[e];
      Impl::for_each_index(
          "Sporos::nufft::fft",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0,
                                                                     tasks),
          Lines{*this, d, sign});
    }

    NufftGrid<Dim> m_grid;
    Complex* m_fine;
    typename Impl::Fftw<T>::plan m_plans[2][Dim];
    std::vector<int> m_blocks;  // first columns
  };
};

}  // namespace Sporos

#endif
#endif
