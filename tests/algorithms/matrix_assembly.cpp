// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sparsities, and matrices that loops assemble, against serial sums.

#include "Sporos_MatrixCases.hpp"
#include "Sporos_Test.hpp"

#include <string>
#include <vector>

namespace MatrixAssembly {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, class T, int Rows, int Columns, int R, int C,
          bool Missing = false>
void check_strategies(int n, int rows, int columns, unsigned seed) {
  MatrixCase<Exec, T, Rows, Columns, R, C, Missing> c(n, rows, columns, seed);
  c.run(c.from);
  CHECK(c.right());
  for (LoopOptions o : all_options(32)) {
    c.run(c.from, o);
    INFO(text(o));
    CHECK(c.right());
    const LoopPlan<Exec> plan = c.plan(o);
    CHECK(validate(plan) == "");
    o.packs = false;
    c.run(c.from, o);
    CHECK(c.right());
    c.run(c.from, plan);
    CHECK(c.right());
  }
}

template <class Exec, class T, int Rows, int Columns, int R, int C,
          bool Missing = false>
void check_blocks(int n, int rows, int columns, unsigned seed) {
  MatrixCase<Exec, T, Rows, Columns, R, C, Missing> c(n, rows, columns, seed);
  c.run(c.from);
  CHECK(c.right());
}

template <class Exec, bool Missing>
void check_subset() {
  MatrixCase<Exec, double, 2, 3, 6, 6, Missing> c(50, 30, 11, 8);
  const Subset<typename Exec::memory_space> some("some", c.from,
                                                 std::vector<int>{49, 0, 7});
  c.run(some);
  CHECK(c.right({49, 0, 7}));
}

TEMPLATE_LIST_TEST_CASE("matrices by all strategies", "[matrix]", Spaces) {
  check_strategies<TestType, double, 3, 3, 1, 1>(800, 300, 300, 1);
  if constexpr (!Test::reduced)
    check_strategies<TestType, float, 2, 4, 2, 3>(500, 40, 90, 2);
}

TEMPLATE_LIST_TEST_CASE("matrices of blocks", "[matrix]", Spaces) {
  check_blocks<TestType, Kokkos::complex<double>, 3, 1, 1, 4>(70, 9, 20, 3);
  if constexpr (!Test::reduced) {
    check_blocks<TestType, double, 2, 3, 6, 6>(50, 30, 11, 4);
    check_blocks<TestType, float, 1, 2, 5, 1>(90, 30, 1, 5);
  }
}

TEMPLATE_LIST_TEST_CASE("matrices of elements that miss rows or columns",
                        "[matrix]", Spaces) {
  check_strategies<TestType, float, 2, 3, 3, 2, true>(500, 40, 90, 9);
  if constexpr (!Test::reduced)
    check_blocks<TestType, Kokkos::complex<double>, 3, 1, 1, 4, true>(70, 9, 20,
                                                                      3);
  for (const int n : {0, 1, 4, 700})
    check_blocks<TestType, double, 3, 3, 1, 1, true>(n, n / 3 + 1, n / 2 + 1,
                                                     6);
}

TEMPLATE_LIST_TEST_CASE("sparsities and positions of missing entries",
                        "[matrix]", Spaces) {
  using Memory = typename TestType::memory_space;
  const Set cells("cells", 5), nodes("nodes", 4);
  const std::vector<int> entries = {0, -1, 1, 2, -7, -1, 2, 2, -1, 3};
  const Map<2, Memory> map("map", cells, nodes, entries,
                           MissingEntries::allowed);
  const Map<1, Memory> first("first", cells, nodes,
                             std::vector<int>{0, 1, 2, 3, 1});
  const Sparsity square("square", map, map), wide("wide", first, map);
  CHECK(has_rows(square, {{0}, {1, 2}, {1, 2}, {3}}));
  CHECK(has_rows(wide, {{0}, {1, 2, 3}, {}, {2}}));
  const auto in_square = square.positions(TestType{}, map, map);
  CHECK(in_square.to_host() == std::vector<int>{0,  -1, -1, -1,  //
                                                1,  2,  3,  4,   //
                                                -1, -1, -1, -1,  //
                                                4,  4,  4,  4,   //
                                                -1, -1, -1, 5});
  CHECK(in_square.has_missing());
  CHECK(wide.positions(TestType{}, first, map).to_host() ==
        std::vector<int>{0, -1, 1, 2, -1, -1, 4, 4, -1, 3});
  const Sparsity<Memory> diagonal(TestType{}, "diagonal", map, map, {true});
  CHECK(has_rows(diagonal, {{0}, {1, 2}, {1, 2}, {3}}));
}

TEMPLATE_LIST_TEST_CASE("matrices of a subset", "[matrix]", Spaces) {
  if constexpr (!Test::reduced) check_subset<TestType, false>();
  check_subset<TestType, true>();
}

TEMPLATE_LIST_TEST_CASE("matrices of few elements", "[matrix]", Spaces) {
  for (const int n : {0, 1, 2})
    check_blocks<TestType, double, 3, 3, 1, 1>(n, 4, 4, 6);
  check_blocks<TestType, double, 3, 3, 1, 1>(0, 0, 0, 6);
  check_blocks<TestType, double, 3, 3, 1, 1>(900, 1, 1, 7);  // one entry
}

TEMPLATE_LIST_TEST_CASE("sparsities of several pairs", "[matrix]", Spaces) {
  using Exec   = TestType;
  using Memory = typename Exec::memory_space;
  const Set cells("cells", 300), walls("walls", 20), nodes("nodes", 90),
      others("others", 500);
  const auto of_cells = banded_entries(300, 3, 80, 1);  // ten isolated rows
  const auto of_walls = random_entries(20, 2, 90, 2);
  const auto to_other = random_entries(300, 4, 500, 3);
  const Map<3, Memory> cell_nodes("cell_nodes", cells, nodes, of_cells);
  const Map<dynamic_arity, Memory> wall_nodes("wall_nodes", walls, nodes, 2,
                                              of_walls);
  const Map<4, Memory> cell_others("cell_others", cells, others, to_other);
  const std::vector<std::set<int>> none(90);
  auto diagonal = none;
  for (int k = 0; k < 90; ++k) diagonal[std::size_t(k)] = {k};

  const Sparsity of_one("one", cell_nodes, cell_nodes);
  CHECK(has_rows(of_one, coupled(none, 300, 3, of_cells, 3, of_cells)));
  const Sparsity<Memory> two(
      Exec{}, "two", {{cell_nodes, cell_nodes}, {wall_nodes, wall_nodes}},
      {true});
  CHECK(has_rows(two, coupled(coupled(diagonal, 300, 3, of_cells, 3, of_cells),
                              20, 2, of_walls, 2, of_walls)));
  const Sparsity wide("wide", cell_nodes, cell_others);
  CHECK(has_rows(wide, coupled(none, 300, 3, of_cells, 4, to_other)));
  CHECK(wide.column_set() == others);
  CHECK(wide.describe().find("90 rows (nodes), 500 columns (others)") !=
        std::string::npos);
}

TEMPLATE_LIST_TEST_CASE("sparsities with rows of many elements", "[matrix]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  // couplings of a row: those that are inserted, that a thread sorts, that all
  // threads sort
  for (const int n : {100, 400, 10000, 17000}) {
    const Set from("from", n), rows("rows", 3), columns("columns", 6000);
    std::vector<int> to(std::size_t(n), 1);
    to.back()          = 0;
    const auto entries = random_entries(n, 4, 6000, 8);
    const Map<1, Memory> row("row", from, rows, to);
    const Map<4, Memory> column("column", from, columns, entries);
    const Sparsity sparsity(TestType{}, "sparsity", row, column);
    CHECK(has_rows(sparsity, coupled(std::vector<std::set<int>>(3), n, 1, to, 4,
                                     entries)));
  }
}

template <class Memory>
struct Known {
  Set from{"from", 2}, nodes{"nodes", 4};
  Map<2, Memory> map{"map", from, nodes, std::vector<int>{0, 1, 1, 2}};
  Sparsity<Memory> sparsity{"sparsity", map, map};
};

TEMPLATE_LIST_TEST_CASE("positions are made once for versions of maps",
                        "[matrix]", Spaces) {
  using Memory = typename TestType::memory_space;
  const Known<Memory> known;
  const auto at = known.sparsity.positions(TestType{}, known.map, known.map);
  // rows: 0: {0, 1}; 1: {0, 1, 2}; 2: {1, 2}; 3: {}
  CHECK(at.to_host() == std::vector<int>{0, 1, 2, 3, 3, 4, 5, 6});
  const auto same = known.sparsity.positions(TestType{}, known.map, known.map);
  CHECK(same.state() == at.state());
  CHECK(same.version() == at.version());

  const auto entries = Kokkos::create_mirror_view(known.map.view());
  entries(0, 0) = entries(1, 1) = 2;
  entries(0, 1) = entries(1, 0) = 1;
  Kokkos::deep_copy(known.map.view(), entries);
  known.map.modified();
  const auto again = known.sparsity.positions(TestType{}, known.map, known.map);
  CHECK(again.to_host() == std::vector<int>{6, 5, 4, 3, 3, 4, 5, 6});
  CHECK(again.state() == at.state());
  CHECK(again.version() > at.version() - 1);
  CHECK(known.sparsity.describe().find("2 elements x 4, 32 bytes") !=
        std::string::npos);
}

struct Overwrite {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w,
                                  MatWrite<Real, 1, 2> a) const {
    a(0, 1) = w[0];
  }
};

/// Elements write their second entry, a third of them nothing.
template <class Exec>
void check_write(bool missing) {
  using Memory = typename Exec::memory_space;
  const Set from("from", 40), rows("rows", 41);
  std::vector<int> all(40), some;
  std::iota(all.begin(), all.end(), 0);
  for (const int e : all) some.push_back(missing && e % 3 == 0 ? -1 : e);
  const Map<1, Memory> own("own", from, rows, all),
      places("places", from, rows, some, MissingEntries::allowed);
  const Map<2, Memory> ends("ends", from, rows, chain_entries(40));
  const Dat<double, 1, Kokkos::LayoutRight, Memory> w("w", from,
                                                      small_values(40, 1));
  const Sparsity sparsity("sparsity", own, ends);
  const Mat<double, 1, 1, Memory> mat("mat", sparsity);
  Kokkos::deep_copy(mat.values(), 7);
  const auto run = [&](const auto& a) {
    par_loop("overwrite", Exec{}, from, Overwrite{}, read(w), a);
    Exec{}.fence();
  };
  if (missing)
    run(with_missing(write(mat, places, ends, disjoint)));
  else
    run(write(mat, own, ends, disjoint));
  const auto values = host_copy(mat.values());
  const auto hw     = w.to_host();
  bool right        = values.extent(0) == 80;
  for (std::size_t e = 0; right && e < 40; ++e)
    right =
        values(2 * e) == 7 && values(2 * e + 1) == (some[e] < 0 ? 7 : hw[e]);
  CHECK(right);
}

TEMPLATE_LIST_TEST_CASE("loops overwrite entries of matrices", "[matrix]",
                        Spaces) {
  check_write<TestType>(false);
  check_write<TestType>(true);
}

}  // namespace MatrixAssembly
