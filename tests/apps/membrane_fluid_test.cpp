// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Membrane_FluidSolver.hpp"

#include <algorithm>
#include <cmath>

using namespace MembraneApp;

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

template <class View>
auto on_host(const View& a) {
  auto host = Kokkos::create_mirror_view(a);
  Kokkos::deep_copy(host, a);
  return host;
}

double irregular(int i, int j, int n) {
  return std::sin(1. + 3 * i + 0.7 * j * j) + 0.1 * std::cos(i * j + n);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("membrane: transforms agree with the basis",
                        "[membrane]", Sporos::Test::Spaces) {
  using Exec  = TestType;
  const int n = GENERATE(16, 37);
  const Exec exec;
  const Matrix<Exec> in[2]  = {matrix_of<Exec>(n, irregular),
                               matrix_of<Exec>(n, [](int i, int j, int k) {
                                return irregular(j + 2, i, k);
                              })};
  const auto field          = [n] { return Matrix<Exec>("test::field", n, n); };
  const Matrix<Exec> out[2] = {field(), field()}, same[2] = {field(), field()};
  const auto check = [&](const auto& transform) {
    transform.to_coefficients(exec, in, out);
    transform.to_values(exec, out, same);
    exec.fence();
    for (int d = 0; d < 2; ++d) {
      const auto f = on_host(in[d]), c = on_host(out[d]), g = on_host(same[d]);
      double worst = 0, wrong = 0;
      for (int p = 0; p < n; ++p)
        for (int q = 0; q < n; ++q) {
          double sum = 0;
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              sum +=
                  basis_function(n, p, i) * f(i, j) * basis_function(n, q, j);
          // lengths of FFTW's functions
          const auto single = [n](int m) { return m == 0 || 2 * m == n; };
          const double length =
              std::sqrt((single(p) ? 1. : .5) * (single(q) ? 1. : .5) /
                        transform.scale());
          worst = std::max(
              worst,
              std::abs(c(p, q) - sum * (transform.scale() < 1 ? length : 1)));
          wrong =
              std::max(wrong, std::abs(transform.scale() * g(p, q) - f(p, q)));
        }
      CHECK(worst < 1e-11);
      CHECK(wrong < 1e-12);
    }
  };
  check(ProductTransform<Exec>(exec, n));
  check(WaveTransform<Exec>(exec, n));
}

TEMPLATE_LIST_TEST_CASE("membrane: the basis turns differences into rotations",
                        "[membrane]", Sporos::Test::Spaces) {
  using Exec     = TestType;
  const int n    = GENERATE(16, 17);
  const double h = 0.3;
  const SpectralBasis<Exec> basis(Exec(), n, h);
  const auto q = [n](int j, int m) { return basis_function(n, m, j); };
  const auto e = on_host(basis.even), o = on_host(basis.odd);
  const auto l = on_host(basis.eigenvalue);
  for (int m = 0; m < n; ++m)
    for (int k = 0; k < n; ++k) {
      // coefficients k of the differences of wave m
      double product = 0, forward = 0, second = 0;
      for (int j = 0; j < n; ++j) {
        const int next = (j + 1) % n, last = (j + n - 1) % n;
        product += q(j, k) * q(j, m);
        forward += q(j, k) * (q(next, m) - q(j, m)) / h;
        second += q(j, k) * (q(next, m) - 2 * q(j, m) + q(last, m)) / (h * h);
      }
      double expected = 0;
      if (k == m) expected += e(k);
      if (basis.partner(k) == m) expected += o(k);
      CHECK(std::abs(product - (k == m ? 1. : 0.)) < 1e-13);
      CHECK(std::abs(forward - expected) < 1e-11);
      CHECK(std::abs(second - (k == m ? l(k) : 0.)) < 1e-11);
    }
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
/// mean velocity (0.5, 0.25) for some time, decayed to a share of the start.
double vortices(int d, int i, int j, int n, double time, double share) {
  const double k = 2 * std::acos(-1.);
  const double x = k * ((i + (d == 0 ? 0. : 0.5)) / n - 0.5 * time);
  const double y = k * ((j + (d == 0 ? 0.5 : 0.)) / n - 0.25 * time);
  return d == 0 ? 0.5 - share * std::cos(x) * std::sin(y)
                : 0.25 + share * std::sin(x) * std::cos(y);
}

/// Largest error after a fifth of a time unit on n x n cells.
template <class Exec>
double drifting_vortices_error(int n) {
  const double viscosity = 0.01, dt = 0.0025, pi = std::acos(-1.);
  const int steps = 80;
  const Exec exec;
  FluidSolver<Exec> fluid(exec, n, 1. / n, viscosity, dt);
  const Matrix<Exec> force[2]    = {fluid.force().x, fluid.force().y};
  const Matrix<Exec> velocity[2] = {fluid.velocity().x, fluid.velocity().y};
  // the first step brings the fluid from rest to the start velocity; with half
  // of that in its middle the fluid decays for half of it, drifts for a quarter
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
    const auto host = on_host(velocity[d]);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        worst = std::max(
            worst, std::abs(host(i, j) -
                            vortices(d, i, j, n, (steps - 0.75) * dt, share)));
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
