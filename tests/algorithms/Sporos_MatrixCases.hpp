// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Matrices that loops assemble, and the serial sums that must come of it.
/// Values are small integers, so that sums are exact.

#ifndef SPOROS_MATRIXCASES_HPP
#define SPOROS_MATRIXCASES_HPP

#include "Sporos_MeshCases.hpp"

#include <Sporos_Matrix.hpp>
#include <Sporos_ParLoop.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// Adds to all entries of an element's matrix, and to a dat beside it.
template <class T, int Rows, int Columns, int R, int C>
struct Couple {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 1> w,
                                  Sporos::Read<Real, 1, Columns> x,
                                  Sporos::MatInc<Real, Rows, Columns, R, C> a,
                                  Sporos::Inc<Real, 1, Rows> y) const {
    for (int i = 0; i < Rows; ++i) {
      for (int j = 0; j < Columns; ++j)
        if constexpr (R == 1 && C == 1)
          a(i, j) += w[0] * Real(T(i + 1)) - x(j, 0);
        else
          for (int c = 0; c < R; ++c)
            for (int d = 0; d < C; ++d)
              a(i, c, j, d) += w[0] * Real(T(i + 1 + 2 * c - d)) - x(j, 0);
      y(i, 0) += w[0];
    }
  }
};

/// The values of a matrix with all zeros, row by row.
template <class T, int R, int C, class M>
std::vector<T> dense(const Mat<T, R, C, M>& mat) {
  const auto offsets = Sporos::Impl::on_host(mat.sparsity().row_offsets());
  const auto columns = Sporos::Impl::on_host(mat.sparsity().columns());
  const auto values  = Sporos::Impl::on_host(mat.values());
  const auto width   = std::size_t(mat.sparsity().column_set().size()) * C;
  const auto n       = std::size_t(mat.sparsity().row_set().size());
  std::vector<T> all(n * R * width);
  for (std::size_t row = 0; row < n; ++row)
    for (auto k = offsets(row); k < offsets(row + 1); ++k)
      for (std::size_t c = 0; c < R; ++c)
        for (std::size_t d = 0; d < C; ++d)
          all[(row * R + c) * width + std::size_t(columns(k)) * C + d] =
              values((std::size_t(k) * R + c) * C + d);
  return all;
}

/// A loop over n elements that couple rows with columns; those may be missing.
template <class Exec, class T, int Rows, int Columns, int R, int C,
          bool Missing = false>
struct MatrixCase {
  using Memory = typename Exec::memory_space;
  static constexpr auto entries =
      Missing ? MissingEntries::allowed : MissingEntries::refused;
  template <int N>
  using Values = Dat<T, N, Kokkos::LayoutRight, Memory>;
  Set from, rows, columns;
  std::vector<int> row_entries, column_entries;
  Map<Rows, Memory> row_map;
  Map<Columns, Memory> column_map;
  Values<1> w, x, y;
  Sparsity<Memory> sparsity;
  Mat<T, R, C, Memory> mat;

  MatrixCase(int n, int n_rows, int n_columns, unsigned seed)
      : from("elements", n),
        rows("rows", n_rows),
        columns("columns", n_columns),
        row_entries(some_entries(n, Rows, n_rows, seed)),
        column_entries(some_entries(n, Columns, n_columns, seed + 1)),
        row_map("row_map", from, rows, row_entries, entries),
        column_map("column_map", from, columns, column_entries, entries),
        w("w", from, small_values<T>(std::size_t(n), seed)),
        x("x", columns, small_values<T>(std::size_t(n_columns), seed + 1)),
        y("y", rows),
        sparsity(Exec{}, "sparsity", row_map, column_map),
        mat(Exec{}, "mat", sparsity) {}

  static std::vector<int> some_entries(int n, int arity, int targets,
                                       unsigned seed) {
    const auto all = random_entries(n, arity, targets, seed);
    return Missing ? some_missing(all, arity, seed) : all;
  }
  template <class Arg>
  static auto maybe(const Arg& arg) {
    if constexpr (Missing)
      return with_missing(arg);
    else
      return arg;
  }
  template <bool Searched, class Arg>
  static auto found(const Arg& arg) {
    if constexpr (Searched)
      return with_search(arg);
    else
      return arg;
  }
  /// Searched: positions are searched for, not stored
  template <bool Searched = false, class F>
  void with_arguments(const F& f) const {
    f(read(w), maybe(read(x, column_map)),
      found<Searched>(maybe(inc(mat, row_map, column_map))),
      maybe(inc(y, row_map)));
  }
  template <bool Searched = false>
  LoopPlan<Exec> plan(const LoopOptions& o) const {
    LoopPlan<Exec> made;
    with_arguments<Searched>([&](const auto&... args) {
      made = LoopPlan<Exec>(Exec{}, from, o, args...);
    });
    return made;
  }
  /// Runs Couple; `how` is nothing, options or a plan.
  template <bool Searched = false, class Range, class... How>
  void run(const Range& range, const How&... how) {
    zero(Exec{}, mat);
    y.assign(std::vector<T>(std::size_t(rows.size()), T()));
    with_arguments<Searched>([&](const auto&... args) {
      par_loop("couple", Exec{}, range, how...,
               Couple<T, Rows, Columns, R, C>{}, args...);
    });
    Exec{}.fence();
  }
  /// Is the matrix that of the elements of a list, and the dat beside it?
  bool right(const std::vector<int>& list) const {
    const auto width = std::size_t(columns.size()) * C;
    std::vector<T> all(std::size_t(rows.size()) * R * width),
        sums(std::size_t(rows.size()));
    const auto hw = w.to_host(), hx = x.to_host();
    for (const int e : list)
      for (int i = 0; i < Rows; ++i) {
        const int named = row_entries[std::size_t(e * Rows + i)];
        if (named < 0) continue;
        const auto row = std::size_t(named);
        sums[row] += hw[std::size_t(e)];
        for (int j = 0; j < Columns; ++j) {
          const int other = column_entries[std::size_t(e * Columns + j)];
          if (other < 0) continue;
          const auto column = std::size_t(other);
          for (int c = 0; c < R; ++c)
            for (int d = 0; d < C; ++d)
              all[(row * R + std::size_t(c)) * width + column * C +
                  std::size_t(d)] +=
                  hw[std::size_t(e)] * T(i + 1 + 2 * c - d) - hx[column];
        }
      }
    return dense(mat) == all && y.to_host() == sums;
  }
  bool right() const {
    std::vector<int> all(std::size_t(from.size()));
    std::iota(all.begin(), all.end(), 0);
    return right(all);
  }
};

/// The columns of each row that pairs of entries couple; negative ones none.
inline std::vector<std::set<int>> coupled(
    std::vector<std::set<int>> rows, int n, int row_arity,
    const std::vector<int>& row_entries, int column_arity,
    const std::vector<int>& column_entries) {
  for (int e = 0; e < n; ++e)
    for (int i = 0; i < row_arity; ++i)
      for (int j = 0; j < column_arity; ++j) {
        const int row    = row_entries[std::size_t(e * row_arity + i)];
        const int column = column_entries[std::size_t(e * column_arity + j)];
        if (row >= 0 && column >= 0) rows[std::size_t(row)].insert(column);
      }
  return rows;
}

/// Does a sparsity have these columns in each row, ascending?
template <class M>
bool has_rows(const Sparsity<M>& sparsity,
              const std::vector<std::set<int>>& rows) {
  const auto offsets = Sporos::Impl::on_host(sparsity.row_offsets());
  const auto columns = Sporos::Impl::on_host(sparsity.columns());
  std::int64_t k     = 0;
  bool right = sparsity.row_set().size() == int(rows.size()) && offsets(0) == 0;
  for (std::size_t row = 0; right && row < rows.size(); ++row) {
    right = offsets(row + 1) - offsets(row) == std::int64_t(rows[row].size());
    for (const int column : rows[row]) right = right && columns(k++) == column;
  }
  return right && k == std::int64_t(columns.extent(0)) &&
         k == sparsity.nonzeros().size();
}

}  // namespace Test
}  // namespace Sporos

#endif
