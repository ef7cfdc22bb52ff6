// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks whose staged data nearly fill, fill and exceed the scratch memory of a
// team.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <stdexcept>

namespace ParLoopScratch {

using namespace Sporos;
using namespace Sporos::Test;

constexpr int width = 8;  // values of a target: 64 bytes

struct AddRow {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Inc<Real, width> row,
                                  Reduce<Real, 1> total) const {
    for (int c = 0; c < width; ++c) row[c] += a[0] + Real(c);
    total[0] += a[0];
  }
};

template <class Exec>
struct RowCase {
  using Memory                 = typename Exec::memory_space;
  static constexpr int targets = 2000, n = 3000;  // the last block is small
  Set from{"from", n}, to{"to", targets};
  Map<1, Memory> map{"map", from, to, entries()};
  Dat<double, 1, Kokkos::LayoutRight, Memory> a{"a", from, small_values(n, 1)};
  Dat<double, width, Kokkos::LayoutRight, Memory> y{"y", to};
  std::vector<double> expected = rows();
  double total                 = 0;

  /// Each target of a block is its own; blocks share targets.
  static std::vector<int> entries() {
    std::vector<int> all;
    for (int e = 0; e < n; ++e) all.push_back(e % targets);
    return all;
  }
  std::vector<double> rows() const {
    const auto values = a.to_host();
    std::vector<double> sum(std::size_t(targets) * width, 0);
    for (std::size_t e = 0; e < std::size_t(n); ++e)
      for (std::size_t c = 0; c < width; ++c)
        sum[e % targets * width + c] += values[e] + double(c);
    return sum;
  }
  void run(const LoopOptions& o) {
    y.assign(std::vector<double>(expected.size(), 0));
    total = 0;
    par_loop("add_row", Exec{}, from, o, AddRow{}, read(a), inc(y, map, 0),
             sum(total));
  }
  bool right() const {
    double all = 0;
    for (const double v : a.to_host()) all += v;
    return y.to_host() == expected && total == all;
  }
};

template <class Exec>
std::size_t scratch_of() {
  return std::size_t(
      Kokkos::TeamPolicy<Exec>(Exec{}, 1, 1).scratch_size_max(0));
}

TEMPLATE_LIST_TEST_CASE("staged data up to the scratch of a team and beyond",
                        "[par_loop]", Spaces) {
  RowCase<TestType> c;
  const int most = int(scratch_of<TestType>() / (width * sizeof(double)));
  for (const int size : {most - 40, most, most + 1, most + 60, 767, 768, 1024})
    for (const bool by_color : {false, true}) {
      LoopOptions o;
      o.strategy        = LoopStrategy::hierarchical;
      o.block_size      = size;
      o.kernel_by_color = by_color;
      INFO("blocks of " << size << " of at most " << most);
      c.run(o);  // stages nothing
      CHECK(c.right());
      o.staging = Staging::increments;
      if (size <= most) {
        c.run(o);
        CHECK(c.right());
      } else {
        CHECK_THROWS_AS(c.run(o), std::invalid_argument);
        CHECK(c.y.to_host() == std::vector<double>(c.expected.size(), 0));
        CHECK(c.total == 0);
      }
    }
}

struct AddBoth {
  KOKKOS_FUNCTION void operator()(Read<double> first, Read<double, 3> all,
                                  Inc<double, 3> to) const {
    for (int c = 0; c < 3; ++c) to[c] += first[0] + 10 * all[c];
  }
};

TEMPLATE_LIST_TEST_CASE("a staged dat and one of its components", "[par_loop]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  using Left   = Kokkos::LayoutLeft;
  const int n  = 500;
  const Set edges("edges", n), nodes("nodes", n);
  std::vector<int> to(n);
  for (int e = 0; e < n; ++e) to[std::size_t(e)] = e * 7 % n;
  const Map<1, Memory> map("map", edges, nodes, to);
  const Kokkos::View<double* [3], Left, Memory> values("values", n);
  const auto host = Kokkos::create_mirror_view(values);
  for (int t = 0; t < n; ++t)
    for (int c = 0; c < 3; ++c) host(t, c) = t + 1000 * c;
  Kokkos::deep_copy(values, host);
  const Dat<double, 3, Left, Memory> all("all", nodes, values);
  const Dat<double, 1, Left, Memory> first(
      "first", nodes,
      Kokkos::View<double* [1], Left, Memory>(values.data(), n));
  for (const auto staging :
       {Staging::none, Staging::increments, Staging::all}) {
    LoopOptions options;
    options.strategy   = LoopStrategy::hierarchical;
    options.staging    = staging;
    options.block_size = 64;
    const Dat<double, 3, Left, Memory> sums("sums", nodes);
    par_loop("both", TestType{}, edges, options, AddBoth{}, read(first, map, 0),
             read(all, map, 0), inc(sums, map, 0));
    const std::vector<double> found = sums.to_host();
    bool good                       = true;
    for (int t = 0; t < n; ++t)
      for (int c = 0; c < 3; ++c)
        good =
            good && found[std::size_t(3 * t + c)] == t + 10. * (t + 1000 * c);
    INFO(name(staging));
    CHECK(good);
  }
}

TEMPLATE_LIST_TEST_CASE("one large block behind small ones", "[par_loop]",
                        Spaces) {
  RowCase<TestType> c;
  LoopOptions o;
  o.strategy = LoopStrategy::hierarchical;
  o.staging  = Staging::increments;
  o.blocks   = {0, 10, 2000, 2100, 2110, 3000};
  CHECK_THROWS_AS(c.run(o), std::invalid_argument);
  CHECK(c.y.to_host() == std::vector<double>(c.expected.size(), 0));
  o.blocks = {0, 10, 500, 1000, 1500, 2000, 2100, 2110, 2600, 3000};
  c.run(o);
  CHECK(c.right());
}

}  // namespace ParLoopScratch
