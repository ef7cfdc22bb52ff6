// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices whose positions are searched for: the same bits as with stored ones,
// and no array of them.

#include "Sporos_SearchCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace MatrixSearch {

using namespace Sporos;
using namespace Sporos::Test;

TEMPLATE_LIST_TEST_CASE("searched positions by all strategies", "[matrix]",
                        Spaces) {
  check_strategies<TestType, double, 3, 3, 1, 1>(800, 300, 300, 1);
}

TEMPLATE_LIST_TEST_CASE("searched positions of random maps", "[matrix]",
                        Spaces) {
  std::mt19937 random(5);
  const auto up_to = [&](int n) {
    return std::uniform_int_distribution<int>(1, n)(random);
  };
  for (int k = 0; k < 6; ++k)
    check_blocks<TestType, double, 3, 3, 1, 1>(up_to(900), up_to(400),
                                               up_to(400), unsigned(k));
}

struct CoupleSides {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w, MatInc<Real, 2, 2> a) const {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) a(i, j) += w[0] * Real(1 + i - 3 * j);
  }
};

/// Cells and walls, all of whose nodes meet in one matrix.
template <class Exec>
struct TwoPairs {
  using Memory = typename Exec::memory_space;
  using Values = Dat<double, 1, Kokkos::LayoutRight, Memory>;
  Set cells{"cells", 600}, walls{"walls", 40}, nodes{"nodes", 90};
  Map<2, Memory> of_cells{"of_cells", cells, nodes,
                          random_entries(600, 2, 90, 1)},
      of_walls{"of_walls", walls, nodes, random_entries(40, 2, 90, 2)};
  Values w{"w", cells, rough_values<double>(600, 3)},
      v{"v", walls, rough_values<double>(40, 4)};
  Sparsity<Memory> sparsity{
      Exec{}, "sparsity", {{of_cells, of_cells}, {of_walls, of_walls}}, {true}};
  Mat<double, 1, 1, Memory> mat{Exec{}, "mat", sparsity};

  template <class Modify>
  std::vector<double> assemble(const Modify& modify) const {
    zero(Exec{}, mat);
    par_loop("cells", Exec{}, cells, CoupleSides{}, read(w),
             modify(inc(mat, of_cells, of_cells)));
    par_loop("walls", Exec{}, walls, CoupleSides{}, read(v),
             modify(inc(mat, of_walls, of_walls)));
    Exec{}.fence();
    return mat.dat().to_host();
  }
};

TEMPLATE_LIST_TEST_CASE("positions of several pairs of maps are not stored",
                        "[matrix]", Spaces) {
  const TwoPairs<TestType> two;
  const auto stored    = [](const auto& arg) { return arg; };
  const auto searched  = [](const auto& arg) { return with_search(arg); };
  const auto allocates = [](const std::string& label) {
    return std::any_of(events.allocations.begin(), events.allocations.end(),
                       [&](const std::string& of) {
                         return of.find(label) != std::string::npos;
                       });
  };
  std::vector<double> found;
  {
    const Recorder recorder;
    found = two.assemble(searched);
    CHECK_FALSE(allocates("Sporos::Sparsity::positions"));
  }
  CHECK(two.sparsity.describe().find("(of_cells, of_cells, searched): 600 "
                                     "elements x 4, 9600 bytes less") !=
        std::string::npos);
  {  // the first searches checked that all entries are there
    const Recorder recorder;
    two.assemble(searched);
    CHECK(std::count(events.kernels.begin(), events.kernels.end(),
                     "Sporos::Sparsity::positions") == 0);
  }
  {
    const Recorder recorder;
    CHECK(two.assemble(stored) == found);
    CHECK(allocates("Sporos::Sparsity::positions"));
  }
  const std::string words = two.sparsity.describe();
  CHECK(words.find("600 elements x 4, 9600 bytes\n") != std::string::npos);
  // pairs that are stored and searched for count once
  const double each = 640. * 4 / two.sparsity.nonzeros().size();
  std::ostringstream gets;
  gets << "each non-zero gets " << each << " increments";
  CHECK(words.find(gets.str()) != std::string::npos);
}

TEMPLATE_LIST_TEST_CASE("searches follow maps that were modified", "[matrix]",
                        Spaces) {
  const TwoPairs<TestType> two;
  const auto searched = [](const auto& arg) { return with_search(arg); };
  two.assemble(searched);
  const auto entries = Kokkos::create_mirror_view(two.of_cells.view());
  Kokkos::deep_copy(entries, two.of_cells.view());
  for (std::size_t e = 0; e < 600; ++e) std::swap(entries(e, 0), entries(e, 1));
  Kokkos::deep_copy(two.of_cells.view(), entries);
  two.of_cells.modified();
  const auto found = two.assemble(searched);
  CHECK(found == two.assemble([](const auto& arg) { return arg; }));
}

struct Overwrite {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w,
                                  MatWrite<Real, 1, 2> a) const {
    a(0, 1) = w[0];
  }
};

TEMPLATE_LIST_TEST_CASE("loops overwrite entries that they search for",
                        "[matrix]", Spaces) {
  using Memory = typename TestType::memory_space;
  const Set from("from", 40), rows("rows", 41);
  std::vector<int> all(40), some;
  std::iota(all.begin(), all.end(), 0);
  for (const int e : all) some.push_back(e % 3 == 0 ? -1 : e);
  const Map<1, Memory> own("own", from, rows, all),
      places("places", from, rows, some, MissingEntries::allowed);
  const Map<2, Memory> ends("ends", from, rows, chain_entries(40));
  const Dat<double, 1, Kokkos::LayoutRight, Memory> w("w", from,
                                                      small_values(40, 1));
  const Sparsity sparsity("sparsity", own, ends);
  const Mat<double, 1, 1, Memory> mat("mat", sparsity);
  LoopOptions checked;
  checked.check_disjoint = true;
  const auto run         = [&](const auto& a) {
    Kokkos::deep_copy(mat.values(), 7);
    par_loop("overwrite", TestType{}, from, checked, Overwrite{}, read(w), a);
    TestType{}.fence();
    return mat.dat().to_host();
  };
  const auto a = write(mat, own, ends, disjoint);
  CHECK(run(with_search(a)) == run(a));
  const auto b = with_missing(write(mat, places, ends, disjoint));
  CHECK(run(with_search(b)) == run(b));
  const auto c = write(mat, places, ends, disjoint);
  CHECK(run(with_missing(with_search(c))) == run(b));
  static_assert(std::is_same_v<decltype(with_missing(with_search(c))),
                               decltype(with_search(with_search(b)))>);
}

}  // namespace MatrixSearch
