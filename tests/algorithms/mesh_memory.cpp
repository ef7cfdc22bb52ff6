// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Maps and dats from views in any memory, strided or not, in an instance or
// without one.

#include "Sporos_Test.hpp"

#include <Sporos_Mesh.hpp>
#include <Sporos_ParLoop.hpp>

#include <numeric>
#include <utility>
#include <vector>

namespace MeshMemory {

using namespace Sporos;
using Test::Spaces;
using Left  = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;

/// table(1 + i, 1 + c) = 3 i + c for i in [0, 4), c in [0, 3); else -100
template <class Table>
struct FillTable {
  Table table;
  KOKKOS_FUNCTION void operator()(int k) const {
    const int i = k / 5 - 1, c = k % 5 - 1;
    const bool inside   = i >= 0 && i < 4 && c >= 0 && c < 3;
    table(k / 5, k % 5) = inside ? 3 * i + c : -100;
  }
};

/// The inner part of a table of FillTable: none of its rows or columns is
/// contiguous.
template <class Exec, class T, class Layout, class Memory>
auto inner_part(const Exec& exec) {
  using Table = Kokkos::View<T**, Layout, Memory>;
  const Table table("table", 6, 5);
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Exec>(exec, 0, 30),
                       FillTable<Table>{table});
  return Kokkos::subview(table, std::make_pair(1, 5), std::make_pair(1, 4));
}

template <class T>
std::vector<T> zero_to_eleven() {
  std::vector<T> all(12);
  std::iota(all.begin(), all.end(), T(0));
  return all;
}

template <class Exec, class Memory, class Layout, class Source>
void check_strided() {
  const Exec exec{};
  const Set set("set", 4), to("to", 12);
  using M = Map<3, Memory>;
  using D = Dat<double, 3, Layout, Memory>;
  const auto entries =
      inner_part<Exec, int, Source, typename Exec::memory_space>(exec);
  const auto shorts =
      inner_part<Exec, short, Source, typename Exec::memory_space>(exec);
  const auto values =
      inner_part<Exec, double, Source, typename Exec::memory_space>(exec);
  CHECK(M("map", set, to, entries).to_host() == zero_to_eleven<int>());
  CHECK(M(exec, "map", set, to, shorts).to_host() == zero_to_eleven<int>());
  CHECK(
      Map<dynamic_arity, Memory>(exec, "map", set, to, 3, entries).to_host() ==
      zero_to_eleven<int>());
  CHECK(D("dat", set, values).to_host() == zero_to_eleven<double>());
  const D dat(exec, "dat", set, values);
  CHECK(dat.to_host(exec) == zero_to_eleven<double>());
  const D zero(exec, "zero", set);
  CHECK(zero.to_host(exec) == std::vector<double>(12, 0.));
  // from memory of the host, through vectors too
  using Host      = Kokkos::DefaultHostExecutionSpace;
  const auto host = inner_part<Host, float, Source, Kokkos::HostSpace>(Host{});
  CHECK(D(exec, "dat", set, host).to_host(exec) == zero_to_eleven<double>());
  const auto vector = zero_to_eleven<double>();
  CHECK(D(exec, "dat", set, vector).to_host() == vector);
  CHECK(M(exec, "map", set, to, zero_to_eleven<int>()).to_host() ==
        zero_to_eleven<int>());
  // and back to it
  const Dat<double, 3, Layout, Kokkos::HostSpace> back("dat", set, values);
  CHECK(back.to_host() == vector);
}

TEMPLATE_LIST_TEST_CASE("strided views of all memories are copied", "[mesh]",
                        Spaces) {
  using Own    = typename TestType::memory_space;
  using Shared = typename Test::SharedMemory<TestType>::type;
  check_strided<TestType, Own, Right, Left>();
  check_strided<TestType, Own, Left, Right>();
  check_strided<TestType, Shared, Right, Right>();
}

TEMPLATE_LIST_TEST_CASE("dats that share rows of a larger SoA view", "[mesh]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  const Set set("set", 4);
  const Kokkos::View<double**, Left, Memory> wide("wide", 9, 3);
  const auto part = Kokkos::subview(wide, std::make_pair(2, 6), Kokkos::ALL());
  const Dat<double, 3, Left, Memory> dat("dat", set, part);
  CHECK(dat.view().data() == part.data());
  dat.assign(zero_to_eleven<double>());
  CHECK(dat.to_host() == zero_to_eleven<double>());
  const auto all = Kokkos::create_mirror_view(wide);
  Kokkos::deep_copy(all, wide);
  double sum = 0;
  for (int k = 0; k < 27; ++k) sum += all(k / 3, k % 3);
  CHECK(sum == 66);  // nothing beside it was written
}

struct AddEnds {
  KOKKOS_FUNCTION void operator()(Read<double, 1> a,
                                  Inc<double, 1, 2> sum) const {
    sum(0, 0) += a[0];
    sum(1, 0) += 2 * a[0];
  }
};

TEMPLATE_LIST_TEST_CASE("loops over maps and dats in memory that hosts share",
                        "[par_loop]", Spaces) {
  using Memory = typename Test::SharedMemory<TestType>::type;
  const int n  = 300;
  const Set edges("edges", n), nodes("nodes", n + 1);
  std::vector<int> ends;
  std::vector<double> expected(std::size_t(n) + 1, 0.);
  for (int e = 0; e < n; ++e) {
    ends.insert(ends.end(), {e, e + 1});
    expected[std::size_t(e)] += e;
    expected[std::size_t(e) + 1] += 2 * e;
  }
  std::vector<double> values(std::size_t(n), 0.);
  std::iota(values.begin(), values.end(), 0.);
  const Map<2, Memory> map("map", edges, nodes, ends);
  const Dat<double, 1, Right, Memory> a("a", edges, values);
  const TestType exec{};
  for (const auto strategy :
       {LoopStrategy::hierarchical, LoopStrategy::global_coloring,
        LoopStrategy::gather, LoopStrategy::serial}) {
    const Dat<double, 1, Right, Memory> sum("sum", nodes);
    LoopOptions options;
    options.strategy = strategy;
    par_loop("ends", exec, edges, options, AddEnds{}, read(a), inc(sum, map));
    CHECK(sum.to_host(exec) == expected);
    CHECK(validate(plan_of(exec, edges, options, read(a), inc(sum, map))) ==
          "");
  }
}

}  // namespace MeshMemory
