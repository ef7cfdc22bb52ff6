// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PERF_NUMBERS_HPP
#define SPOROS_PERF_NUMBERS_HPP

/// \file Perf_Numbers.hpp
/// Random numbers, medians and differences of benchmarks and applications.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace Perf {

/// Random numbers that are the same everywhere: the distributions of <random>
/// differ between standard libraries, its generator does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_bits(seed) {}

  /// In [0, 1).
  double uniform() { return double(m_bits() >> 11) * 0x1p-53; }

  double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }

  /// Standard normal (Box and Muller).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::acos(-1.) * uniform());
  }

  /// A number below `end`, which is above 0.
  std::size_t below(std::size_t end) { return std::size_t(m_bits() % end); }

 private:
  std::mt19937_64 m_bits;
};

/// The one in the middle, or the mean of the two; v is not empty.
inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}

/// max |a - b| / max |b|; NaN counts as different.
template <class T>
double difference(const T* a, const T* b, std::size_t n) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = std::fabs(double(a[i]) - double(b[i]));
    if (!(d <= largest)) largest = d;
    scale = std::fmax(scale, std::fabs(double(b[i])));
  }
  return largest / scale;
}

}  // namespace Perf

#endif
