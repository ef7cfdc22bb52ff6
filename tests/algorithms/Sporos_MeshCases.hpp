// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Maps and kernels for the tests of mesh loops. Values are small integers, so
/// that sums are exact and every strategy must give the same numbers.

#ifndef SPOROS_MESHCASES_HPP
#define SPOROS_MESHCASES_HPP

#include <Sporos_ParLoop.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// n rows of `arity` random targets; about one entry in eight repeats its
/// predecessor.
inline std::vector<int> random_entries(int n, int arity, int targets,
                                       unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> uniform(0, std::max(targets - 1, 0)),
      eighth(0, 7);
  std::vector<int> entries(std::size_t(n) * std::size_t(arity));
  for (std::size_t k = 0; k < entries.size(); ++k)
    entries[k] =
        k > 0 && eighth(generator) == 0 ? entries[k - 1] : uniform(generator);
  return entries;
}

/// Element e reaches targets near e: what well-numbered meshes look like.
inline std::vector<int> banded_entries(int n, int arity, int targets,
                                       unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> near(0, 9);
  std::vector<int> entries;
  for (int e = 0; e < n; ++e)
    for (int i = 0; i < arity; ++i)
      entries.push_back(
          int((std::int64_t(e) * targets / n + near(generator)) % targets));
  return entries;
}

/// Entries of which some are negative: all of every seventh element.
inline std::vector<int> some_missing(std::vector<int> entries, int arity,
                                     unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> fourth(0, 3);
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (fourth(generator) == 0 || k / std::size_t(arity) % 7 == 3)
      entries[k] = k % 2 == 0 ? -1 : std::numeric_limits<int>::min();
  return entries;
}

/// Edges 0-1, 1-2, 2-3, ...
inline std::vector<int> chain_entries(int edges) {
  std::vector<int> entries;
  for (int e = 0; e < edges; ++e) {
    entries.push_back(e);
    entries.push_back(e + 1);
  }
  return entries;
}

/// n small integers.
template <class T = double>
std::vector<T> small_values(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> uniform(-9, 9);
  std::vector<T> values(n);
  for (T& v : values) v = T(uniform(generator));
  return values;
}

/// Reads through all indices and directly, increments through all of them,
/// writes directly, reduces.
template <int Arity>
struct Exchange {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 2, Arity> x,
                                  Sporos::Read<Real, 1> w,
                                  Sporos::Write<Real, 2> u,
                                  Sporos::Inc<Real, 3, Arity> y,
                                  Sporos::Reduce<Real, 2> total,
                                  Sporos::Reduce<Real, 1> least) const {
    using Sporos::min;
    Real s = w[0];
    for (int i = 0; i < Arity; ++i) s += x(i, 0) - x(i, 1);
    for (int i = 0; i < Arity; ++i) {
      y(i, 0) += s;
      y(i, 1) -= x(i, 1);
      y(i, 2) += w[0] * x(i, 0);
    }
    u[0] = s;
    u[1] = w[0] + s;
    total[0] += s;
    total[1] += w[0];
    least[0] = min(least[0], s);
  }
};

/// Sets, maps and dats for Exchange, and what must come of it.
template <class Exec, int Arity, class Layout>
struct ExchangeCase {
  using Memory = typename Exec::memory_space;
  Set from, to;
  Map<Arity, Memory> map;
  Dat<double, 2, Layout, Memory> x, u;
  Dat<double, 1, Layout, Memory> w;
  Dat<double, 3, Layout, Memory> y;
  double total[2], least;

  std::vector<double> y_expected, u_expected;
  double total_expected[2], least_expected;

  ExchangeCase(int n, int targets, const std::vector<int>& entries)
      : from("elements", n),
        to("targets", targets),
        map("map", from, to, entries),
        x("x", to, small_values(2 * std::size_t(targets), 1)),
        u("u", from),
        w("w", from, small_values(std::size_t(n), 2)),
        y("y", to, small_values(3 * std::size_t(targets), 3)) {
    expect(0, n, entries);
  }

  void expect(int begin, int end, const std::vector<int>& entries) {
    std::vector<int> list(std::size_t(end - begin));
    std::iota(list.begin(), list.end(), begin);
    expect(list, entries);
  }
  /// What a loop over the elements of a list gives.
  void expect(const std::vector<int>& list, const std::vector<int>& entries) {
    const auto hx = x.to_host(), hw = w.to_host();
    y_expected        = y.to_host();
    u_expected        = u.to_host();
    total_expected[0] = 1;
    total_expected[1] = 2;
    least_expected    = 5;
    for (const int e : list) {
      const int* const t = &entries[std::size_t(e) * Arity];
      const auto at      = [&](int i, int c) {
        return hx[2 * std::size_t(t[i]) + std::size_t(c)];
      };
      const double v = hw[std::size_t(e)];
      double s       = v;
      for (int i = 0; i < Arity; ++i) s += at(i, 0) - at(i, 1);
      for (int i = 0; i < Arity; ++i) {
        double* const to_y = &y_expected[3 * std::size_t(t[i])];
        to_y[0] += s;
        to_y[1] -= at(i, 1);
        to_y[2] += v * at(i, 0);
      }
      u_expected[2 * std::size_t(e)]     = s;
      u_expected[2 * std::size_t(e) + 1] = v + s;
      total_expected[0] += s;
      total_expected[1] += v;
      least_expected = s < least_expected ? s : least_expected;
    }
  }

  /// Back to the start.
  void reset() {
    y.assign(small_values(3 * std::size_t(to.size()), 3));
    u.assign(std::vector<double>(2 * std::size_t(from.size()), 0));
    total[0] = 1;
    total[1] = 2;
    least    = 5;
  }

  /// Runs Exchange; `how` is nothing, options or a plan.
  template <class Space, class... How>
  void run(const Exec& exec, const Space& space, const How&... how) {
    reset();
    par_loop("exchange", exec, space, how..., Exchange<Arity>{}, read(x, map),
             read(w), write(u), inc(y, map), sum(total), Sporos::min(least));
  }

  /// Is everything as expected?
  bool right() const {
    return y.to_host() == y_expected && u.to_host() == u_expected &&
           total[0] == total_expected[0] && total[1] == total_expected[1] &&
           least == least_expected;
  }
};

/// All strategies with all that is staged, and both ways to run a kernel by
/// teams.
inline std::vector<LoopOptions> all_options(int block_size = 0) {
  std::vector<LoopOptions> all;
  for (const LoopStrategy s :
       {LoopStrategy::automatic, LoopStrategy::serial,
        LoopStrategy::global_coloring, LoopStrategy::hierarchical,
        LoopStrategy::gather, LoopStrategy::owners, LoopStrategy::atomic})
    for (const Staging staging :
         {Staging::none, Staging::increments, Staging::all}) {
      LoopOptions o;
      o.strategy   = s;
      o.staging    = staging;
      o.block_size = block_size;
      if (s == LoopStrategy::hierarchical || staging == Staging::none)
        all.push_back(o);
      if (s != LoopStrategy::hierarchical) continue;
      o.kernel_by_color = true;
      o.sort_by_color   = staging != Staging::all;
      all.push_back(o);
    }
  LoopOptions any_ranks;
  any_ranks.block_size = block_size;
  any_ranks.any_ranks  = true;
  all.push_back(any_ranks);
  return all;
}

inline std::string text(const LoopOptions& o) {
  return std::string(name(o.strategy)) + ", staged " + name(o.staging) +
         (o.kernel_by_color ? ", kernel by colour" : "") +
         (o.any_ranks ? ", any ranks" : "") + ", blocks of " +
         std::to_string(o.block_size) + (o.packs ? ", packs" : ", scalars");
}

}  // namespace Test
}  // namespace Sporos

#endif
