// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Membrane_FluidSolver.hpp"

#include <algorithm>
#include <cmath>

using namespace MembraneApp;
using Sporos::Test::host_copy;

namespace {

template <class Exec>
Matrix<Exec> matrix_of(int n, double (*value)(int i, int j, int n)) {
  Matrix<Exec> a("test::matrix", n, n);
  auto host = Kokkos::create_mirror_view(a);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) host(i, j) = value(i, j, n);
  Kokkos::deep_copy(a, host);
  return a;
}

double irregular(int i, int j, int n) {
  return std::sin(1. + 3 * i + 0.7 * j * j) + 0.1 * std::cos(i * j + n);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("membrane: waves are those of the Laplacian",
                        "[membrane]", Sporos::Test::Spaces) {
  using Exec     = TestType;
  const int n    = GENERATE(16, 37);
  const double h = 0.3;
  const Exec exec;
  const auto field   = [n] { return Matrix<Exec>("test::field", n, n); };
  const auto values  = matrix_of<Exec>(n, irregular);
  const auto laplace = matrix_of<Exec>(n, [](int i, int j, int k) {
    return irregular((i + 1) % k, j, k) + irregular((i + k - 1) % k, j, k) +
           irregular(i, (j + 1) % k, k) + irregular(i, (j + k - 1) % k, k) -
           4 * irregular(i, j, k);
  });
  const auto check   = [&](const auto& transform) {
    const auto waves = transform.waves(), expected = transform.waves();
    transform.to_waves(exec, values, waves);
    transform.to_waves(exec, laplace, expected);
    const auto factors = transform.laplacian(exec, h);
    exec.fence();
    const auto w = host_copy(waves), e = host_copy(expected);
    const auto r = host_copy(factors.rows), c = host_copy(factors.columns);
    double wrong = 0;
    for (size_t i = 0; i < w.extent(0); ++i)
      for (size_t j = 0; j < w.extent(1); ++j)
        wrong = Sporos::Test::larger_error(
              wrong, std::abs(h * h * (r(i) + c(j)) * w(i, j) - e(i, j)));
    CHECK(wrong < 1e-11);
    const auto same = field();
    transform.to_values(exec, waves, same);
    exec.fence();
    const auto f = host_copy(values), g = host_copy(same);
    double lost = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        lost = Sporos::Test::larger_error(
              lost, std::abs(transform.scale() * g(i, j) - f(i, j)));
    CHECK(lost < 1e-12);
  };
  check(ProductTransform<Exec>(exec, n));
  check(WaveTransform<Exec>(exec, n));
}

TEMPLATE_LIST_TEST_CASE("membrane: a shear flow decays as the theory says",
                        "[membrane]", Sporos::Test::Spaces) {
  using Exec  = TestType;
  const int n = 32, steps = 40;
  const double h = 1. / n, viscosity = 0.05, dt = 0.005;
  const double pi = std::acos(-1.);
  const Exec exec;
  FluidSolver<Exec> fluid(exec, n, h, viscosity, dt);
  // a force that acts in the first step only
  Kokkos::deep_copy(fluid.force().x,
                    matrix_of<Exec>(n, [](int, int j, int size) {
                      return std::sin(2 * std::acos(-1.) * (j + 0.5) / size);
                    }));
  fluid.advance_to_middle(exec);
  fluid.advance(exec);
  const double after_one = max_abs(exec, fluid.velocity().x);
  Kokkos::deep_copy(fluid.force().x, 0.);
  for (int k = 1; k < steps; ++k) {
    fluid.advance_to_middle(exec);
    fluid.advance(exec);
  }
  const double rate    = viscosity * 4 * pi * pi;
  const double decayed = std::exp(-rate * dt * (steps - 1));
  CHECK(after_one == Approx(dt).epsilon(0.02));
  CHECK(max_abs(exec, fluid.velocity().x) / after_one ==
        Approx(decayed).epsilon(0.01));
  CHECK(max_abs(exec, fluid.velocity().y) < 1e-15);
}

TEMPLATE_LIST_TEST_CASE(
    "membrane: any force leaves the fluid free of divergence", "[membrane]",
    Sporos::Test::Spaces) {
  using Exec  = TestType;
  const int n = 24;
  const Exec exec;
  FluidSolver<Exec> fluid(exec, n, 1. / n, 0.1, 0.01);
  Kokkos::deep_copy(fluid.force().x, matrix_of<Exec>(n, irregular));
  Kokkos::deep_copy(fluid.force().y,
                    matrix_of<Exec>(n, [](int i, int j, int k) {
                      return irregular(2 * j, i + 1, k);
                    }));
  for (int k = 0; k < 3; ++k) {
    fluid.advance_to_middle(exec);
    fluid.advance(exec);
  }
  Matrix<Exec> div("test::div", n, n);
  divergence(exec, 1. / n, fluid.velocity(), div);
  const double speed = max_abs(exec, fluid.velocity().x);
  CHECK(speed > 1e-4);
  CHECK(max_abs(exec, div) < 1e-12 * speed * n);
  divergence(exec, 1. / n, fluid.middle(), div);
  CHECK(max_abs(exec, div) < 1e-12 * speed * n);
}

namespace {

/// Taylor-Green vortices: component d at face (i, j) after a drift with the
/// mean velocity (0.5, 0.25) for some time, decayed to a share of the start,
/// without the mean.
double vortices(int d, int i, int j, int n, double time, double share) {
  const double k = 2 * std::acos(-1.);
  const double x = k * ((i + (d == 0 ? 0. : 0.5)) / n - 0.5 * time);
  const double y = k * ((j + (d == 0 ? 0.5 : 0.)) / n - 0.25 * time);
  return d == 0 ? -share * std::cos(x) * std::sin(y)
                : share * std::sin(x) * std::cos(y);
}

/// Largest error after a fifth of a time unit on n x n cells.
template <class Exec>
double drifting_vortices_error(int n) {
  const double viscosity = 0.01, dt = 0.0025, pi = std::acos(-1.);
  const int steps = 80;
  const Exec exec;
  const double mean[2] = {0.5, 0.25};
  FluidSolver<Exec> fluid(exec, n, 1. / n, viscosity, dt, mean[0], mean[1]);
  const Matrix<Exec> force[2]    = {fluid.force().x, fluid.force().y};
  const Matrix<Exec> velocity[2] = {fluid.velocity().x, fluid.velocity().y};
  // the first step makes the vortices; with half of them in its middle they
  // decay and drift for half of it
  for (int d = 0; d < 2; ++d) {
    const auto host = Kokkos::create_mirror_view(force[d]);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) host(i, j) = vortices(d, i, j, n, 0, 1) / dt;
    Kokkos::deep_copy(force[d], host);
  }
  for (int k = 0; k < steps; ++k) {
    fluid.advance_to_middle(exec);
    fluid.advance(exec);
    for (int d = 0; d < 2; ++d) Kokkos::deep_copy(force[d], 0.);
  }
  const double share = std::exp(-8 * viscosity * pi * pi * (steps - 0.5) * dt);
  double worst       = 0;
  for (int d = 0; d < 2; ++d) {
    const auto host = host_copy(velocity[d]);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        worst = Sporos::Test::larger_error(
            worst, std::abs(host(i, j) - mean[d] -
                            vortices(d, i, j, n, (steps - 0.5) * dt, share)));
  }
  return worst;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("membrane: vortices drift and decay, second order",
                        "[membrane]", Sporos::Test::Spaces) {
  using Exec                = TestType;
  const double coarse_error = drifting_vortices_error<Exec>(16);
  const double middle_error = drifting_vortices_error<Exec>(32);
  const double fine_error   = drifting_vortices_error<Exec>(64);
  CAPTURE(coarse_error, middle_error, fine_error);
  CHECK(fine_error < 0.005);
  CHECK(std::log2(coarse_error / middle_error) > 1.8);
  CHECK(std::log2(middle_error / fine_error) > 1.8);
}
