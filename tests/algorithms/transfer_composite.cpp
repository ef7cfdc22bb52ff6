// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Delta functions of another support in each direction.

#include "Sporos_TransferProperties.hpp"

#include <Sporos_Composite.hpp>
#include <Sporos_ParticleGridGradient.hpp>

#include <cmath>
#include <tuple>
#include <vector>

namespace TransferComposite {

using namespace Sporos;
using namespace Sporos::Test;
using Exec    = Test::LastSpace;
using Even    = Composite<BSpline<4>, BSpline<3>>;
using Configs = std::tuple<Config<Exec, double, 2, Even, Kokkos::LayoutRight>>;

SPOROS_TRANSFER_TESTS("composite", Configs)

/// Weights and slopes of a spline of Own points among All
template <int All, int Own>
void check_weights() {
  if constexpr (Own >= 2) {
    const Composite<BSpline<Own>, BSpline<All>> delta;
    const int dir[2] = {1, 0};
    auto turned      = delta;
    turned.orient(dir);
    for (int i = 0; i <= 40; ++i) {
      const double r = i / 40. - (All % 2 ? .5 : 0.) + 1e-9 * (i < 20 ? 1 : -1);
      double w[All], d[All], low[All], high[All], same[All];
      delta.scalar(0, 0, r, w);
      delta.scalar_slopes(0, r, d);
      delta.scalar(0, 0, r - 1e-6, low);
      delta.scalar(0, 0, r + 1e-6, high);
      turned.scalar(0, 1, r, same);
      INFO("support " << Own << " among " << All << ", r " << r);
      for (int k = 0; k < All; ++k) {
        REQUIRE(std::fabs(w[k] - phi(BSpline<Own>{}, k - (All - 1) / 2 - r)) <
                1e-14);
        if (Own > 2)
          REQUIRE(std::fabs(d[k] - (high[k] - low[k]) / 2e-6) < 1e-5);
        REQUIRE(same[k] == w[k]);
      }
    }
    check_weights<All, Own - 1>();
  }
}

TEST_CASE("narrow functions keep their weights among wider ones",
          "[transfer]") {
  check_weights<2, 2>();
  check_weights<6, 6>();
  check_weights<7, 7>();
}

TEST_CASE("composites have gradients", "[transfer]") {
  using Memory    = Exec::memory_space;
  constexpr int n = 300;
  const Grid<2> grid({20, 31}, {{.04, .05}});
  const Kokkos::View<double**, Memory> x("x", n, 2), field("field", 20, 31),
      gradients("gradients", n, 2);
  const Kokkos::View<double*, Memory> values("values", n);
  const auto place = [&](int direction, double by) {
    const auto host = Kokkos::create_mirror_view(x);
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < 2; ++d)
        host(i, d) =
            std::fmod(.317 * i * (d + 1), .77) + (d == direction ? by : 0.);
    Kokkos::deep_copy(x, host);
  };
  const auto numbers = Kokkos::create_mirror_view(field);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 31; ++j) numbers(i, j) = std::sin(7. * i + 3. * j);
  Kokkos::deep_copy(field, numbers);
  place(0, 0.);
  ParticleGridPlan<Exec, 2, double, Even> plan(Exec{}, grid, Even{}, x);
  interpolate_gradient(plan, field, gradients);
  const auto slopes = host_copy(gradients);
  for (int d = 0; d < 2; ++d) {
    std::vector<double> difference(n);
    for (const int sign : {-1, 1}) {
      place(d, sign * 1e-6);
      plan.update(x);
      interpolate(plan, field, values);
      const auto v = host_copy(values);
      for (int i = 0; i < n; ++i)
        difference[std::size_t(i)] += sign * v(i) / 2e-6;
    }
    for (int i = 0; i < n; ++i)
      CHECK(std::fabs(difference[std::size_t(i)] - slopes(i, d)) < 2e-2);
  }
}

}  // namespace TransferComposite
