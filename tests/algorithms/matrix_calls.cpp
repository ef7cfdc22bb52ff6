// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What one does with an assembled matrix: diagonals, boundary conditions,
// products; matrices in arrays of the user.

#include "Sporos_MatrixCases.hpp"
#include "Sporos_Test.hpp"

#include <vector>

namespace MatrixCalls {

using namespace Sporos;
using namespace Sporos::Test;

/// A square matrix of R x R blocks with random values on a random sparsity.
template <class Exec, class T, int R>
struct Square {
  using Memory = typename Exec::memory_space;
  template <int N, class Layout>
  using Values             = Dat<T, N, Layout, Memory>;
  static constexpr int n   = 60;
  static constexpr auto nR = std::size_t(n) * R;
  Set from{"from", 80}, nodes{"nodes", n};
  Map<3, Memory> map{"map", from, nodes, banded_entries(80, 3, n - 5, 1)};
  Sparsity<Memory> sparsity;
  Mat<T, R, R, Memory> mat;
  Values<R, Kokkos::LayoutLeft> x{"x", nodes, small_values<T>(nR, 2)};
  Values<R, Kokkos::LayoutRight> b{"b", nodes, small_values<T>(nR, 3)};
  Subset<Memory> some{"some", nodes, std::vector<int>{58, 3, 4, 30}};
  Subset<Memory> part = some.range(1, 4);  // 3, 4, 30

  explicit Square(bool diagonal)
      : sparsity(Exec{}, "sparsity", map, map, {diagonal}),
        mat("mat", sparsity) {
    mat.dat().assign(
        small_values<T>(std::size_t(sparsity.nonzeros().size()) * R * R, 4));
  }
  static T& at(std::vector<T>& all, std::size_t i, std::size_t k) {
    return all[i * nR + k];
  }
  /// Numbers of the unknowns of `part`.
  static std::vector<std::size_t> unknowns(int component) {
    std::vector<std::size_t> all;
    for (const std::size_t row : {3, 4, 30})
      for (int c = 0; c < R; ++c)
        if (component < 0 || c == component)
          all.push_back(row * R + std::size_t(c));
    return all;
  }
};

template <class Exec, int R>
void check_diagonals() {
  const Square<Exec, double, R> s(true);
  auto all = dense(s.mat);
  set_diagonal(Exec{}, s.mat, 5);
  for (std::size_t i = 0; i < s.nR; ++i) s.at(all, i, i) = 5;
  CHECK(dense(s.mat) == all);
  set_diagonal(s.mat, s.x);
  const auto x = s.x.to_host();
  for (std::size_t i = 0; i < s.nR; ++i) s.at(all, i, i) = x[i];
  CHECK(dense(s.mat) == all);
  zero(s.mat);
  CHECK(dense(s.mat) == std::vector<double>(s.nR * s.nR));
}

template <class Exec, int R>
void check_zero_rows(bool diagonal, int component) {
  Square<Exec, double, R> s(diagonal);
  auto all = dense(s.mat);
  zero_rows(s.mat, s.part, 2, component);
  for (const std::size_t i : s.unknowns(component))
    for (std::size_t k = 0; k < s.nR; ++k) s.at(all, i, k) = i == k ? 2 : 0;
  CHECK(dense(s.mat) == all);
}

template <class Exec, int R>
void check_lifting(int component) {
  Square<Exec, double, R> s(false);
  const auto before = dense(s.mat);
  auto all          = before;
  const auto x      = s.x.to_host();
  auto b            = s.b.to_host();
  zero_rows_columns(Exec{}, s.mat, s.part, 2, s.x, s.b, component);
  const auto given = s.unknowns(component);
  for (const std::size_t i : given)
    for (std::size_t k = 0; k < s.nR; ++k) {
      b[k] -= before[k * s.nR + i] * x[i];
      s.at(all, i, k) = s.at(all, k, i) = 0;
    }
  for (const std::size_t i : given) {
    b[i]            = 2 * x[i];
    s.at(all, i, i) = 2;
  }
  CHECK(dense(s.mat) == all);
  CHECK(s.b.to_host() == b);
  // without a right-hand side
  Square<Exec, double, R> other(false);
  zero_rows_columns(other.mat, other.part, 2, component);
  CHECK(dense(other.mat) == all);
}

template <class Exec, class T, int R, int C>
void check_product() {
  using Memory = typename Exec::memory_space;
  const Set from("from", 80), rows("rows", 31), columns("columns", 70);
  const Map<2, Memory> to_row("to_row", from, rows,
                              random_entries(80, 2, 30, 1));
  const Map<3, Memory> to_column("to_column", from, columns,
                                 random_entries(80, 3, 70, 2));
  const Sparsity sparsity("sparsity", to_row, to_column);
  const Mat<T, R, C, Memory> mat("mat", sparsity);
  mat.dat().assign(small_values<T>(mat.values().extent(0), 3));
  const Dat<T, C, Kokkos::LayoutLeft, Memory> x("x", columns,
                                                small_values<T>(70 * C, 4));
  const Dat<T, R, Kokkos::LayoutRight, Memory> y("y", rows,
                                                 small_values<T>(31 * R, 5));
  multiply(mat, x, y);
  const auto all = dense(mat), hx = x.to_host();
  std::vector<T> expected(31 * R);
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t k = 0; k < hx.size(); ++k)
      expected[i] += all[i * hx.size() + k] * hx[k];
  CHECK(y.to_host() == expected);
  // rows of a matrix that is not square, without a diagonal
  zero_rows(mat, Subset<Memory>("one", rows, std::vector<int>{2}), 0);
  multiply(Exec{}, mat, x, y);
  for (std::size_t c = 0; c < R; ++c) expected[2 * R + c] = T();
  CHECK(y.to_host(Exec{}) == expected);
}

TEMPLATE_LIST_TEST_CASE("diagonals of matrices", "[matrix]", Spaces) {
  check_diagonals<TestType, 1>();
  check_diagonals<TestType, 3>();
}

TEMPLATE_LIST_TEST_CASE("rows of matrices become zero", "[matrix]", Spaces) {
  check_zero_rows<TestType, 1>(false, all_components);
  check_zero_rows<TestType, 3>(true, all_components);
  check_zero_rows<TestType, 3>(false, 1);
}

TEMPLATE_LIST_TEST_CASE("rows and columns become zero, with lifting",
                        "[matrix]", Spaces) {
  check_lifting<TestType, 1>(all_components);
  check_lifting<TestType, 3>(all_components);
  check_lifting<TestType, 3>(2);
}

TEMPLATE_LIST_TEST_CASE("matrices times dats", "[matrix]", Spaces) {
  check_product<TestType, double, 1, 1>();
  check_product<TestType, Kokkos::complex<double>, 2, 3>();
}

TEMPLATE_LIST_TEST_CASE("matrices in arrays of the user", "[matrix]", Spaces) {
  using Memory = typename TestType::memory_space;
  const Set rows("rows", 3), columns("columns", 5);
  const Kokkos::View<unsigned*, Memory> offsets("offsets", 4);
  const Kokkos::View<int*, Memory> numbers("numbers", 5);
  const Kokkos::View<double*, Memory> values("values", 10);
  const auto ho                = Kokkos::create_mirror_view(offsets);
  const auto hn                = Kokkos::create_mirror_view(numbers);
  const unsigned all_offsets[] = {0, 2, 2, 5};
  const int all_numbers[]      = {1, 4, 0, 2, 4};
  std::copy(all_offsets, all_offsets + 4, ho.data());
  std::copy(all_numbers, all_numbers + 5, hn.data());
  Kokkos::deep_copy(offsets, ho);
  Kokkos::deep_copy(numbers, hn);
  const Sparsity<Memory> sparsity(TestType{}, "mine", rows, columns, offsets,
                                  numbers);
  CHECK(has_rows(sparsity, {{1, 4}, {}, {0, 2, 4}}));
  CHECK(sparsity.columns().data() == numbers.data());
  const Mat<double, 1, 2, Memory> mat("mat", sparsity, values);
  CHECK(mat.values().data() == values.data());
  Kokkos::deep_copy(values, 3);
  const auto twos = [](std::size_t n) { return std::vector<double>(n, 2); };
  const Dat<double, 2, Kokkos::LayoutRight, Memory> x("x", columns, twos(10));
  const Dat<double, 1, Kokkos::LayoutRight, Memory> y("y", rows, twos(3));
  multiply(mat, x, y);
  CHECK(y.to_host() == std::vector<double>{24, 0, 36});
}

}  // namespace MatrixCalls
