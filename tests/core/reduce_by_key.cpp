// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_EngineTest.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_SegmentedReduce.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace ReduceByKeyTest {

using Sporos::ReduceWorkspace;
using Sporos::Test::Spaces;
using Sporos::Test::SpacesRealsLayouts;
using Sporos::Test::to_value;
using Sporos::Test::to_vector;
using Sporos::Test::to_view;

/// Groups of 1 to 4 equal keys.
std::vector<std::uint32_t> make_keys(int n) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t key = 5; int(keys.size()) < n; key += 1 + key % 9)
    for (std::uint32_t k = 0; k <= key % 4 && int(keys.size()) < n; ++k)
      keys.push_back(key);
  return keys;
}

double entry(int i, int c) { return (i * 13 + c * 5) % 17 - 8; }

/// Checks sums(q, c) of all columns; view(i, c) through a functor, for strided
/// views and both ranks.
template <class Column>
void check_sums(const std::vector<std::uint32_t>& keys, int found,
                const std::vector<std::uint32_t>& unique, int columns,
                const Column& column) {
  std::vector<std::uint32_t> expected;
  std::vector<std::vector<double>> sums;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      expected.push_back(keys[i]);
      sums.emplace_back(std::size_t(columns), 0.0);
    }
    for (int c = 0; c < columns; ++c)
      sums.back()[std::size_t(c)] += entry(int(i), c);
  }
  REQUIRE(found == static_cast<int>(expected.size()));
  CHECK(std::equal(expected.begin(), expected.end(), unique.begin()));
  int wrong = 0;
  for (int c = 0; c < columns; ++c) {
    const auto values = column(c);
    for (std::size_t q = 0; q < expected.size(); ++q)
      wrong += double(values[q]) == sums[q][std::size_t(c)] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

template <class Exec, class Real, class Layout>
void check_columns(int n, int columns) {
  const auto keys = make_keys(n);
  const Exec exec{};
  const std::size_t rows = std::size_t(n), width = std::size_t(columns);
  Kokkos::View<std::uint32_t*, Exec> view("keys", rows), unique("u", rows);
  Kokkos::View<Real**, Layout, Exec> data("data", rows, width);
  Kokkos::View<Real**, Layout, Exec> sums("sums", rows, width);
  Kokkos::View<int, Exec> count("count");
  to_view(view, keys);
  const auto mirror = Kokkos::create_mirror_view(data);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < columns; ++c)
      mirror(i, c) = static_cast<Real>(entry(i, c));
  Kokkos::deep_copy(exec, data, mirror);
  ReduceWorkspace<typename Exec::memory_space> workspace;
  const Kokkos::View<const Real**, Layout, Exec> input = data;
  Sporos::reduce_by_key(exec, workspace, view, input, unique, sums, count);
  exec.fence();
  INFO("n " << n << ", columns " << columns);
  check_sums(keys, to_value(count), to_vector(unique), columns, [&](int c) {
    return to_vector(Kokkos::subview(sums, Kokkos::ALL, c));
  });
}

TEMPLATE_LIST_TEST_CASE("reduce_by_key sums columns", "[reduce_by_key]",
                        SpacesRealsLayouts) {
  using Exec   = typename TestType::execution_space;
  using Real   = typename TestType::real_type;
  using Layout = typename TestType::layout;
  for (int columns : {0, 1, 2, 3, 7, 8, 9, 15, 17})
    for (int n : {0, 1, 2, 100, 3001})
      check_columns<Exec, Real, Layout>(n, columns);
}

TEMPLATE_LIST_TEST_CASE("reduce_by_key sums one column of a wider table",
                        "[reduce_by_key]", Spaces) {
  using Exec      = TestType;
  const int n     = 2003;
  const auto keys = make_keys(n);
  Kokkos::View<std::uint32_t*, Exec> view("keys", n), unique("unique", n);
  Kokkos::View<float**, Kokkos::LayoutRight, Exec> table("table", n, 3);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> results("results", n, 2);
  Kokkos::View<int, Exec> count("count");
  const auto column = Kokkos::subview(table, Kokkos::ALL, 2);
  const auto sums   = Kokkos::subview(results, Kokkos::ALL, 1);
  std::vector<float> data;
  for (int i = 0; i < n; ++i) data.push_back(static_cast<float>(entry(i, 0)));
  to_view(view, keys);
  to_view(column, data);
  const Exec exec{};
  ReduceWorkspace<typename Exec::memory_space> workspace;
  Sporos::reduce_by_key(exec, workspace, view, column, unique, sums, count);
  exec.fence();
  check_sums(keys, to_value(count), to_vector(unique), 1,
             [&](int) { return to_vector(sums); });
  const std::vector<double> zeros(std::size_t(n), 0.0);
  CHECK((to_vector(Kokkos::subview(results, Kokkos::ALL, 0)) == zeros));
}

TEMPLATE_LIST_TEST_CASE("reduce_by_key adds up in the type of the sums",
                        "[reduce_by_key]", Spaces) {
  using Exec  = TestType;
  const int n = 1001;
  Kokkos::View<std::uint64_t*, Exec> keys("keys", n), unique("unique", n);
  Kokkos::View<float*, Exec> column("column", n);
  Kokkos::View<double*, Exec> sums("sums", n);
  Kokkos::View<int, Exec> count("count");
  std::vector<float> data(std::size_t(n), 1.0f);
  data[0] = 1e9f;  // a float sum would stay there
  to_view(column, data);
  const Exec exec{};
  ReduceWorkspace<typename Exec::memory_space> workspace;
  Sporos::reduce_by_key(exec, workspace, keys, column, unique, sums, count);
  exec.fence();
  CHECK(to_value(count) == 1);
  CHECK(to_vector(sums)[0] == 1e9 + 1000);
}

}  // namespace ReduceByKeyTest
