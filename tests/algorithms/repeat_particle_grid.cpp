// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints hashes of what spread and interpolate compute: the same with any
// number of threads.

#include "Sporos_Hash.hpp"
#include "Sporos_SlowRun.hpp"

#include <Sporos_ParticleGridGradient.hpp>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Sporos;
using Exec = Kokkos::DefaultExecutionSpace;

template <class Real, class Delta>
void run(const std::string& name, const std::string& kind, int cells, int n,
         const Delta& delta) {
  const Exec exec;
  const Grid<3, Real> grid({cells, cells - 3, cells + 5}, Real(1) / cells);
  const Kokkos::View<Real**, Exec> x("x", n, 3), vectors("vectors", n, 2);
  const auto hx = Kokkos::create_mirror_view(x);
  const auto hv = Kokkos::create_mirror_view(vectors);
  std::mt19937 generator(11);
  std::uniform_real_distribution<Real> uniform(0, 1);
  std::normal_distribution<Real> normal;
  for (int i = 0; i < n; ++i) {
    for (int d = 0; d < 3; ++d)
      hx(i, d) = kind == "uniform" ? uniform(generator)
                                   : Real(.5) + Real(.03) * normal(generator);
    for (int c = 0; c < 2; ++c) hv(i, c) = uniform(generator) - Real(.5);
  }
  Kokkos::deep_copy(x, hx);
  Kokkos::deep_copy(vectors, hv);
  const ParticleGridPlan<Exec, 3, Real, Delta> plan(exec, grid, delta, x);
  const std::string prefix = name + ' ' + kind + ' ';
  const Kokkos::View<Real****, Exec> field("field", cells, cells - 3, cells + 5,
                                           2);
  const Kokkos::View<Real**, Exec> values("values", n, 2);

  using A = SpreadAlgorithm;
  for (const auto& a :
       {std::make_pair("serial", A::serial), std::make_pair("sweep", A::sweep),
        std::make_pair("sweep_buffered", A::sweep_buffered),
        std::make_pair("on_the_fly", A::sweep_buffered_on_the_fly),
        std::make_pair("tiled", A::tiled),
        std::make_pair("replicated", A::replicated),
        std::make_pair("automatic", A::automatic)}) {
    if (a.second == A::replicated && !Impl::is_host_space_v<Exec>) continue;
    for (const double g : {0., .5}) {
      Kokkos::deep_copy(field, Real(0));
      SpreadOptions options;
      options.algorithm  = a.second;
      options.staggering = Staggering{{g, g, 0.}};
      spread(plan, vectors, field, options);
      Test::print_hash(
          prefix + "spread " + a.first + (g > 0. ? " shifted" : ""),
          Test::hash(field));
    }
  }
  using B = InterpolateAlgorithm;
  for (const auto& b :
       {std::make_pair("serial", B::serial),
        std::make_pair("sorted", B::sorted), std::make_pair("tiled", B::tiled),
        std::make_pair("unsorted", B::unsorted),
        std::make_pair("automatic", B::automatic)}) {
    if (b.second == B::unsorted && !Impl::is_host_space_v<Exec>) continue;
    InterpolateOptions options;
    options.algorithm = b.second;
    interpolate(plan, field, values, options);
    Test::print_hash(prefix + "interpolate " + b.first, Test::hash(values));
  }
  const auto one =
      Kokkos::subview(field, Kokkos::ALL(), Kokkos::ALL(), Kokkos::ALL(), 0);
  const Kokkos::View<Real**, Exec> gradients("gradients", n, 3);
  interpolate_gradient(plan, one, gradients);
  Test::print_hash(prefix + "interpolate_gradient", Test::hash(gradients));
  spread_dipoles(plan, gradients, one);
  Test::print_hash(prefix + "spread_dipoles", Test::hash(field));
  interpolate(exec, grid, delta, x, field, values);
  Test::print_hash(prefix + "interpolate without a plan", Test::hash(values));
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Test::print_threads(Exec());
  const int part = Test::slow_run ? 10 : 1;
  for (const char* kind : {"uniform", "clustered"}) {
    run<double>("cosine4", kind, 32, 60000 / part, Cosine4{});
    if (!Test::slow_run) run<double>("cosine4", kind, 96, 60000, Cosine4{});
    run<float>("roma3", kind, 27, 40000 / part, Roma3{});
    run<double>("bspline10", kind, 27, 6000 / part, BSpline<10>{});
  }
}
