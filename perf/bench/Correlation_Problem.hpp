// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_CORRELATION_PROBLEM_HPP
#define SPOROS_BENCH_CORRELATION_PROBLEM_HPP

/// \file Correlation_Problem.hpp
/// Matrices of one configuration of the benchmark of cross-correlation.

#include "Bench_Measure.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace Bench {

using Sporos::Pairing;

struct CorrelationConfig {
  int window;  ///< 0: all shifts, else those up to +-window
  Pairing pairing;
  int n;      ///< matrices are n x n
  int pairs;  ///< in one call

  bool operator==(const CorrelationConfig& c) const {
    return window == c.window && pairing == c.pairing && n == c.n &&
           pairs == c.pairs;
  }

  /// Left matrices, and right ones for each. Where there may be several of
  /// both: a tenth and ten (n_to_mn), as many of one as of the other (n_to_m).
  Sporos::CorrelateExtents extents() const {
    int m = 1;
    if (pairing == Pairing::one_to_many) m = pairs;
    if (pairing == Pairing::n_to_m || pairing == Pairing::n_to_mn)
      while ((m + 1) * (m + 1) <= pairs) ++m;
    if (pairing == Pairing::n_to_mn && m > 10) m = 10;
    return {pairs / m, m, n, n, n, n};
  }

  /// What is computed, with algorithm left to choose.
  Sporos::CorrelateOptions options() const {
    Sporos::CorrelateOptions o;
    o.pairing = pairing;
    o.mode    = window > 0 ? Sporos::CorrelateMode::window
                           : Sporos::CorrelateMode::full;
    o.window  = shifts();
    return o;
  }

  Sporos::ShiftWindow shifts() const {
    const int s = window > 0 ? window : n - 1;
    return {-s, s + 1, -s, s + 1};
  }

  /// Two for each product of elements that overlap, of all pairs.
  double flops() const {
    double overlap = 0;
    for (int d = shifts().dx0; d < shifts().dx1; ++d)
      overlap += std::max(0, n - std::abs(d));
    return 2 * overlap * overlap * pairs;
  }
};

/// What is run for a row of this configuration: less where rows are tiny().
inline CorrelationConfig work_config(CorrelationConfig c) {
  if (tiny()) {
    c.n     = std::max(c.window + 4, c.n / 8);
    c.pairs = std::min(c.pairs, 2);
  }
  return c;
}

inline std::string window_name(int window) {
  return window == 0 ? "full" : "window" + std::to_string(window);
}

/// Numbers in [-1, 1) that depend on the index alone.
template <class T>
struct FillMatrices {
  T* data;
  std::uint64_t seed;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::uint64_t z = (std::uint64_t(i) + seed) * 0x9e3779b97f4a7c15u;
    z               = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z               = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    data[i]         = T(double(z >> 11) * 0x1p-52 - 1);
  }
};

/// Matrices one after another, rows after rows.
template <class T>
struct CorrelationProblem {
  template <class Data>
  using Matrices = Kokkos::View<Data, Kokkos::LayoutRight, Exec,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  explicit CorrelationProblem(const CorrelationConfig& c)
      : config(c),
        extents(c.extents()),
        rows(c.shifts().rows()),
        left("bench::left", size(extents.n) * c.n * c.n),
        right("bench::right", size(rights()) * c.n * c.n),
        out("bench::out", size(c.pairs) * rows * rows) {
    const Exec exec;
    Kokkos::parallel_for("Sporos::bench::fill",
                         Kokkos::RangePolicy<Exec>(exec, 0, left.extent(0)),
                         FillMatrices<T>{left.data(), 1});
    Kokkos::parallel_for("Sporos::bench::fill",
                         Kokkos::RangePolicy<Exec>(exec, 0, right.extent(0)),
                         FillMatrices<T>{right.data(), 77777});
    exec.fence();
  }

  static std::size_t size(int n) { return std::size_t(n); }

  /// All right matrices.
  int rights() const {
    return config.pairing == Pairing::n_to_m ? extents.m
                                             : extents.n * extents.m;
  }

  /// Calls f(left, right, out) with views of the ranks that the pairing wants.
  template <class F>
  void call(const F& f) const {
    const int n = config.n, l = extents.n, m = extents.m;
    const Matrices<T***> lefts(left.data(), l, n, n),
        r3(right.data(), rights(), n, n);
    switch (config.pairing) {
      case Pairing::one_to_one:
        return f(lefts, r3, Matrices<T***>(out.data(), l, rows, rows));
      case Pairing::one_to_many:
        return f(Matrices<T**>(left.data(), n, n), r3,
                 Matrices<T***>(out.data(), m, rows, rows));
      case Pairing::n_to_mn:
        return f(lefts, Matrices<T****>(right.data(), l, m, n, n),
                 Matrices<T****>(out.data(), l, m, rows, rows));
      case Pairing::n_to_m:
        return f(lefts, r3, Matrices<T****>(out.data(), l, m, rows, rows));
    }
  }

  CorrelationConfig config;
  Sporos::CorrelateExtents extents;
  int rows;  ///< rows and columns of shifts
  Kokkos::View<T*, Exec> left, right, out;
};

/// The problem of the last configuration; many rows share it.
class CorrelationCache {
 public:
  template <class T>
  CorrelationProblem<T>& get(const CorrelationConfig& config) {
    auto& problem = [this]() -> auto& {
      if constexpr (std::is_same<T, float>::value)
        return m_float;
      else
        return m_double;
    }
    ();
    if (!problem || !(problem->config == config)) {
      m_float.reset();
      m_double.reset();
      problem = std::make_unique<CorrelationProblem<T>>(config);
    }
    return *problem;
  }

 private:
  std::unique_ptr<CorrelationProblem<float>> m_float;
  std::unique_ptr<CorrelationProblem<double>> m_double;
};

}  // namespace Bench

#endif
