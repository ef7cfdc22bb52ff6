// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Offsets beyond 2^31 and 2^32 in arrays that are larger than the machine's
// memory, of which few pages are touched. (transfer_plan.cpp has grids with
// more cells than 32 bits number.)

#include "Sporos_SparseMemory.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace LargeSizes {

using namespace Sporos;
using Sporos::Test::SparseMemory;

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;
template <class Data, class Layout>
using Unmanaged = Kokkos::View<Data, Layout, Memory, Kokkos::MemoryUnmanaged>;

constexpr int huge = 1300000000;  // times two is more than 2^31
constexpr int few  = 40;          // elements at the end

struct Collect {
  template <class T>
  KOKKOS_FUNCTION void operator()(Read<T, 2> x, Inc<T, 1, 2> sum) const {
    sum(0, 0) += x[0];
    sum(1, 0) += x[1];
  }
};

TEST_CASE("mesh loops at the end of 2.6e9 map entries and values", "[large]") {
  const SparseMemory<int> entries(std::size_t(huge) * 2);
  const SparseMemory<double> numbers(std::size_t(huge) * 2);
  if (entries.data() == nullptr || numbers.data() == nullptr) {
    WARN("the system gives no arrays of that size");
    return;
  }
  for (int e = huge - few; e < huge; ++e)
    for (int i = 0; i < 2; ++i) {
      entries.data()[std::size_t(e) * 2 + i] = (e + 7 * i) % 10;
      numbers.data()[std::size_t(e) * 2 + i] = e % 100 + i;
    }
  const Set elements("elements", huge), targets("targets", 10);
  const Map<2, Memory> map("map", elements, targets,
                           Unmanaged<int**, Kokkos::LayoutRight>(
                               entries.data(), std::size_t(huge), 2));
  CHECK(map.view().data() == entries.data());
  const Dat<double, 2, Kokkos::LayoutRight, Memory> x(
      "x", elements,
      Unmanaged<double* [2], Kokkos::LayoutRight>(numbers.data(),
                                                  std::size_t(huge)));
  CHECK(x.view().data() == numbers.data());
  double expected[10] = {};
  for (int e = huge - few; e < huge; ++e)
    for (int i = 0; i < 2; ++i) expected[(e + 7 * i) % 10] += e % 100 + i;

  for (const auto strategy :
       {LoopStrategy::serial, LoopStrategy::hierarchical,
        LoopStrategy::global_coloring, LoopStrategy::gather}) {
    const Dat<double, 1, Kokkos::LayoutRight, Memory> sum("sum", targets);
    LoopOptions options;
    options.strategy = strategy;
    par_loop("collect", Exec{}, elements.range(huge - few, huge), options,
             Collect{}, read(x), inc(sum, map));
    INFO(name(strategy));
    for (int t = 0; t < 10; ++t) CHECK(sum.to_host()[t] == expected[t]);
  }
}

/// One thread as a team of a device.
struct LoneMember {
  int league;
  KOKKOS_FUNCTION int team_rank() const { return 0; }
  KOKKOS_FUNCTION int team_size() const { return 1; }
  KOKKOS_FUNCTION int league_rank() const { return league; }
  KOKKOS_FUNCTION void team_barrier() const {}
};
KOKKOS_FUNCTION std::uint64_t* team_words(const LoneMember&, std::size_t) {
  return nullptr;
}

struct AddAll {
  KOKKOS_FUNCTION void operator()(Read<double> x, Reduce<double> all) const {
    all[0] += x[0];
  }
};

TEST_CASE("the last chunk of a device's loop over 2^31 - 1 elements",
          "[large]") {
  constexpr int n = 2147483647, chunk = Impl::device_chunk;
  const SparseMemory<double> numbers{std::size_t(n)};
  if (numbers.data() == nullptr) {
    WARN("the system gives no array of that size");
    return;
  }
  for (int k = 1; k <= few; ++k) numbers.data()[std::size_t(n) - k] = k;
  const Set elements("elements", n);
  const Dat<double, 1, Kokkos::LayoutRight, Memory> x(
      "x", elements,
      Unmanaged<double* [1], Kokkos::LayoutRight>(numbers.data(),
                                                  std::size_t(n)));
  const Global<double, 1, Memory> all("all");
  const SparseMemory<std::uint64_t> partials{std::size_t(n / chunk) + 8};
  Impl::LoopMemory memory;
  memory.partials = Impl::Arena(partials.data());
  memory.chunks   = std::size_t(n / chunk) + 1;
  const auto body = Impl::loop_body<Impl::Increments::added>(
      Exec{}, memory, AddAll{}, read(x),
      Impl::ReduceArg<double, 1, Impl::Reduction::sum>{all.view().data()});
  const Impl::RunElementTeams<false, std::decay_t<decltype(body)>> kernel{
      body, nullptr, 0, n, 0, 0};
  kernel(LoneMember{n / chunk});
  double last;
  std::memcpy(&last, partials.data() + n / chunk, sizeof(last));
  CHECK(last == few * (few + 1) / 2);
}

TEST_CASE("transfer with a field whose elements lie far apart", "[large]") {
  constexpr std::size_t stride = std::size_t(1) << 28, n = 20, points = 300;
  const SparseMemory<double> memory(n * stride);
  if (memory.data() == nullptr) {
    WARN("the system gives no array of that size");
    return;
  }
  const Unmanaged<double**, Kokkos::LayoutStride> far(
      memory.data(), Kokkos::LayoutStride(n, stride, n, 1));
  const Kokkos::View<double**, Memory> near("near", n, n);
  const Kokkos::View<double* [2], Memory> x("x", points);
  const Kokkos::View<double*, Memory> strengths("strengths", points),
      a("a", points), b("b", points);
  for (std::size_t i = 0; i < points; ++i) {
    x(i, 0)      = .01 + i * .0032;
    x(i, 1)      = .5 + .49 * std::sin(double(i));
    strengths(i) = 1. + double(i % 7);
  }
  const ParticleGridPlan plan(Exec{}, Grid<2>({int(n), int(n)}, 1. / n),
                              Cosine4{}, x);
  spread(plan, strengths, near);
  spread(plan, strengths, far);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) CHECK(far(i, j) == near(i, j));
  interpolate(plan, near, a);
  interpolate(plan, far, b);
  for (std::size_t i = 0; i < points; ++i) CHECK(a(i) == b(i));
}

TEST_CASE("transfer with points that lie far apart", "[large]") {
  constexpr std::size_t stride = std::size_t(1) << 24, points = 300;
  const SparseMemory<double> memory(points * stride);
  if (memory.data() == nullptr) {
    WARN("the system gives no array of that size");
    return;
  }
  const Unmanaged<double**, Kokkos::LayoutStride> far(
      memory.data(), Kokkos::LayoutStride(points, stride, 2, 1));
  const Kokkos::View<double**, Memory> near("near", points, 2);
  const Kokkos::View<double*, Memory> one("one", points);
  for (std::size_t i = 0; i < points; ++i) {
    far(i, 0) = near(i, 0) = .01 + i * .0032;
    far(i, 1) = near(i, 1) = .5 + .49 * std::sin(double(i));
    one(i)                 = 1. + double(i % 7);
  }
  const Grid<2> grid({20, 20}, .05);
  const Kokkos::View<double**, Memory> a("a", 20, 20), b("b", 20, 20);
  spread(ParticleGridPlan(Exec{}, grid, Cosine4{}, near), one, a);
  spread(ParticleGridPlan(Exec{}, grid, Cosine4{}, far), one, b);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < 20; ++j) CHECK(a(i, j) == b(i, j));
}

TEST_CASE("matrices that lie far apart", "[large]") {
  constexpr std::size_t stride = std::size_t(3) << 30;
  const SparseMemory<float> memory(4 * stride);
  if (memory.data() == nullptr) {
    WARN("the system gives no array of that size");
    return;
  }
  using Far           = Unmanaged<float***, Kokkos::LayoutStride>;
  using Near          = Kokkos::View<float***, Memory>;
  const auto matrices = [&](std::size_t at, int h, int w) {
    return Far(memory.data() + at, Kokkos::LayoutStride(3, stride, h, w, w, 1));
  };
  const Far left = matrices(0, 9, 8), right = matrices(100, 9, 8),
            out = matrices(300, 17, 15);
  const Near near_left("left", 3, 9, 8), near_right("right", 3, 9, 8),
      near_out("out", 3, 17, 15);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t r = 0; r < 9; ++r)
      for (std::size_t c = 0; c < 8; ++c) {
        left(i, r, c) = near_left(i, r, c) = float((i + 3 * r + 5 * c) % 11);
        right(i, r, c) = near_right(i, r, c) = float((i + r * c) % 13);
      }
  cross_correlate(left, right, out);
  cross_correlate(near_left, near_right, near_out);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t r = 0; r < 17; ++r)
      for (std::size_t c = 0; c < 15; ++c)
        CHECK(out(i, r, c) == near_out(i, r, c));
}

TEST_CASE("a team sums an overlap of 2.2e9 elements", "[large]") {
  // a row stands for all
  const std::size_t n = 46500;
  const Kokkos::View<float*, Memory> row("row", n);
  for (std::size_t x = 0; x < n; x += 100) row(x) = float(x / 100 % 2);
  const Unmanaged<float**, Kokkos::LayoutStride> all(
      row.data(), Kokkos::LayoutStride(n, 0, n, 1));
  const Kokkos::View<double**, Memory> out("out", 1, 1);
  CorrelateOptions options;
  options.mode      = CorrelateMode::valid;
  options.algorithm = CorrelateAlgorithm::team_per_shift;
  cross_correlate(all, all, out, options);
  CHECK(out(0, 0) == double(n) * 232);
}

}  // namespace LargeSizes
