// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices of blocks that loops assemble through two maps, with increments of a
// dat beside them; the product with a dat, or that of the rows that to_crs
// gives.

#include "Sporos_CrsStandIn.hpp"
#include "Sporos_RandomLoops.hpp"

#include <Sporos_Matrix.hpp>
#include <Sporos_MatrixCrs.hpp>

namespace RandomLoops {
namespace {

template <int A, int B, int R, int C>
struct MatrixKernel {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w, Read<Real, C, B> x,
                                  MatInc<Real, A, B, R, C> a,
                                  Inc<Real, R, A> y) const {
    for (int i = 0; i < A; ++i)
      for (int c = 0; c < R; ++c) {
        const Real f = w[0] * Real(i + 1) - Real(c);
        for (int j = 0; j < B; ++j)
          for (int d = 0; d < C; ++d) a(i, c, j, d) += f * x(j, d);
        y(i, c) += f;
      }
  }
};

template <class T, int A, int B, int R, int C, bool WithSubsets, bool Partial>
struct Assembly {
  static constexpr auto missing =
      Partial ? MissingEntries::allowed : MissingEntries::refused;
  static constexpr bool subsets = WithSubsets;
  template <int N>
  using Values = Dat<T, N, Kokkos::LayoutRight, Memory>;

  std::string words;
  bool integers, as_crs, searched;
  Set from, rows, columns, others;
  Map<A, Memory> row_map;
  Map<B, Memory> column_map;
  Map<2, Memory> more;  // couples, too
  Values<1> w;
  Values<C> x;
  Values<R> y, product;
  Sparsity<Memory> sparsity;
  Mat<T, R, C, Memory> mat;
  std::uint64_t version = 0;  ///< of the maps in the sparsity
  std::vector<T> mat_start, y_start;

  explicit Assembly(RandomCase& r)
      : integers(r.chance(50)),
        as_crs(r.chance(25)),
        searched(r.chance(40)),
        from("from", random_size(r)),
        rows("rows", std::max(1, random_size(r))),
        columns("columns", std::max(1, random_size(r))),
        others("others", r.integer(0, 50)),
        row_map("row_map", from, rows,
                with_gaps<Partial>(
                    r, random_map(r, from.size(), A, rows.size(), words)),
                missing),
        column_map("column_map", from, columns,
                   with_gaps<Partial>(
                       r, random_map(r, from.size(), B, columns.size(), words)),
                   missing),
        more("more", others, columns,
             random_map(r, others.size(), 2, columns.size(), words)),
        w("w", from),
        x("x", columns),
        y("y", rows),
        product("product", rows) {
    words += integers ? ", integers" : ", rough";
    if (as_crs) words += ", as compressed rows";
    if (searched) words += ", positions searched for";
  }
  /// Makes the sparsity and the matrix for the maps as they are.
  void couple() {
    if (version == row_map.version()) return;
    version = row_map.version();
    const Map<1, Memory> to_first(
        "to_first", others, rows,
        std::vector<int>(std::size_t(others.size()), 0));
    sparsity = Sparsity<Memory>(Exec{}, "sparsity",
                                {{to_first, more}, {row_map, column_map}});
    mat      = Mat<T, R, C, Memory>("mat", sparsity);
  }
  void fill(RandomCase& r) {
    w.assign(random_values<T>(r, std::size_t(from.size()), integers));
    x.assign(random_values<T>(r, std::size_t(columns.size()) * C, integers));
    y_start   = random_values<T>(r, std::size_t(rows.size()) * R, integers);
    mat_start = random_values<T>(r, mat.values().extent(0), integers);
  }
  void reset() {
    mat.dat().assign(mat_start);
    y.assign(y_start);
  }
  template <class Arg>
  static auto through(const Arg& arg) {
    if constexpr (Partial)
      return with_missing(arg);
    else
      return arg;
  }
  /// Calls f with the argument of the matrix.
  template <class F>
  void with_matrix(const F& f) const {
    const auto arg = through(inc(mat, row_map, column_map));
    if (searched)
      f(with_search(arg));
    else
      f(arg);
  }
  template <class Range, class... How>
  void run(const Range& range, const How&... how) {
    with_matrix([&](const auto& a) {
      par_loop("assembly", Exec{}, range, how..., MatrixKernel<A, B, R, C>{},
               read(w), through(read(x, column_map)), a,
               through(inc(y, row_map)));
    });
    if (as_crs)
      multiply_crs();
    else
      multiply(Exec{}, mat, x, product);
    Exec().fence();
  }
  /// The product, by plain loops over the rows of numbers.
  void multiply_crs() const {
    const auto crs = to_crs<Test::CrsStandIn<T, int, Memory, int>>(Exec{}, mat);
    Exec().fence();
    const std::vector<T> from_x = x.to_host();
    std::vector<T> sums(std::size_t(crs.numRows()), T());
    for (std::size_t row = 0; row < sums.size(); ++row)
      for (int k = crs.graph.row_map(row); k < crs.graph.row_map(row + 1); ++k)
        sums[row] += crs.values(k) * from_x[std::size_t(crs.graph.entries(k))];
    product.assign(sums);
  }
  template <class Range>
  LoopPlan<Exec> plan(const Range& range, const LoopOptions& o) {
    couple();
    LoopPlan<Exec> made;
    with_matrix([&](const auto& a) {
      made = LoopPlan<Exec>(Exec{}, range, o, read(w),
                            through(read(x, column_map)), a,
                            through(inc(y, row_map)));
    });
    return made;
  }
  Results results() const {
    return {result_of("mat", mat.dat().to_host()), result_of("y", y.to_host()),
            result_of("product", product.to_host())};
  }
  Results expected(const std::vector<int>& list) const {
    const auto hw = w.to_host(), hx = x.to_host();
    const auto at_row = row_map.to_host(), at_column = column_map.to_host();
    const auto offsets = sparsity.row_offsets();
    const auto numbers = sparsity.columns();
    const auto real    = [](const std::vector<T>& v) {
      return std::vector<double>(v.begin(), v.end());
    };
    Sums sm(real(mat_start)), sy(real(y_start));
    for (const int k : list)
      for (std::size_t i = 0; i < A; ++i) {
        const auto e = std::size_t(k);
        if (at_row[e * A + i] < 0) continue;
        const auto row   = std::size_t(at_row[e * A + i]);
        const auto begin = numbers.data() + offsets(row);
        for (std::size_t c = 0; c < R; ++c) {
          const double f    = double(hw[e]) * double(i + 1) - double(c);
          const double size = std::abs(hw[e]) * double(i + 1) + double(c);
          sy.add(row * R + c, f, size);
          for (std::size_t j = 0; j < B; ++j) {
            if (at_column[e * B + j] < 0) continue;
            const auto column = std::size_t(at_column[e * B + j]);
            const auto place  = std::size_t(
                 std::lower_bound(begin, numbers.data() + offsets(row + 1),
                                  int(column)) -
                 numbers.data());
            for (std::size_t d = 0; d < C; ++d) {
              const double v = hx[column * C + d];
              sm.add((place * R + c) * C + d, f * v, size * std::abs(v));
            }
          }
        }
      }
    Sums sp(std::vector<double>(std::size_t(rows.size()) * R));
    for (std::size_t row = 0; row < std::size_t(rows.size()); ++row)
      for (auto k = std::size_t(offsets(row));
           k < std::size_t(offsets(row + 1)); ++k)
        for (std::size_t c = 0; c < R; ++c)
          for (std::size_t d = 0; d < C; ++d) {
            const std::size_t place = (k * R + c) * C + d;
            const double v          = hx[std::size_t(numbers(k)) * C + d];
            sp.add(row * R + c, sm.values[place] * v,
                   (sm.count[place] + 1) * sm.magnitude[place] * std::abs(v));
          }
    return {sm.template result<T>("mat", integers),
            sy.template result<T>("y", integers),
            sp.template result<T>("product", integers)};
  }
  Mesh mesh() { return Mesh(row_map, column_map, more, w, x, y); }
  std::vector<std::vector<int>> numbers() const {
    return {row_map.to_host(), column_map.to_host()};
  }
  std::string is_renumbered(const Reordering&,
                            const std::vector<std::vector<int>>&) const {
    return "";
  }
};

}  // namespace

std::string check_matrix(RandomCase& r) {
  if (r.chance(50))
    return check_case<Assembly<double, 3, 3, 1, 1, true, false>>(
        r, "matrix of double");
  return check_case<Assembly<float, 2, 3, 3, 2, false, true>>(
      r, "matrix of float, entries may be missing");
}

}  // namespace RandomLoops
