// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fixed cases of a transfer for perf/device_counts.sh:
//
//   transfer 64|128   a million points all over a grid of 64^3 or 128^3 cells
//   transfer vectors  a million vectors of three components, in 128^3 cells
//   transfer wide     2^15 points in 32^3 cells, a delta function of support 8
//   transfer widest   the same points, support 16
//   transfer sweeps   2^18 points in 64^3 cells, with spread by sweeps
//
// sorted by a plan, spread and interpolated (vectors and wide delta functions
// are spread alone). The results are checked by what holds for every delta
// function: spread keeps the sum, interpolate reproduces constants.

#include <Kokkos_Core.hpp>

#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <string>

namespace {

using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Points = Kokkos::View<double* [3], Memory>;
using Values = Kokkos::View<double*, Memory>;
using Field  = Kokkos::View<double***, Memory>;

int verdict(const char* name, bool right) {
  std::printf("%s: %s\n", name, right ? "right" : "WRONG");
  return right ? 0 : 1;
}

Points random_points(std::size_t n, int cells) {
  const Points points("points", n);
  const auto mirror = Kokkos::create_mirror_view(points);
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> place(0, cells);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t d = 0; d < 3; ++d) mirror(i, d) = place(generator);
  Kokkos::deep_copy(points, mirror);
  return points;
}

template <class AnyField>
double sum(const AnyField& field) {
  const auto mirror = Kokkos::create_mirror_view(field);
  Kokkos::deep_copy(mirror, field);
  double total = 0;
  for (std::size_t i = 0; i < mirror.size(); ++i) total += mirror.data()[i];
  return total;
}

bool close(double found, double expected) {
  return std::fabs(found - expected) <= 1e-10 * std::fabs(expected);
}

template <class Plan>
int spread_vectors(const Plan& plan, int cells) {
  const Kokkos::View<double* [3], Memory> strengths("strengths", plan.size());
  const Kokkos::View<double*** [3], Memory> field("field", cells, cells, cells);
  Kokkos::deep_copy(strengths, 1.);
  Sporos::spread(Exec{}, plan, strengths, field);
  Kokkos::fence();
  return verdict("spread of vectors",
                 close(sum(field), 3. * double(plan.size())));
}

template <int Support>
int spread_wide() {
  const int cells     = 32;
  const std::size_t n = 1 << 15;
  const Sporos::ParticleGridPlan<Exec, 3, double, Sporos::BSpline<Support>>
      plan(Exec{}, Sporos::Grid<3, double>({cells, cells, cells}, 1.),
           Sporos::BSpline<Support>{}, random_points(n, cells));
  const Values strengths("strengths", n);
  const Field field("field", cells, cells, cells);
  Kokkos::deep_copy(strengths, 1.);
  Sporos::SpreadOptions options;
  for (const auto algorithm : {Sporos::SpreadAlgorithm::tiled,
                               Sporos::SpreadAlgorithm::sweep_buffered}) {
    options.algorithm = algorithm;
    Sporos::spread(Exec{}, plan, strengths, field, options);
  }
  Kokkos::fence();
  return verdict("spread of a wide delta function",
                 close(sum(field), 2. * double(n)));
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::string name = argc > 1 ? argv[1] : "64";
  if (name == "wide") return spread_wide<8>();
  if (name == "widest") return spread_wide<16>();
  const bool sweeps   = name == "sweeps";
  const bool vectors  = name == "vectors";
  const int cells     = sweeps ? 64 : vectors ? 128 : std::stoi(name);
  const std::size_t n = sweeps ? 1 << 18 : 1000000;
  const Points points = random_points(n, cells);
  const Sporos::Grid<3, double> grid({cells, cells, cells}, 1.);
  const Sporos::ParticleGridPlan<Exec, 3, double, Sporos::Cosine4> plan(
      Exec{}, grid, Sporos::Cosine4{}, points);
  if (vectors) return spread_vectors(plan, cells);
  const Values strengths("strengths", n), values("values", n);
  const Field field("field", cells, cells, cells);

  Kokkos::deep_copy(strengths, 1.);
  int wrong         = 0;
  const auto spread = [&](const char* name, Sporos::SpreadAlgorithm algorithm) {
    Sporos::SpreadOptions options;
    options.algorithm = algorithm;
    Kokkos::deep_copy(field, 0.);
    Sporos::spread(Exec{}, plan, strengths, field, options);
    Kokkos::fence();
    wrong += verdict(name, close(sum(field), double(n)));
  };
  spread("spread by tiles", Sporos::SpreadAlgorithm::tiled);
  if (sweeps) {
    spread("spread by sweeps", Sporos::SpreadAlgorithm::sweep);
    spread("spread by buffered sweeps",
           Sporos::SpreadAlgorithm::sweep_buffered);
  }

  spread("spread by atomics", Sporos::SpreadAlgorithm::atomic);

  Kokkos::deep_copy(field, 3.);
  const auto interpolate = [&](const char* name,
                               Sporos::InterpolateAlgorithm algorithm) {
    Sporos::InterpolateOptions options;
    options.algorithm = algorithm;
    Sporos::interpolate(Exec{}, plan, field, values, options);
    Kokkos::fence();
    const auto mirror = Kokkos::create_mirror_view(values);
    Kokkos::deep_copy(mirror, values);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) right = right && close(mirror(i), 3.);
    wrong += verdict(name, right);
  };
  interpolate("interpolate by tiles", Sporos::InterpolateAlgorithm::tiled);
  interpolate("interpolate sorted", Sporos::InterpolateAlgorithm::sorted);
  return wrong;
}
