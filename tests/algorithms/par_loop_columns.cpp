// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that name each column of a map by itself, as those over the points of a
// cube of 3 x 3 x 3 do.

#include "Sporos_Test.hpp"

#include <Sporos_ParLoop.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ParLoopColumns {

using namespace Sporos;
using Test::Spaces;

template <std::size_t>
using Increment = Inc<double, 1>;

/// Adds k + 1 through argument k.
template <class Columns>
struct AddNumbers;
template <std::size_t... K>
struct AddNumbers<std::index_sequence<K...>> {
  KOKKOS_FUNCTION void operator()(Increment<K>... sum) const {
    ((sum[0] += K + 1), ...);
  }
};

template <class Exec, std::size_t... K>
void check_columns(std::index_sequence<K...> columns) {
  using Memory      = typename Exec::memory_space;
  constexpr int all = int(sizeof...(K));
  const int n       = 300;
  const Set lines("lines", n), points("points", n + all);
  std::vector<int> entries;
  std::vector<double> expected(std::size_t(n + all), 0.);
  for (int e = 0; e < n; ++e)
    for (int k = 0; k < all; ++k) {
      entries.push_back(e + k);
      expected[std::size_t(e + k)] += k + 1;
    }
  const Map<all, Memory> map("map", lines, points, entries);
  const Dat<double, 1, Kokkos::LayoutRight, Memory> sum("sum", points);
  const Exec exec{};
  par_loop("numbers", exec, lines, AddNumbers<decltype(columns)>{},
           inc(sum, map, int(K))...);
  CHECK(sum.to_host(exec) == expected);
  CHECK(validate(plan_of(exec, lines, LoopOptions{},
                         inc(sum, map, int(K))...)) == "");
}

TEMPLATE_LIST_TEST_CASE("27 columns of a map", "[par_loop]", Spaces) {
  check_columns<TestType>(std::make_index_sequence<27>{});
}

}  // namespace ParLoopColumns
