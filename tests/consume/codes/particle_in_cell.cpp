// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Electrostatic particles in a periodic box: deposit charge, solve for the
// potential, gather the field, push. All of a particle is one row of one array,
// all of a grid point one entry of another; what is handed over are strided
// parts of them. The same steps are done by plain loops, to compare.
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace {

using Exec      = Kokkos::DefaultExecutionSpace;
using Particles = Kokkos::View<double**, Kokkos::LayoutRight>;
using Cells     = Kokkos::View<double***, Kokkos::LayoutRight>;

constexpr int particles = 3000, nx = 24, ny = 20, steps = 4;
constexpr double h = 0.25, dt = 0.05;

enum Of_particle { pos_x, pos_y, vel_x, vel_y, charge, acc_x, acc_y, all_p };
enum Of_cell { rho, phi, field_x, field_y, all_c };

// The shapes as in a textbook: Birdsall and Langdon's linear weighting, and the
// quadratic spline. r is the distance in units of h.
struct Linear {
  static constexpr int reach = 1;
  static double shape(double r) { return r < 1 ? 1 - r : 0; }
};
struct Quadratic {
  static constexpr int reach = 2;
  static double shape(double r) {
    if (r < 0.5) return 0.75 - r * r;
    return r < 1.5 ? 0.5 * (1.5 - r) * (1.5 - r) : 0;
  }
};

/// Two beams of some 40 clumps, the same each time.
Particles two_beams() {
  Particles p("particles", particles, all_p);
  const auto host = Kokkos::create_mirror_view(p);
  for (int i = 0; i < particles; ++i) {
    const double s  = std::sin(i * 12.9898) * 43758.5453;
    const double t  = std::sin(i * 78.233) * 12543.1234;
    host(i, pos_x)  = nx * h * ((i % 40) / 40. + 0.02 * (s - std::floor(s)));
    host(i, pos_y)  = ny * h * (t - std::floor(t));
    host(i, vel_x)  = i % 2 ? 1. : -1.;
    host(i, charge) = i % 2 ? -0.01 : 0.01 + 1e-4 * (i % 7);
  }
  Kokkos::deep_copy(p, host);
  return p;
}

int wrapped(int i, int n) { return (i % n + n) % n; }

/// Potential by sweeps of Jacobi, field by central differences. Not what this
/// is about: both codes share it.
void solve(const Exec& exec, const Cells& cells) {
  using Range = Kokkos::RangePolicy<Exec>;
  for (int sweep = 0; sweep < 20; ++sweep) {
    const int from = sweep % 2 ? field_x : phi, to = sweep % 2 ? phi : field_x;
    Kokkos::parallel_for(
        "jacobi", Range(exec, 0, nx * ny), KOKKOS_LAMBDA(int k) {
          const int i = k / ny, j = k % ny;
          const double sum =
              cells((i + 1) % nx, j, from) + cells((i + nx - 1) % nx, j, from) +
              cells(i, (j + 1) % ny, from) + cells(i, (j + ny - 1) % ny, from);
          cells(i, j, to) = 0.25 * (sum + h * h * cells(i, j, rho));
        });
  }
  Kokkos::parallel_for(
      "field", Range(exec, 0, nx * ny), KOKKOS_LAMBDA(int k) {
        const int i = k / ny, j = k % ny;
        cells(i, j, field_x) =
            (cells((i + nx - 1) % nx, j, phi) - cells((i + 1) % nx, j, phi)) /
            (2 * h);
        cells(i, j, field_y) =
            (cells(i, (j + ny - 1) % ny, phi) - cells(i, (j + 1) % ny, phi)) /
            (2 * h);
      });
}

/// Kokkos 3.4.1 cannot do that for strided views: its deep_copy of a number
/// does not compile.
template <class View>
void set_to_zero(const Exec& exec, const View& view) {
  Kokkos::parallel_for(
      "zero", Kokkos::RangePolicy<Exec>(exec, 0, nx * ny),
      KOKKOS_LAMBDA(int k) { view(k / ny, k % ny) = 0; });
}

void push(const Exec& exec, const Particles& p) {
  Kokkos::parallel_for(
      "push", Kokkos::RangePolicy<Exec>(exec, 0, particles),
      KOKKOS_LAMBDA(int i) {
        for (int d = 0; d < 2; ++d) {
          p(i, vel_x + d) += dt * p(i, charge) * p(i, acc_x + d);
          p(i, pos_x + d) += dt * p(i, vel_x + d);
        }
      });
}

template <class Delta>
void run(const Exec& exec, const Delta& delta, const Particles& p,
         const Cells& cells) {
  using Kokkos::ALL;
  // Strided parts of the arrays; those that are only read are const.
  const Kokkos::View<const double**, Kokkos::LayoutStride> positions =
      Kokkos::subview(p, ALL, std::make_pair(int(pos_x), int(pos_y) + 1));
  const Kokkos::View<const double*, Kokkos::LayoutStride> charges =
      Kokkos::subview(p, ALL, int(charge));
  const auto accelerations =
      Kokkos::subview(p, ALL, std::make_pair(int(acc_x), int(acc_y) + 1));
  const auto density = Kokkos::subview(cells, ALL, ALL, int(rho));
  const Kokkos::View<const double***, Kokkos::LayoutStride> field =
      Kokkos::subview(cells, ALL, ALL,
                      std::make_pair(int(field_x), int(field_y) + 1));

  const Sporos::Grid<2> grid({nx, ny}, h);
  Sporos::ParticleGridPlan plan(exec, grid, delta, positions);
  for (int step = 0; step < steps; ++step) {
    if (step > 0) plan.update(exec, positions);
    set_to_zero(exec, density);
    Sporos::spread(exec, plan, charges, density);
    solve(exec, cells);
    Sporos::interpolate(exec, plan, field, accelerations);
    push(exec, p);
  }
  exec.fence();
}

template <class Shape>
void run_plain(const Exec& exec, const Particles& p, const Cells& cells) {
  const auto hp = Kokkos::create_mirror_view(p);
  const auto hc = Kokkos::create_mirror_view(cells);
  // Calls f(i, x, y, weight) for all grid points around each particle.
  const auto for_all = [&](auto f) {
    for (int i = 0; i < particles; ++i) {
      const double x = hp(i, pos_x) / h, y = hp(i, pos_y) / h;
      const int cx = int(std::floor(x)), cy = int(std::floor(y));
      for (int gx = cx - Shape::reach; gx <= cx + Shape::reach; ++gx)
        for (int gy = cy - Shape::reach; gy <= cy + Shape::reach; ++gy)
          f(i, wrapped(gx, nx), wrapped(gy, ny),
            Shape::shape(std::abs(x - gx)) * Shape::shape(std::abs(y - gy)));
    }
  };
  for (int step = 0; step < steps; ++step) {
    Kokkos::deep_copy(hp, p);
    Kokkos::deep_copy(hc, cells);
    for (int x = 0; x < nx; ++x)
      for (int y = 0; y < ny; ++y) hc(x, y, rho) = 0;
    for_all([&](int i, int x, int y, double w) {
      hc(x, y, rho) += w * hp(i, charge) / (h * h);
    });
    Kokkos::deep_copy(cells, hc);
    solve(exec, cells);
    exec.fence();
    Kokkos::deep_copy(hc, cells);
    for (int i = 0; i < particles; ++i) hp(i, acc_x) = hp(i, acc_y) = 0;
    for_all([&](int i, int x, int y, double w) {
      hp(i, acc_x) += w * hc(x, y, field_x);
      hp(i, acc_y) += w * hc(x, y, field_y);
    });
    Kokkos::deep_copy(p, hp);
    push(exec, p);
    exec.fence();
  }
}

/// Largest difference over the largest value; 0 only for the same bits.
template <class View>
double difference(const View& a, const View& b) {
  const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  const auto y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
  if (std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0) return 0;
  double largest = 0, worst = 1e-300;
  for (std::size_t k = 0; k < x.size(); ++k) {
    largest = std::fmax(largest, std::abs(x.data()[k]));
    worst   = std::fmax(worst, std::abs(x.data()[k] - y.data()[k]));
    if (std::isnan(x.data()[k] - y.data()[k])) return 1;
  }
  return worst / largest;
}

template <class Shape, class Delta>
bool compare(const char* name, const Delta& delta) {
  const Exec exec{};
  Particles p[3];
  Cells c[3];
  for (int k = 0; k < 3; ++k) {
    p[k] = two_beams();
    c[k] = Cells("cells", nx, ny, all_c);
  }
  run(exec, delta, p[0], c[0]);
  run(exec, delta, p[1], c[1]);
  run_plain<Shape>(exec, p[2], c[2]);
  const double repeated = difference(p[0], p[1]) + difference(c[0], c[1]);
  const double off_p    = difference(p[0], p[2]);
  const double off_c    = difference(c[0], c[2]);
  std::printf(
      "%s: particles differ by %.1e from plain loops, cells by %.1e; "
      "a second run by %.1e\n",
      name, off_p, off_c, repeated);
  return repeated == 0 && off_p < 1e-13 && off_c < 1e-13;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const bool linear    = compare<Linear>("hat2", Sporos::Hat2{});
  const bool quadratic = compare<Quadratic>("quadratic", Sporos::BSpline<3>{});
  return linear && quadratic ? 0 : 1;
}
