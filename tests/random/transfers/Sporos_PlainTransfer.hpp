// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random grids, windows and points, and spread and interpolate on them by
/// plain serial sums in double.

#ifndef SPOROS_PLAINTRANSFER_HPP
#define SPOROS_PLAINTRANSFER_HPP

#include "Sporos_RandomDriver.hpp"

#include <Sporos_Composite.hpp>
#include <Sporos_ParticleGridGradient.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// Has a delta function jumps? (Then a point at one is a tie.)
template <class Delta, class = void>
constexpr bool jumps_v = false;
template <class Delta>
constexpr bool jumps_v<Delta, std::void_t<decltype(Delta::jumps)>> =
    Delta::jumps;
template <int Support>
constexpr bool jumps_v<ExponentialOfSemicircle<Support>, void> = true;

inline Staggering random_staggering(RandomCase& random) {
  Staggering g{{0., 0., 0.}};
  const int kind = random.integer(0, 4);
  for (int d = 0; d < 3; ++d)
    g[d] = kind == 0   ? 0.
           : kind == 1 ? .5
           : kind < 4  ? (random.chance(50) ? .5 : 0.)
                       : random.one_of({0., .05, .3, .5, .95});
  return g;
}

/// A random grid, perhaps a window of it, and the options of a plan.
template <class Real, int Dim, class Delta>
class RandomGrid {
 public:
  static constexpr int support = Delta::support;
  static constexpr double half = support % 2 ? .5 : 0.;

  Grid<Dim, Real> grid;
  std::optional<GridWindow<Dim>> window;
  PlanOptions options;

  explicit RandomGrid(RandomCase& random) {
    Kokkos::Array<int, Dim> cells{};
    Kokkos::Array<Real, Dim> h{}, origin{};
    Kokkos::Array<Boundary, Dim> boundary{};
    constexpr int most = Dim == 1 ? 1400 : Dim == 2 ? 90 : 22;
    for (int d = 0; d < Dim; ++d) {
      const int kind = random.integer(0, 3);
      cells[d]       = kind == 0   ? random.integer(1, support)
                       : kind == 1 ? random.integer(1, 3 * support)
                                   : random.integer(support, most);
      h[d]           = Real(random.real(.1, 2.));
      origin[d]      = Real(random.chance(50) ? 0. : random.real(-3., 3.));
      boundary[d]    = random.chance(60) ? Boundary::periodic : Boundary::wall;
    }
    if (Dim == 3 && random.chance(10)) cells[random.integer(0, 2)] = 70;
    grid               = Grid<Dim, Real>(cells, h, boundary, origin);
    options.staggering = random_staggering(random);
    options.contiguous =
        random.one_of({ContiguousDirection::automatic,
                       ContiguousDirection::first, ContiguousDirection::last});
    options.positions =
        random.one_of({PlanPositions::copy, PlanPositions::view});
    options.any_ranks = support <= Impl::max_tiled_support && random.chance(20);
    if (random.chance(35)) cut(random);
  }

  bool ring(int d) const { return grid.boundary(d) == Boundary::periodic; }
  /// Do fields wrap around in direction d?
  bool wraps(int d) const { return ring(d) && (!window || window->wraps[d]); }
  int points(int d, double g) const {
    return window ? window->points(grid, d, g) : grid.points(d, g);
  }
  /// The entry of the field for grid point j of the line; negative: none
  int entry(int d, int j, double g) const {
    const int n = grid.cells(d);
    if (wraps(d)) return (j % n + n) % n;
    if (window) j -= window->first[d];
    return j >= 0 && j < points(d, g) ? j : -1;
  }

  std::string text() const {
    std::ostringstream out;
    out << "support " << support << (sizeof(Real) == 4 ? ", float" : ", double")
        << ", cells";
    for (int d = 0; d < Dim; ++d)
      out << ' ' << grid.cells(d) << (ring(d) ? "" : " wall");
    if (window)
      for (int d = 0; d < Dim; ++d)
        out << ", window [" << window->first[d] << ", +" << window->cells[d]
            << (window->wraps[d] ? ") wraps" : ")");
    out << ", plan g";
    for (int d = 0; d < Dim; ++d) out << ' ' << options.staggering[d];
    out << ", contiguous " << int(options.contiguous) << ", any_ranks "
        << options.any_ranks;
    return out.str();
  }

 private:
  /// Takes a window, if the grid has one that plans accept.
  void cut(RandomCase& random) {
    GridWindow<Dim> w{};
    const int margin = Impl::window_margin(support);
    const auto cells =
        Impl::plan_cells<Kokkos::DefaultHostExecutionSpace, Dim, Real, support>(
            grid, options);
    for (int k = 0; k < Dim; ++k) {
      const int d = cells.dir[k], n = grid.cells(d);
      const bool may_wrap =
          ring(d) && (!options.any_ranks || cells.wraps_alike(k));
      const int lowest  = ring(d) ? margin - n : 0;
      const int highest = ring(d) ? 2 * n - margin : n;
      const bool fits   = highest - lowest >= support;
      if (!fits && !may_wrap) return;
      w.first[d] = 0;
      w.cells[d] = n;
      w.wraps[d] = may_wrap && (!fits || random.chance(35));
      if (w.wraps[d]) continue;
      w.cells[d] = random.integer(
          support, std::min(highest - lowest,
                            random.chance(50) ? n + support : 2 * support));
      w.first[d]            = random.integer(lowest, highest - w.cells[d]);
      w.ends_before_wall[d] = random.chance(20);
    }
    window = w;
  }
};

/// The points of a case, in cells, and their images.
template <class Real, int Dim, class Delta>
struct RandomPoints {
  using Setting = RandomGrid<Real, Dim, Delta>;
  const Setting& on;
  std::vector<Real> x;  ///< point by point
  std::vector<std::uint8_t> images;
  int cloud;
  bool has_images;

  RandomPoints(RandomCase& random, const Setting& setting)
      : on(setting),
        cloud(random.integer(0, jumps_v<Delta> ? 3 : 4)),
        has_images(setting.window && random.chance(70)) {
    for (double& c : m_center) c = random.real(-.1, 1.1);
    resize(random, random_count(random));
  }
  int size() const { return int(images.size()); }

  /// Some, many or all points move; their number may change.
  void move(RandomCase& random) {
    if (random.chance(40))
      resize(random, random.chance(50)
                         ? random_count(random)
                         : std::max(0, size() + random.integer(-9, 9)));
    const int percent = random.one_of({0, 1, 1, 5, 12, 30, 100});
    for (int i = 0; i < size(); ++i)
      if (random.chance(percent)) place(random, i);
  }

  /// Coordinate d of point i on the line of grid points, in cells.
  double cell_of(int i, int d) const {
    const double u =
        (double(x[std::size_t(i * Dim + d)]) - double(on.grid.origin(d))) /
        double(on.grid.spacing(d));
    if (!on.ring(d) || on.wraps(d)) return u;
    const double n = on.grid.cells(d);
    return u + n * (Impl::PointImages::of(images[std::size_t(i)], d) -
                    std::floor(u / n));
  }
  /// Largest distance from the lower corner, in cells.
  double farthest() const {
    double most = 1;
    for (std::size_t i = 0; i < x.size(); ++i)
      most = std::max(most, std::fabs(double(x[i])) /
                                double(on.grid.spacing(int(i % Dim))));
    return most + 30;
  }

 private:
  static int random_count(RandomCase& random) {
    const int kind   = random.integer(0, 19);
    const bool crowd = kind == 1 && (Dim < 3 || random.chance(20));
    return kind == 0   ? random.integer(0, 2)
           : crowd     ? random.integer(4000, 9500)
           : kind < 10 ? random.integer(1, 70)
                       : random.integer(50, Dim < 3 ? 900 : 400);
  }
  void resize(RandomCase& random, int n) {
    const int before = size();
    x.resize(std::size_t(n) * Dim);
    images.resize(std::size_t(n));
    for (int i = before; i < n; ++i) place(random, i);
  }
  void place(RandomCase& random, int i) {
    images[std::size_t(i)] = 0;
    for (int d = 0; d < Dim; ++d) {
      const double n = on.grid.cells(d);
      double u       = on.ring(d) && random.chance(90) ? random.real(0, n)
                       : on.ring(d) ? random.real(-2 * n, 3 * n)
                                    : random.real(-2.4, n + 2.4);
      if (cloud == 1 && random.chance(85))
        u = m_center[d] * n + random.real(-.8, .8);
      if (cloud == 2) u = std::floor(m_center[d] * n) + random.real(.05, .95);
      if (cloud == 3) u = (random.chance(50) ? n : 0.) + random.real(-1.6, 1.6);
      if (cloud == 4) u = std::floor(u) + random.one_of({0., .5, 0.});
      while (is_tie(u, d)) u += .0071;
      x[std::size_t(i * Dim + d)] =
          Real(double(on.grid.origin(d)) + u * double(on.grid.spacing(d)));
      if (has_images && on.ring(d) && !on.wraps(d))
        images[std::size_t(i)] =
            std::uint8_t(images[std::size_t(i)] |
                         Impl::PointImages::bits(random.integer(-1, 1), d));
    }
  }
  /// May rounding decide on the image, on whether a point lies too far beyond
  /// a wall, or on which side of a jump it lies?
  bool is_tie(double u, int d) const {
    const double n   = on.grid.cells(d);
    const auto is_at = [](double value, double place) {
      return std::fabs(value - place) < 2e-3;
    };
    if (on.ring(d) && !on.wraps(d) && is_at(u, n * std::round(u / n)))
      return true;
    for (const double g : {on.options.staggering[d], 0., .05, .3, .5, .95}) {
      const double f = u - g + Setting::half;
      if (!on.ring(d) && (is_at(f, -1) || is_at(f, n + 1))) return true;
      if (jumps_v<Delta> && is_at(f, std::round(f))) return true;
    }
    return false;
  }

  std::array<double, Dim> m_center{};
};

/// All grid points near a point, with their weights and bounds of what rounding
/// may do to these.
template <class Real, int Dim, class Delta>
class PlainSums {
 public:
  using Points                 = RandomPoints<Real, Dim, Delta>;
  static constexpr int support = Delta::support;

  /// derived: the direction in which weights are derivatives; negative: none
  PlainSums(const Points& points, const Delta& delta, int derived = -1)
      : m_points(points), m_on(points.on), m_delta(delta), m_derived(derived) {}

  /// f(entry in LayoutRight, weight, bound) for the grid points of point i on
  /// fields with staggering g; `sorted_for`: decides which points count beyond
  /// walls
  template <class F>
  void visit(int i, const Staggering& g, const Staggering& sorted_for,
             const F& f) const {
    Line lines[3];
    for (int d = 0; d < Dim; ++d)
      if (!set_line(i, d, g[d], sorted_for[d], lines[d])) return;
    for (int d = Dim; d < 3; ++d) lines[d] = {{0}, {1.}, {1.}, 1, 1};
    for (int a = 0; a < lines[0].count; ++a)
      for (int b = 0; b < lines[1].count; ++b)
        for (int c = 0; c < lines[2].count; ++c)
          f((std::size_t(lines[0].entry[a]) * std::size_t(lines[1].points) +
             std::size_t(lines[1].entry[b])) *
                    std::size_t(lines[2].points) +
                std::size_t(lines[2].entry[c]),
            lines[0].weight[a] * lines[1].weight[b] * lines[2].weight[c],
            lines[0].bound[a] * lines[1].bound[b] * lines[2].bound[c]);
  }

 private:
  struct Line {
    int entry[support + 2];
    double weight[support + 2], bound[support + 2];
    int count, points;
  };

  bool set_line(int i, int d, double g, double sorted_for, Line& line) const {
    constexpr double half = RandomGrid<Real, Dim, Delta>::half;
    const double u        = m_points.cell_of(i, d);
    if (!m_on.ring(d)) {
      const double cell = std::floor(u - sorted_for + half);
      if (cell < -1 || cell > m_on.grid.cells(d)) return false;
    }
    const double cell = std::floor(u - g + half);
    double w[support];
    double share = 1, more = .02;  // of the weights, and of their bounds
    if (d == m_derived) {
      if constexpr (Impl::has_derivatives_v<Delta>)
        Impl::scalar_weights(Impl::DerivativesOf<Delta>{m_delta}, 0, d,
                             u - g - cell, w);
      share = 1 / double(m_on.grid.spacing(d));
      more  = 8;
    } else {
      Impl::scalar_weights(m_delta, 0, d, u - g - cell, w);
    }
    line.count  = 0;
    line.points = m_on.points(d, g);
    for (int k = -1; k <= support; ++k) {
      const int entry = m_on.entry(d, int(cell) + k - (support - 1) / 2, g);
      if (entry < 0) continue;
      const double weight     = k < 0 || k == support ? 0. : share * w[k];
      line.entry[line.count]  = entry;
      line.weight[line.count] = weight;
      line.bound[line.count]  = std::fabs(weight) + share * more;
      ++line.count;
    }
    return true;
  }

  const Points& m_points;
  const RandomGrid<Real, Dim, Delta>& m_on;
  Delta m_delta;
  int m_derived;
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_PLAINTRANSFER_HPP
