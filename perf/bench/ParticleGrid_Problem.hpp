// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_PARTICLEGRID_PROBLEM_HPP
#define SPOROS_BENCH_PARTICLEGRID_PROBLEM_HPP

/// \file ParticleGrid_Problem.hpp
/// Points, strengths and fields of one configuration, and the matrices of the
/// sparse peers, made when they are first asked for.

#include "ParticleGrid_Matrix.hpp"
#include "ParticleGrid_Peers.hpp"
#include "ParticleGrid_Points.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace Bench {

struct Config {
  Distribution distribution;
  int cells;  ///< per side
  int points;

  bool operator==(const Config& c) const {
    return distribution == c.distribution && cells == c.cells &&
           points == c.points;
  }
  std::string name() const {
    return std::string(Bench::name(distribution)) + '/' +
           std::to_string(cells) + '/' + std::to_string(points);
  }
};

/// What is run for a row of this configuration: less where rows are tiny().
inline Config work_config(Config c) {
  if (!tiny()) return c;
  return {c.distribution, c.cells < 256 ? 8 : 16, c.points / 1000};
}

/// The points of the last configuration; many rows share them.
class PointCache {
 public:
  const HostPoints& get(Distribution distribution, int n) {
    if (int(m_points.extent(0)) != n || m_distribution != distribution) {
      m_points       = HostPoints();
      m_points       = make_points(distribution, n);
      m_distribution = distribution;
    }
    return m_points;
  }

 private:
  Distribution m_distribution = Distribution::uniform;
  HostPoints m_points;
};

/// Fills with numbers in [-1, 1).
template <class V>
void fill_random(const V& v, std::uint64_t seed) {
  Random random(seed);
  const auto on_host = Kokkos::create_mirror_view(v);
  for (std::size_t i = 0; i < on_host.span(); ++i)
    on_host.data()[i] = typename V::non_const_value_type(random.uniform(-1, 1));
  Kokkos::deep_copy(v, on_host);
}

/// A copy of v on the host.
template <class V>
auto host_copy(const V& v) {
  const Exec exec;
  auto copy = Kokkos::create_mirror_view(Kokkos::HostSpace(), v);
  Kokkos::deep_copy(exec, copy, v);
  exec.fence();
  return copy;
}

/// Points in the precision of the computation; shift moves each by up to that
/// much, as a time step would.
template <class T>
Positions<T> device_points(const HostPoints& points, double shift) {
  const Exec exec;
  const std::size_t n = points.extent(0);
  Positions<T> x(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "bench::positions"), n);
  const auto host = Kokkos::create_mirror_view(x);
  Random random(7);
  for (std::size_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d)
      host(i, d) =
          shift > 0 ? T(wrapped(points(i, d) + shift * random.uniform(-1, 1)))
                    : T(points(i, d));
  Kokkos::deep_copy(exec, x, host);
  exec.fence();
  return x;
}

/// The points after a step in which a share of them goes to a neighbour cell;
/// the others move within theirs. (They keep a little away from its faces.)
template <class T>
Positions<T> points_with_leavers(const HostPoints& points, int cells,
                                 double share) {
  const std::size_t n = points.extent(0);
  HostPoints moved("bench::with_leavers", n);
  Random random(11);
  for (std::size_t i = 0; i < n; ++i) {
    const bool leaves = random.uniform() < share;
    const int along   = int(3 * random.uniform());
    for (int d = 0; d < 3; ++d) {
      const double cell = std::floor(points(i, d) * cells);
      const double at   = cell + random.uniform(.01, .99);
      moved(i, d)       = wrapped((leaves && d == along ? at + 1 : at) / cells);
    }
  }
  return device_points<T>(moved, 0);
}

template <class T>
class Problem {
 public:
  Config config;
  Sporos::Grid<3, T> grid;
  Positions<T> positions;
  Values<T> strengths, values;
  Field<T> field;   ///< that spread writes
  Field<T> source;  ///< that interpolate reads

  Problem(const Config& c, PointCache& points)
      : config(c),
        grid({{c.cells, c.cells, c.cells}}, T(1) / T(c.cells)),
        positions(device_points<T>(points.get(c.distribution, c.points), 0)),
        strengths("bench::strengths", c.points),
        values("bench::values", c.points),
        field("bench::field", c.cells, c.cells, c.cells),
        source("bench::source", c.cells, c.cells, c.cells),
        m_points(points) {
    fill_random(strengths, 1);
    fill_random(source, 1u << 30);
  }

  /// Where the points are a time step later: half a cell away at most.
  const Positions<T>& moved() {
    if (m_moved.extent(0) == 0)
      m_moved = device_points<T>(
          m_points.get(config.distribution, config.points), .5 / config.cells);
    return m_moved;
  }

  /// The points after a step in which a share of them left their cells.
  const Positions<T>& with_leavers(double share) {
    if (m_with_leavers.extent(0) == 0 || m_share != share)
      m_with_leavers = points_with_leavers<T>(
          m_points.get(config.distribution, config.points), config.cells,
          share);
    m_share = share;
    return m_with_leavers;
  }

#ifdef SPOROS_HAVE_KOKKOSKERNELS
  const TransferMatrix<T>& matrix() {
    if (!m_matrix) {
      const double ms    = milliseconds([&] {
        m_matrix = std::make_unique<TransferMatrix<T>>(
            make_matrix<T>(positions, config.cells));
      });
      m_matrix->setup_ms = ms;
    }
    return *m_matrix;
  }

  /// The transposed matrix; its set-up includes that of the matrix.
  const TransferMatrix<T>& transpose() {
    if (!m_transpose) {
      matrix();
      const double ms       = milliseconds([&] {
        m_transpose =
            std::make_unique<TransferMatrix<T>>(make_transpose(*m_matrix));
      });
      m_transpose->setup_ms = ms + m_matrix->setup_ms;
    }
    return *m_transpose;
  }
#endif

 private:
  PointCache& m_points;
  Positions<T> m_moved, m_with_leavers;
  double m_share = 0;
#ifdef SPOROS_HAVE_KOKKOSKERNELS
  std::unique_ptr<TransferMatrix<T>> m_matrix, m_transpose;
#endif
};

/// The problem of the last row.
class ProblemCache {
 public:
  template <class T>
  Problem<T>& get(const Config& config) {
    auto& mine = slot<T>();
    if (!mine || !(mine->config == config)) {
      m_double.reset();
      m_float.reset();
      mine = std::make_unique<Problem<T>>(config, m_points);
    }
    return *mine;
  }

 private:
  template <class T>
  auto& slot() {
    if constexpr (std::is_same<T, float>::value)
      return m_float;
    else
      return m_double;
  }

  PointCache m_points;
  std::unique_ptr<Problem<double>> m_double;
  std::unique_ptr<Problem<float>> m_float;
};

}  // namespace Bench

#endif
