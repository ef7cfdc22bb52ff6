// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_PARTICLEGRID_PEERS_HPP
#define SPOROS_BENCH_PARTICLEGRID_PEERS_HPP

/// \file ParticleGrid_Peers.hpp
/// What a Kokkos user would write by hand: a plain loop, and a loop over points
/// with Kokkos::Experimental::ScatterView. Periodic, 3D, nodes, cosine4. All
/// compute weights once per direction and point, by the standard library's sine
/// and cosine (one call for both where the compiler finds that).

#include "Bench_Measure.hpp"

#include <Kokkos_ScatterView.hpp>

#include <cmath>
#include <type_traits>

namespace Bench {

template <class T>
using Positions = Kokkos::View<T* [3], Exec>;
template <class T>
using Values = Kokkos::View<T*, Exec>;
template <class T>
using Field = Kokkos::View<T***, Exec>;
/// Where the plain loop runs and results are compared.
template <class T>
using HostField = Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace>;
template <class T>
using HostValues = Kokkos::View<T*, Kokkos::HostSpace>;

/// (1 + cos(pi (k - 1 - r) / 2)) / 4, k = 0..3
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void cosine_weights(T r, T* w) {
  using std::cos;
  using std::sin;
  const T angle = T(1.57079632679489661923) * r;
  const T s = T(.25) * sin(angle), c = T(.25) * cos(angle);
  w[0] = T(.25) - s;
  w[1] = T(.25) + c;
  w[2] = T(.25) + s;
  w[3] = T(.25) - c;
}

/// Grid points and weights of one interface point.
template <class T>
struct Stencil {
  int index[3][4];
  T weight[3][4];

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Stencil(const X& x, int i, int cells) {
    for (int d = 0; d < 3; ++d) {
      const T scaled = x(i, d) * T(cells);
      const int cell = int(scaled);  // positions are not negative
      cosine_weights(scaled - T(cell), weight[d]);
      for (int k = 0; k < 4; ++k) {
        const int j = cell + k - 1;
        index[d][k] = j < 0 ? j + cells : j >= cells ? j - cells : j;
      }
    }
  }
};

/// Adds to field.
template <class T, class X>
void plain_spread(const X& x, const HostValues<const T>& strengths,
                  const HostField<T>& field) {
  const int cells = int(field.extent(0)), n = int(x.extent(0));
  const T factor = T(cells) * T(cells) * T(cells);
  for (int i = 0; i < n; ++i) {
    const Stencil<T> s(x, i, cells);
    const T strength = factor * strengths(i);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const T w = strength * s.weight[0][a] * s.weight[1][b];
        T* row    = &field(s.index[0][a], s.index[1][b], 0);
        for (int c = 0; c < 4; ++c) row[s.index[2][c]] += w * s.weight[2][c];
      }
  }
}

template <class T, class X>
void plain_interpolate(const X& x, const HostField<const T>& field,
                       const HostValues<T>& values) {
  const int cells = int(field.extent(0)), n = int(x.extent(0));
  for (int i = 0; i < n; ++i) {
    const Stencil<T> s(x, i, cells);
    T sum = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const T* row = &field(s.index[0][a], s.index[1][b], 0);
        T line       = 0;
        for (int c = 0; c < 4; ++c) line += s.weight[2][c] * row[s.index[2][c]];
        sum += s.weight[0][a] * s.weight[1][b] * line;
      }
    values(i) = sum;
  }
}

template <class T, class Duplication, class Contribution>
struct ScatterSpread {
  using Scatter =
      Kokkos::Experimental::ScatterView<T***, typename Exec::array_layout, Exec,
                                        Kokkos::Experimental::ScatterSum,
                                        Duplication, Contribution>;
  static constexpr bool duplicated =
      std::is_same<Duplication, Kokkos::Experimental::ScatterDuplicated>::value;

  Positions<const T> positions;
  Values<const T> strengths;
  int cells;
  T factor;
  Scatter scatter;

  KOKKOS_FUNCTION void operator()(int i) const {
    // contiguous direction of the field innermost
    constexpr bool right =
        std::is_same<typename Exec::array_layout, Kokkos::LayoutRight>::value;
    constexpr int first = right ? 0 : 2, last = 2 - first;
    const Stencil<T> s(positions, i, cells);
    const T strength = factor * strengths(i);
    auto access      = scatter.access();
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const T w = strength * s.weight[first][a] * s.weight[1][b];
        for (int c = 0; c < 4; ++c)
          access(s.index[0][right ? a : c], s.index[1][b],
                 s.index[2][right ? c : a]) += w * s.weight[last][c];
      }
  }
};

/// Zeroing (reset) and the sum over the duplicates (contribute) are part of a
/// run: they happen in every time step of a user. Without duplicates the
/// ScatterView is the field itself, so that its reset zeroes the field.
template <class T, class Duplication, class Contribution>
Work scatterview_work(const Positions<T>& positions, const Values<T>& strengths,
                      const Field<T>& field) {
  using Functor   = ScatterSpread<T, Duplication, Contribution>;
  const int cells = int(field.extent(0)), n = int(positions.extent(0));
  const T factor = T(cells) * T(cells) * T(cells);
  typename Functor::Scatter scatter;
  Work work;
  work.setup_ms =
      milliseconds([&] { scatter = typename Functor::Scatter(field); });
  const Functor functor{positions, strengths, cells, factor, scatter};
  work.run = [=]() mutable {
    const Exec exec;
    if (Functor::duplicated) Kokkos::deep_copy(exec, field, T(0));
    scatter.reset(exec);
    Kokkos::parallel_for("Sporos::bench::scatterview",
                         Kokkos::RangePolicy<Exec>(exec, 0, n), functor);
    scatter.contribute_into(exec, field);
    exec.fence();
  };
  return work;
}

}  // namespace Bench

#endif
