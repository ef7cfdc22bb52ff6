// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Matrices whose positions are searched for, against those with stored ones:
/// all bits.

#ifndef SPOROS_SEARCHCASES_HPP
#define SPOROS_SEARCHCASES_HPP

#include "Sporos_MatrixCases.hpp"
#include "Sporos_Test.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// Sums of these depend on their order.
template <class T>
std::vector<T> rough_values(std::size_t n, unsigned seed) {
  auto values = small_values<T>(n, seed);
  for (std::size_t k = 0; k < n; ++k)
    values[k] = values[k] / T(7) + T(int(k % 11)) * T(0.013);
  return values;
}

template <class Case>
void make_rough(Case& c, unsigned seed) {
  using T = typename decltype(c.mat)::value_type;
  c.w.assign(rough_values<T>(std::size_t(c.from.size()), seed));
  c.x.assign(rough_values<T>(std::size_t(c.columns.size()), seed + 1));
}

/// The values of the matrix and of the dat beside it after the loop of a case.
template <bool Searched, class Case, class Range, class... How>
auto values_of(Case& c, const Range& range, const How&... how) {
  c.template run<Searched>(range, how...);
  auto all = c.mat.dat().to_host();
  for (const auto& v : c.y.to_host()) all.push_back(v);
  return all;
}

inline std::string bytes_less(int n) {
  return std::to_string(n) + " bytes less than stored";
}

template <class Exec, class T, int Rows, int Columns, int R, int C,
          bool Missing = false>
void check_strategies(int n, int rows, int columns, unsigned seed) {
  MatrixCase<Exec, T, Rows, Columns, R, C, Missing> c(n, rows, columns, seed);
  CHECK(values_of<true>(c, c.from) == values_of<false>(c, c.from));
  CHECK(c.right());
  LoopOptions atomic;
  atomic.strategy = LoopStrategy::atomic;
  CHECK(values_of<true>(c, c.from, atomic) ==
        values_of<false>(c, c.from, atomic));
  make_rough(c, seed);
  for (LoopOptions o : all_options(32)) {
    INFO(text(o));
    const LoopPlan<Exec> plan = c.template plan<true>(o), stored = c.plan(o);
    CHECK(validate(plan) == "");
    CHECK(plan.strategy() == stored.strategy());
    CHECK(plan.nblkcol() == stored.nblkcol());
    CHECK(plan.ncolors() == stored.ncolors());
    CHECK(plan.describe().find(bytes_less(n * Rows * Columns * 4)) !=
          std::string::npos);
    CHECK(stored.describe().find("bytes less") == std::string::npos);
    if (o.strategy == LoopStrategy::atomic) continue;  // bits differ anyway
    const auto expected = values_of<false>(c, c.from, o);
    CHECK(values_of<true>(c, c.from, o) == expected);
    CHECK(values_of<true>(c, c.from, plan) == expected);
    o.packs = false;
    CHECK(values_of<true>(c, c.from, o) == values_of<false>(c, c.from, o));
  }
}

template <class Exec, class T, int Rows, int Columns, int R, int C,
          bool Missing = false>
void check_blocks(int n, int rows, int columns, unsigned seed) {
  MatrixCase<Exec, T, Rows, Columns, R, C, Missing> c(n, rows, columns, seed);
  make_rough(c, seed);
  CHECK(values_of<true>(c, c.from) == values_of<false>(c, c.from));
  std::vector<int> list;
  for (int e = n - 1; e >= 0; e -= 3) list.push_back(e);
  const Subset<typename Exec::memory_space> some("some", c.from, list);
  CHECK(values_of<true>(c, some) == values_of<false>(c, some));
  CHECK(values_of<true>(c, c.from.range(n / 3, n)) ==
        values_of<false>(c, c.from.range(n / 3, n)));
}

}  // namespace Test
}  // namespace Sporos

#endif
