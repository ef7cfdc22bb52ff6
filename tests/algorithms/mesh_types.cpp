// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sets, maps, dats and globals: what they are built from and what they share.

#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_Mesh.hpp>

#include <string>
#include <cstdint>
#include <vector>

namespace MeshTypes {

using namespace Sporos;
using Test::error_of;
using Test::Spaces;

TEST_CASE("sets are equal to their copies only", "[mesh]") {
  const Set a("a", 5), b("a", 5), c = a;
  CHECK(a == c);
  CHECK(a != b);
  CHECK(a.name() == "a");
  CHECK(a.size() == 5);
  CHECK(Set() != Set());
  CHECK(SetRange(a).size() == 5);
  CHECK(a.range(1, 4).size() == 3);
}

TEMPLATE_LIST_TEST_CASE("maps from host arrays and views", "[mesh]", Spaces) {
  using Memory = typename TestType::memory_space;
  const Set from("from", 3), to("to", 7);
  const std::vector<int> entries{0, 1, 2, 3, 4, 6};
  const Map<2, Memory> map("map", from, to, entries);
  CHECK(map.arity() == 2);
  CHECK(map.to_host() == entries);
  CHECK(map.from() == from);
  CHECK(map.to() == to);

  const Map<2, Memory> shared("shared", from, to, map.view());
  CHECK(shared.view().data() == map.view().data());
  using Left = Kokkos::View<short**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  const Left left("left", 3, 2);
  for (int k = 0; k < 6; ++k)
    left(k / 2, k % 2) = short(entries[std::size_t(k)]);
  const Map<2, Memory> copied("copied", from, to, left);
  CHECK(copied.to_host() == entries);
  const Map<dynamic_arity, Memory> dynamic("dynamic", from, to, 2, entries);
  CHECK(dynamic.arity() == 2);
  const Map<2, Memory> fixed = dynamic.template fixed<2>();
  CHECK(fixed.view().data() == dynamic.view().data());
  dynamic.modified();
  CHECK(fixed.version() == dynamic.version());
  const Kokkos::View<int*, Kokkos::HostSpace> column("column", 3);
  for (int k = 0; k < 3; ++k) column(k) = entries[std::size_t(2 * k + 1)];
  const Map<1, Memory> one("one", from, to, column);
  CHECK(one.to_host() == std::vector<int>{1, 3, 6});
}

template <class T>
using StridedRows = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace>;

/// Entries of type T, which may not fit an int, from vectors and Views.
template <class T, class Memory>
void check_wide_entries() {
  const Set from("from", 3), to("to", 7);
  const std::vector<int> expected{0, 1, 2, 3, 4, 6};
  const auto made = [&](const auto& rows) {
    return Map<2, Memory>("map", from, to, rows).to_host();
  };
  std::vector<T> rows(expected.begin(), expected.end());
  CHECK(made(rows) == expected);
  const StridedRows<T> strided("strided", Kokkos::LayoutStride(3, 5, 2, 2));
  const Kokkos::View<T**, Memory> here("here", 3, 2);
  const Kokkos::View<T*, Kokkos::HostSpace> column("column", 3);
  const auto copy = [&] {
    const auto mirror = Kokkos::create_mirror_view(here);
    for (std::size_t e = 0; e < 3; ++e) {
      for (std::size_t i = 0; i < 2; ++i)
        mirror(e, i) = strided(e, i) = rows[2 * e + i];
      column(e) = rows[2 * e + 1];
    }
    Kokkos::deep_copy(here, mirror);
  };
  copy();
  CHECK(made(strided) == expected);
  CHECK(made(here) == expected);
  CHECK(Map<1, Memory>("map", from, to, column).to_host() ==
        std::vector<int>{1, 3, 6});
  // a number whose lower 32 bits are an element, or a large one
  const bool wide = sizeof(T) == 8;
  rows[3]         = T(wide ? (std::uint64_t(1) << 32) + 2 : 4294967295u);
  copy();
  const std::string end = std::string("got ") +
                          (wide ? "4294967298" : "4294967295") +
                          " at element 1 of from, index ";
  for (const auto& error :
       {error_of([&] { made(rows); }), error_of([&] { made(strided); }),
        error_of([&] { made(here); })})
    CHECK(error ==
          "Sporos::Map: map: expected entries in [0, 7) of the set to, " + end +
              "1");
  CHECK_THAT(error_of([&] { Map<1, Memory>("map", from, to, column); }),
             Catch::Contains(end + "0"));
}

TEMPLATE_LIST_TEST_CASE("entries of maps that may not fit an int", "[mesh]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  check_wide_entries<std::int64_t, Memory>();
  check_wide_entries<std::uint64_t, Memory>();
  check_wide_entries<unsigned, Memory>();
}

TEMPLATE_LIST_TEST_CASE("maps name wrong entries", "[mesh]", Spaces) {
  const Set from("from", 3), to("to", 7);
  const Map<2, typename TestType::memory_space> map("map", from, to,
                                                    std::vector<int>(6));
  CHECK(error_of([&] {
          const auto entries = Kokkos::create_mirror_view(map.view());
          entries(2, 1)      = 9;
          Kokkos::deep_copy(map.view(), entries);
          map.modified();
        }) ==
        "Sporos::Map: map: expected entries in [0, 7) of the set to, got 9 at "
        "element 2 of from, index 1");
}

template <class Memory, class Layout>
void check_dat() {
  const Set set("set", 4);
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  using D = Dat<double, 3, Layout, Memory>;
  const D dat("dat", set, values);
  CHECK(dat.to_host() == values);
  CHECK(dat.set() == set);
  const D shared("shared", set, dat.view());
  CHECK(shared.view().data() == dat.view().data());
  using Left = Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  const Left left("left", 4, 3);
  for (int k = 0; k < 12; ++k) left(k / 3, k % 3) = float(k + 1);
  CHECK(D("copied", set, left).to_host() == values);
  CHECK(D("zero", set).to_host() == std::vector<double>(12, 0.));
}

TEMPLATE_LIST_TEST_CASE("dats from host arrays and views", "[mesh]", Spaces) {
  using Memory = typename TestType::memory_space;
  check_dat<Memory, Kokkos::LayoutRight>();
  check_dat<Memory, Kokkos::LayoutLeft>();
}

TEMPLATE_LIST_TEST_CASE("a view whose rows lie apart is copied", "[mesh]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  const Set set("set", 4);
  const Kokkos::View<double**, Kokkos::LayoutRight, Memory> wide("wide", 4, 5);
  Kokkos::deep_copy(wide, 2.);
  const auto part = Kokkos::subview(wide, Kokkos::ALL(), std::make_pair(1, 4));
  const Dat<double, 3, Kokkos::LayoutRight, Memory> dat("dat", set, part);
  CHECK(dat.to_host() == std::vector<double>(12, 2.));
}

/// Views of the very value type, in another layout than that of the handle.
template <class Memory, class Ours, class Theirs>
void check_other_layout() {
  const Set set("set", 3), to("to", 12);
  const std::vector<int> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::vector<double> values(numbers.begin(), numbers.end());
  const Kokkos::View<int* [4], Theirs, Memory> entries("entries", 3);
  const Kokkos::View<double* [4], Theirs, Memory> state("state", 3);
  const auto host_entries = Kokkos::create_mirror_view(entries);
  const auto host_state   = Kokkos::create_mirror_view(state);
  for (int k = 0; k < 12; ++k) {
    host_entries(k / 4, k % 4) = k;
    host_state(k / 4, k % 4)   = k;
  }
  Kokkos::deep_copy(entries, host_entries);
  Kokkos::deep_copy(state, host_state);
  using Stride    = Kokkos::LayoutStride;
  using Strided   = Kokkos::View<int**, Stride, Memory>;
  using ReadOnly  = Kokkos::View<const int**, Theirs, Memory>;
  using StridedD  = Kokkos::View<double**, Stride, Memory>;
  using ReadOnlyD = Kokkos::View<const double**, Theirs, Memory>;
  using D         = Dat<double, 4, Ours, Memory>;
  const auto map  = [&](const auto& view) {
    return Map<4, Memory>("map", set, to, view);
  };
  CHECK(map(entries).to_host() == numbers);
  CHECK(map(Strided(entries)).to_host() == numbers);
  CHECK(map(ReadOnly(entries)).to_host() == numbers);
  CHECK(D("copied", set, state).to_host() == values);
  CHECK(D("copied", set, StridedD(state)).to_host() == values);
  CHECK(D("copied", set, ReadOnlyD(state)).to_host() == values);
  // what fits is still shared, also if its number of columns is not constant
  const Kokkos::View<double**, Ours, Memory> ours("ours", 3, 4);
  CHECK(D("shared", set, ours).view().data() == ours.data());
}

template <class T, class Memory>
using Column = Kokkos::View<T*, Memory>;

TEMPLATE_LIST_TEST_CASE("views of rank 1 are one column", "[mesh]", Spaces) {
  using Memory = typename TestType::memory_space;
  using D      = Dat<double, 1, Kokkos::LayoutRight, Memory>;
  const Set set("set", 3);
  const Column<double, Memory> values("values", 3);
  const D dat("dat", set, values);
  CHECK(dat.view().data() == values.data());
  CHECK(values.use_count() == 2);  // the dat keeps the memory
  Kokkos::deep_copy(values, 2.);
  CHECK(dat.to_host() == std::vector<double>(3, 2.));
  // apart, or of another type: copied
  const Dat<double, 2, Kokkos::LayoutRight, Memory> two(
      "two", set, std::vector<double>{0, 1, 2, 3, 4, 5});
  const D apart("apart", set, Kokkos::subview(two.view(), Kokkos::ALL(), 1));
  CHECK(apart.to_host() == std::vector<double>{1, 3, 5});
  const Column<float, Memory> narrow("narrow", 3);
  const auto host = Kokkos::create_mirror_view(narrow);
  for (int k = 0; k < 3; ++k) host(k) = float(k) + 0.5f;
  Kokkos::deep_copy(narrow, host);
  CHECK(D("wider", set, narrow).to_host() == std::vector<double>{.5, 1.5, 2.5});
}

TEMPLATE_LIST_TEST_CASE("views of any layout are taken", "[mesh]", Spaces) {
  using Memory = typename TestType::memory_space;
  using Left   = Kokkos::LayoutLeft;
  using Right  = Kokkos::LayoutRight;
  check_other_layout<Memory, Left, Right>();
  check_other_layout<Memory, Right, Left>();
}

TEMPLATE_LIST_TEST_CASE("globals", "[mesh]", Spaces) {
  using G = Global<double, 2, typename TestType::memory_space>;
  const G g("g", 3.);
  const TestType exec{};
  CHECK(g.name() == "g");
  CHECK(g.value(1) == 3.);
  g.assign(exec, 5.);
  CHECK(g.value(exec, 0) == 5.);
  const G shared("shared", g.view());
  shared.assign(7.);
  CHECK(g.value() == 7.);
  g.assign({1., 2.});
  CHECK(shared.value(0) == 1.);
  CHECK(shared.value(1) == 2.);
  g.assign(exec, {3., 4.});
  CHECK(shared.value(exec, 0) == 3.);
  CHECK(shared.value(exec, 1) == 4.);
  CHECK_THROWS(g.assign(exec, std::vector<double>{5.}));
  CHECK(shared.value(0) == 3.);
}

}  // namespace MeshTypes
