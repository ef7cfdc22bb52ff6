// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Particle-grid transfer as plain serial sums over all points, with bounds of
/// what rounding may change.

#ifndef SPOROS_PLAINTRANSFER_HPP
#define SPOROS_PLAINTRANSFER_HPP

#include <Sporos_ParticleGridGradient.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Test {

/// A sum, and how far a correct one may be from it.
struct Judged {
  double value = 0, within = 0;
  void add(double term, double doubt) {
    value += term;
    within += doubt;
  }
};

/// Weights of a point along one direction, at the support and one grid point
/// more at both ends.
template <class Delta>
struct PlainWeights {
  static constexpr int n = Delta::support + 2;
  bool inside = true, doubtful = false;
  double doubt = 0;  ///< of each weight
  std::array<double, n> weight{};
  std::array<int, n> index{};  ///< of grid points; -1: none
};

/// Transfer on the whole grid at staggering g, by a plan for staggering
/// `sorted`, which decides what points beyond walls take part. derived: the
/// direction in which weights are derivatives; -1: none
template <int Dim, class Real, class Delta>
class PlainTransfer {
  using Grid_   = Grid<Dim, Real>;
  using Weights = PlainWeights<Delta>;

 public:
  PlainTransfer(const Grid_& grid, const Staggering& g,
                const Staggering& sorted, std::size_t points, int derived = -1)
      : m_grid(grid),
        m_g(g),
        m_sorted(sorted),
        m_derived(derived),
        m_rounding(double(std::numeric_limits<Real>::epsilon()) *
                   double(points + 16)),
        m_before(double(std::numeric_limits<Real>::epsilon()) *
                 (16 + 4 * std::sqrt(double(points)))) {}

  /// Rounding of a value to which one point after another may be added.
  double rounding_of(double before) const {
    return std::fabs(before) * m_before;
  }

  std::size_t size() const {
    std::size_t n = 1;
    for (int d = 0; d < Dim; ++d) n *= std::size_t(m_grid.points(d, m_g[d]));
    return n;
  }

  /// Adds a point to a field of size() sums, direction 0 slowest.
  void spread(const Real* x, double strength,
              std::vector<Judged>& field) const {
    const double each = strength / double(m_grid.cell_volume());
    for_each(x, [&](std::size_t at, double weight, double doubt) {
      field[at].add(each * weight, std::fabs(each) * doubt);
    });
  }
  /// Reads field(place) at a point.
  template <class Field>
  Judged interpolate(const Real* x, const Field& field) const {
    Judged sum;
    for_each(x, [&](std::size_t at, double weight, double doubt) {
      const double f = field(at);
      sum.add(f * weight, std::fabs(f) * doubt);
    });
    return sum;
  }

 private:
  /// f(place, weight, how far it may be wrong)
  template <class F>
  void for_each(const Real* x, const F& f) const {
    std::array<Weights, 3> w;
    bool inside = true, doubtful = false;
    for (int d = 0; d < 3; ++d) {
      if (d < Dim)
        w[std::size_t(d)] = weights(d, double(x[d]));
      else
        w[std::size_t(d)].index.fill(-1);
      inside   = inside && w[std::size_t(d)].inside;
      doubtful = doubtful || w[std::size_t(d)].doubtful;
    }
    if (!inside && !doubtful) return;
    std::array<int, 3> k{};
    for (k[0] = 0; k[0] < Weights::n; ++k[0])
      for (k[1] = 0; k[1] < (Dim > 1 ? Weights::n : 1); ++k[1])
        for (k[2] = 0; k[2] < (Dim > 2 ? Weights::n : 1); ++k[2]) {
          std::size_t at = 0;
          double product = 1, most = 1;
          bool there = true;
          for (int d = 0; d < Dim; ++d) {
            const Weights& along = w[std::size_t(d)];
            const auto kd        = std::size_t(k[std::size_t(d)]);
            there                = there && along.index[kd] >= 0;
            at                   = at * std::size_t(m_grid.points(d, m_g[d])) +
                 std::size_t(along.index[kd]);
            product *= along.weight[kd];
            most *= std::fabs(along.weight[kd]) + along.doubt;
          }
          if (!there) continue;
          const double size = std::fabs(product);
          f(at, inside ? product : 0,
            doubtful ? most : most - size + m_rounding * size);
        }
  }

  Weights weights(int d, double x) const {
    constexpr int s       = Delta::support;
    constexpr double half = s % 2 ? .5 : 0.;
    const int n = m_grid.cells(d), points = m_grid.points(d, m_g[d]);
    const double from = double(m_grid.origin(d)), h = double(m_grid.spacing(d));
    const double place = (x - from) / h - m_g[d] + half;
    const double low   = std::floor(place);
    double own[s];
    const Delta delta{};
    const double rounding = 16 * double(std::numeric_limits<Real>::epsilon()) *
                            (std::fabs(place) + std::fabs(from / h) + 2);
    Weights w;
    w.doubt = rounding;
    // the slopes of hats jump
    const bool kink =
        s == 2 && std::fabs(place - std::round(place)) <= rounding;
    double scale = 1;
    if (d != m_derived) {
      Impl::scalar_weights(delta, 0, d, place - low - half, own);
    } else {
      Impl::scalar_weights(Impl::DerivativesOf<Delta>{delta}, 0, d,
                           place - low - half, own);
      scale   = 1 / h;
      w.doubt = scale * (kink ? 2 : 8 * rounding);
    }
    const bool wall = m_grid.boundary(d) == Boundary::wall;
    if (wall) {
      const double cell = place + m_g[d] - m_sorted[d];
      w.inside          = cell >= -1 && cell < n + 1;
      w.doubtful        = std::fabs(cell + 1) < rounding ||
                   std::fabs(cell - (n + 1)) < rounding;
    }
    const long long first = (long long)(low) - (s - 1) / 2 - 1;
    for (int k = 0; k < Weights::n; ++k) {
      const auto at = std::size_t(k);
      w.weight[at]  = k > 0 && k <= s ? scale * own[k - 1] : 0;
      long long i   = first + k;
      if (!wall) i = (i % n + n) % n;
      w.index[at] = i >= 0 && i < points ? int(i) : -1;
    }
    return w;
  }

  Grid_ m_grid;
  Staggering m_g, m_sorted;
  int m_derived;
  double m_rounding, m_before;
};

}  // namespace Test
}  // namespace Sporos

#endif
