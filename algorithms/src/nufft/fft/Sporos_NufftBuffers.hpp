// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTBUFFERS_HPP
#define SPOROS_NUFFTBUFFERS_HPP

/// \file Sporos_NufftBuffers.hpp
/// FFTW's transforms of lines that lie side by side in a buffer of each thread.
/// Needs SPOROS_HAVE_FFTW.

#include <Sporos_FftwPlans.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>

#ifdef SPOROS_HAVE_FFTW

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

/// A transform of nufft_columns lines that alternate in a buffer, for both
/// signs. Whichever thread runs it, FFTW does the same on memory that is
/// aligned alike: bits do not depend on threads.
template <class T>
class NufftLanesFft {
  using Complex = Kokkos::complex<T>;

 public:
  NufftLanesFft() = default;
  NufftLanesFft(int points, Complex* buffer, unsigned flags) {
    for (const int sign : {-1, 1})
      m_plans[sign > 0 ? 1 : 0] =
          Fftw<T>::in_place(points, nufft_columns, reinterpret_cast<T*>(buffer),
                            nufft_columns, 1, sign, flags);
  }
  void run(Complex* buffer, int sign) const {
    Fftw<T>::run_in_place(m_plans[sign > 0 ? 1 : 0],
                          reinterpret_cast<T*>(buffer));
  }

 private:
  typename Fftw<T>::plan m_plans[2];
};

/// nufft_columns numbers; std::copy_n would call a function for so few.
template <class Complex>
void copy_lanes(const Complex* from, Complex* to) {
  std::memcpy(static_cast<void*>(to), from,
              sizeof(Complex) * std::size_t(nufft_columns));
}

/// Modes of direction d, in their order, from places of a line.
template <int Dim, class Complex>
void modes_of_line(const NufftGrid<Dim>& g, int d, const Complex* line,
                   Complex* modes) {
  const int half = g.modes[d] / 2, others = g.modes[d] - half;
  std::copy_n(line, others, modes + (g.centred ? half : 0));
  std::copy_n(line + (g.points[d] - half), half,
              modes + (g.centred ? 0 : others));
}
/// Zeros at places of lines that alternate where no mode of direction d stands.
template <int Dim, class Complex>
void clear_between_modes(const NufftGrid<Dim>& g, int d, int lines,
                         Complex* places) {
  const int half = g.modes[d] / 2;
  std::fill(places + (g.modes[d] - half) * lines,
            places + (g.points[d] - half) * lines, Complex(0));
}
/// Places of a line from its modes, zeros elsewhere.
template <int Dim, class Complex>
void line_of_modes(const NufftGrid<Dim>& g, int d, const Complex* modes,
                   Complex* line) {
  const int half = g.modes[d] / 2, others = g.modes[d] - half;
  std::copy_n(modes + (g.centred ? half : 0), others, line);
  clear_between_modes(g, d, 1, line);
  std::copy_n(modes + (g.centred ? 0 : others), half,
              line + (g.points[d] - half));
}

/// A buffer for each thread.
template <class Exec, class T>
class NufftBuffers {
 public:
  using Complex = Kokkos::complex<T>;

  /// numbers: of a buffer. Waits for exec.
  NufftBuffers(const Exec& exec, std::size_t numbers)
      : m_size(ceil_div(numbers, std::size_t(nufft_columns)) *
               std::size_t(nufft_columns)),
        m_workers(std::max(1, int(exec.concurrency()))),
        m_memory(new_view<Memory>(exec, "Sporos::nufft::lines",
                                  m_size * std::size_t(m_workers))) {
    fence(exec, "Sporos::nufft::lines");
  }

  Complex* first() const { return m_memory.data(); }
  int workers() const { return m_workers; }
  std::size_t bytes() const { return m_memory.extent(0) * sizeof(Complex); }

  /// f(task, buffer) for all tasks
  template <class F>
  void run(const char* label, const Exec& exec, std::int64_t tasks,
           const F& f) const {
    const auto workers = std::min(tasks, std::int64_t(m_workers));
    for_each_index(label,
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, workers, Kokkos::ChunkSize(1)),
                   [&](std::int64_t worker) {
                     Complex* const buffer =
                         m_memory.data() + std::size_t(worker) * m_size;
                     const auto end = (worker + 1) * tasks / workers;
                     for (auto task = worker * tasks / workers; task < end;
                          ++task)
                       f(task, buffer);
                   });
  }

 private:
  using Memory = Kokkos::View<Complex*, typename Exec::memory_space>;

  std::size_t m_size;
  int m_workers;
  Memory m_memory;
};

}  // namespace Impl
}  // namespace Sporos

#endif
#endif
