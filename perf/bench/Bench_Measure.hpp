// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MEASURE_HPP
#define SPOROS_BENCH_MEASURE_HPP

/// \file Bench_Measure.hpp
/// How every benchmark of this folder measures: one warm-up, then repeated
/// runs of which each is fenced and timed by itself; the median is reported.

#include <Kokkos_Core.hpp>
#include <Perf_Numbers.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

namespace Bench {

using Exec = Kokkos::DefaultExecutionSpace;

/// Something that can be measured; what it needs is held by the functions.
struct Work {
  std::function<void()> run;     ///< timed; ends with a fence
  std::function<void()> before;  ///< done before each run, not timed; or empty
  double setup_ms   = 0;         ///< time of what is done once
  std::size_t bytes = 0;         ///< memory it holds; 0: as observed
  std::size_t moved = 0;         ///< bytes moved by a run, if that is known
};

/// Is the work of all rows tiny, under the names that they have otherwise, and
/// run twice? For dry runs on an emulated device (SPOROS_BENCH_TINY in the
/// environment): figures mean nothing.
inline bool tiny() {
  static const bool is = std::getenv("SPOROS_BENCH_TINY") != nullptr;
  return is;
}

struct Timing {
  double median = 0, minimum = 0;  ///< seconds
  double low = 0, high = 0;        ///< quartiles
  double processor = 0;            ///< processor time of all threads, median
  int runs         = 0;
};

class Timer {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         m_start)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point m_start =
      std::chrono::steady_clock::now();
};

/// Milliseconds that f takes, with all that it started.
template <class F>
double milliseconds(const F& f) {
  Exec().fence();
  const Timer timer;
  f();
  Exec().fence();
  return 1e3 * timer.seconds();
}

using Perf::median;

/// The one that a share of all are not above; v is not empty.
inline double quantile(std::vector<double> v, double share) {
  std::sort(v.begin(), v.end());
  return v[std::size_t(share * double(v.size() - 1) + .5)];
}

/// At least 7 runs, more while they are short (up to a quarter of a second
/// altogether); slow ones stop after 8 seconds, but not before the third run.
inline Timing measure(const Work& work) {
  std::vector<double> wall, processor;
  double total        = 0;
  const auto measured = [&] {
    const std::size_t n = wall.size();
    if (tiny()) return n >= 2;
    return (n >= 7 && total > .25) || (n >= 3 && total > 8) || n >= 200;
  };
  while (!measured()) {
    if (work.before) work.before();
    const std::clock_t clock = std::clock();
    const Timer timer;
    work.run();
    wall.push_back(timer.seconds());
    processor.push_back(double(std::clock() - clock) / CLOCKS_PER_SEC);
    total += wall.back();
  }
  return {median(wall),        *std::min_element(wall.begin(), wall.end()),
          quantile(wall, .25), quantile(wall, .75),
          median(processor),   int(wall.size())};
}

/// Counts the bytes of Kokkos' allocations while it lives; the peak is what
/// was allocated at once on top of what was there before.
class AllocationPeak {
 public:
  AllocationPeak() : m_previous(Kokkos::Tools::Experimental::get_callbacks()) {
    s_now = s_peak = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](auto, const char*, const void*, std::uint64_t size) {
          s_now += std::int64_t(size);
          if (s_now > s_peak) s_peak = s_now.load();
        });
    Kokkos::Tools::Experimental::set_deallocate_data_callback(
        [](auto, const char*, const void*, std::uint64_t size) {
          s_now -= std::int64_t(size);
        });
  }
  AllocationPeak(const AllocationPeak&)            = delete;
  AllocationPeak& operator=(const AllocationPeak&) = delete;
  ~AllocationPeak() { Kokkos::Tools::Experimental::set_callbacks(m_previous); }

  std::size_t bytes() const { return std::size_t(s_peak.load()); }

 private:
  static inline std::atomic<std::int64_t> s_now{0}, s_peak{0};
  Kokkos::Tools::Experimental::EventSet m_previous;
};

struct Triad {
  Kokkos::View<double*, Exec> a, b, c;
  KOKKOS_FUNCTION void operator()(int i) const { a(i) = b(i) + 3. * c(i); }
};

/// a = b + 3 c on 128 MiB a piece: the memory bandwidth that code of this
/// compiler gets (stores that do not read first would move 24 bytes an element,
/// which is what is counted).
inline Work triad_work() {
  const int n = 1 << (tiny() ? 12 : 24);
  Triad f{Kokkos::View<double*, Exec>("triad::a", n),
          Kokkos::View<double*, Exec>("triad::b", n),
          Kokkos::View<double*, Exec>("triad::c", n)};
  Work work;
  work.moved = 24 * std::size_t(n);
  work.bytes = work.moved;
  work.run   = [=] {
    const Exec exec;
    Kokkos::parallel_for("Sporos::bench::triad",
                           Kokkos::RangePolicy<Exec>(exec, 0, n), f);
    exec.fence();
  };
  return work;
}

}  // namespace Bench

#endif
