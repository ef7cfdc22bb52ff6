// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_PARTICLEGRID_POINTS_HPP
#define SPOROS_BENCH_PARTICLEGRID_POINTS_HPP

/// \file ParticleGrid_Points.hpp
/// Points in the unit cube, in random order, the same on every machine.

#include <Kokkos_Core.hpp>
#include <Perf_Numbers.hpp>

#include <cmath>

namespace Bench {

using Perf::Random;

/// Back into the periodic unit interval.
inline double wrapped(double x) {
  x -= std::floor(x);
  return x < 1 ? x : 0;
}

enum class Distribution {
  uniform,   ///< in the cube
  sphere,    ///< on the surface of radius 0.35 around the centre
  clustered  ///< 16 Gaussian blobs of standard deviation 0.02 to 0.05
};

constexpr Distribution distributions[] = {
    Distribution::uniform, Distribution::sphere, Distribution::clustered};

inline const char* name(Distribution d) {
  switch (d) {
    case Distribution::uniform: return "uniform";
    case Distribution::sphere: return "sphere";
    case Distribution::clustered: return "clustered";
  }
  return "";
}

using HostPoints =
    Kokkos::View<double* [3], Kokkos::LayoutRight, Kokkos::HostSpace>;

inline void fill_uniform(const HostPoints& x, Random& random) {
  for (std::size_t i = 0; i < x.extent(0); ++i)
    for (int d = 0; d < 3; ++d) x(i, d) = random.uniform();
}

inline void fill_sphere(const HostPoints& x, Random& random) {
  const double radius = .35;
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    const double z   = random.uniform(-1, 1);
    const double phi = random.uniform(0, 2 * M_PI);
    const double r   = std::sqrt(1 - z * z);
    x(i, 0)          = .5 + radius * r * std::cos(phi);
    x(i, 1)          = .5 + radius * r * std::sin(phi);
    x(i, 2)          = .5 + radius * z;
  }
}

inline void fill_clustered(const HostPoints& x, Random& random) {
  constexpr int blobs = 16;
  double center[blobs][3], sigma[blobs];
  for (int b = 0; b < blobs; ++b) {
    for (double& c : center[b]) c = random.uniform();
    sigma[b] = random.uniform(.02, .05);
  }
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    const int b = int(blobs * random.uniform());
    for (int d = 0; d < 3; ++d)
      x(i, d) = wrapped(center[b][d] + sigma[b] * random.normal());
  }
}

inline HostPoints make_points(Distribution distribution, int n) {
  HostPoints x(Kokkos::view_alloc(Kokkos::WithoutInitializing, "bench::points"),
               n);
  Random random(2023);
  switch (distribution) {
    case Distribution::uniform: fill_uniform(x, random); break;
    case Distribution::sphere: fill_sphere(x, random); break;
    case Distribution::clustered: fill_clustered(x, random); break;
  }
  return x;
}

}  // namespace Bench

#endif
