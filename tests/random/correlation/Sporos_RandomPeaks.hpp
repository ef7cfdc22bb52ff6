// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random searches of results for peaks against a plain search.

#ifndef SPOROS_RANDOMPEAKS_HPP
#define SPOROS_RANDOMPEAKS_HPP

#include "Sporos_PlainPeaks.hpp"
#include "Sporos_RandomDriver.hpp"
#include "Sporos_RandomMatrices.hpp"

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// \tparam Dimensions of an operand
/// \tparam Leading dimensions before them
template <int Dimensions, int Leading, class A>
void find_peaks_of(const Matrices<A>& out, int n, int m,
                   std::vector<Peak>& peaks, int k, const PeakOptions& o) {
  using View         = Kokkos::View<typename DataType<Peak, Leading + 1>::type,
                            Kokkos::LayoutRight, Kokkos::HostSpace,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const auto results = out.template view<const A, Dimensions + Leading>();
  if constexpr (Leading == 0)
    find_peaks(results, View(peaks.data(), k), o);
  else if constexpr (Leading == 1)
    find_peaks(results, View(peaks.data(), n * m, k), o);
  else
    find_peaks(results, View(peaks.data(), n, m, k), o);
}
template <int Dimensions, class A>
void find_peaks_of(int leading, const Matrices<A>& out, int n, int m,
                   std::vector<Peak>& peaks, int k, const PeakOptions& o) {
  if (leading == 0) find_peaks_of<Dimensions, 0>(out, n, m, peaks, k, o);
  if (leading == 1) find_peaks_of<Dimensions, 1>(out, n, m, peaks, k, o);
  if (leading == 2) find_peaks_of<Dimensions, 2>(out, n, m, peaks, k, o);
}

/// Peaks of results (n, m, h, w) with so many leading dimensions.
template <bool Signals, class A>
std::string check_peaks(RandomCase& random, bool signal, int leading,
                        const Matrices<A>& out, int n, int m, int h, int w) {
  const PeakOptions o{
      random.integer(-20, 20), random.integer(-20, 20),
      random.one_of({1, 1, 2, 4, 30}), random.one_of({0, 0, 1, 5}),
      random.one_of({SubPixel::none, SubPixel::gaussian, SubPixel::parabola,
                     SubPixel::centroid, SubPixel::least_squares})};
  const int k = random.integer(1, 5);
  std::vector<Peak> peaks(std::size_t(n) * std::size_t(m) * std::size_t(k));
  if (!signal)
    find_peaks_of<2>(leading, out, n, m, peaks, k, o);
  else if constexpr (Signals)
    find_peaks_of<1>(leading, out, n, m, peaks, k, o);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const auto expected =
          plain_peaks([&](int y, int x) { return out(i, j, y, x); }, h, w, k, o,
                      signal ? 0 : o.border);
      for (int p = 0; p < k; ++p) {
        const std::string wrong =
            wrong_peak(expected, p, peaks[std::size_t((i * m + j) * k + p)], o);
        if (wrong.empty()) continue;
        std::ostringstream t;
        t << "peaks: " << wrong << ": pair (" << i << ", " << j << "), peak "
          << p << " of " << k << ", distance " << o.least_distance
          << ", border " << o.border << ", sub-pixel " << int(o.sub_pixel);
        return t.str();
      }
    }
  return "";
}

}  // namespace Test
}  // namespace Sporos

#endif
