// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random loops through all indices of a map.

#ifndef SPOROS_LOOPFAMILY_HPP
#define SPOROS_LOOPFAMILY_HPP

#include "Sporos_RandomLoop.hpp"

namespace Sporos {
namespace Test {

/// k / 8, or the integer k.
template <class T, class Real>
KOKKOS_FUNCTION Real eighths(int k) {
  if constexpr (std::is_integral_v<T>)
    return Real(T(k));
  else
    return Real(T(k) / T(8));
}

// P and Q are N and M, or dynamic_components.

/// Reads and increments through a map, writes directly, reduces.
template <class T, int A, int N, int M>
struct ExchangeAll {
  using value_type = T;
  template <class Real, int P, int Q>
  KOKKOS_FUNCTION void operator()(Read<Real, P, A> x, Read<Real, 1> w,
                                  Inc<Real, Q, A> y, Write<Real, P> u,
                                  Reduce<Real, 2> total,
                                  Reduce<Real, 1> least) const {
    run<Real>(x, w, y, u, total, least);
  }
  template <class Real, class X, class W, class Y, class U, class S, class L>
  KOKKOS_FUNCTION static void run(X x, W w, Y y, U u, S total, L least) {
    using Sporos::min;
    Real s = w[0];
    for (int i = 0; i < A; ++i)
      for (int c = 0; c < N; ++c)
        s += eighths<T, Real>(i + 2 * c + 1) * x(i, c);
    for (int i = 0; i < A; ++i)
      for (int c = 0; c < M; ++c)
        y(i, c) += eighths<T, Real>(c + 1) * s - x(A - 1 - i, c % N);
    for (int c = 0; c < N; ++c) u[c] = s - x(0, c);
    total[0] += s;
    total[1] += w[0] * x(A - 1, N - 1);
    least[0] = min(least[0], s);
  }
};

/// Reads and increments through a map, nothing else.
template <class T, int A, int N, int M>
struct SpreadAll {
  using value_type = T;
  template <class Real, int P, int Q>
  KOKKOS_FUNCTION void operator()(Read<Real, P, A> x, Read<Real, 1> w,
                                  Inc<Real, Q, A> y) const {
    run<Real>(x, w, y);
  }
  template <class Real, class X, class W, class Y>
  KOKKOS_FUNCTION static void run(X x, W w, Y y) {
    for (int i = 0; i < A; ++i)
      for (int c = 0; c < M; ++c)
        y(i, c) += w[0] * x(A - 1 - i, c % N) + eighths<T, Real>(3 + i);
  }
};

/// Reads through a map what it does not change: halos alone.
template <class T, int A, int N>
struct PullAll {
  using value_type = T;
  template <class Real, int P>
  KOKKOS_FUNCTION void operator()(Read<Real, P, A> x,
                                  ReadWrite<Real, P> u) const {
    run<Real>(x, u);
  }
  template <class Real, class X, class U>
  KOKKOS_FUNCTION static void run(X x, U u) {
    for (int c = 0; c < N; ++c) {
      u[c] = eighths<T, Real>(3) * u[c];
      for (int i = 0; i < A; ++i) u[c] += eighths<T, Real>(i + 1) * x(i, c);
    }
  }
};

/// A random one of the maps for which f(map) holds, or -1.
template <class F>
int random_map_where(LoopChain& chain, const F& f) {
  std::vector<int> maps;
  for (std::size_t m = 0; m < chain.mesh.maps.size(); ++m)
    if (f(chain.mesh.maps[m])) maps.push_back(int(m));
  return maps.empty()
             ? -1
             : maps[chain.random.integer(std::size_t(0), maps.size() - 1)];
}

/// Loops with N components of arity A that add to M components, in layouts X
/// and Y. They return whether the mesh has a map for them.
template <class T, int A, int N, int M, class X, class Y, bool Options,
          bool Subsets>
struct LoopFamily {
  using Right = Kokkos::LayoutRight;

  static bool run(LoopChain& chain) {
    const int m = random_map_where(
        chain, [](const RandomMap& map) { return map.arity == A; });
    if (m < 0 || (!Options && chain.any_ranks)) return false;
    const RandomMap& map = chain.mesh.maps[std::size_t(m)];
    RandomCase& random   = chain.random;
    const int copy       = random.integer(0, 2);
    const DatName<T, N, X> x{map.to, copy}, u{map.from, (copy + 2) % 3};
    const DatName<T, M, Y> y{map.to, (copy + 1) % 3};
    const DatName<T, 1, Right> w{map.from, copy};
    const DatAccess<Access::read, A, DatName<T, N, X>> read_x{x, m, 0};
    const DatAccess<Access::inc, A, DatName<T, M, Y>> inc_y{y, m, 0};
    const DatAccess<Access::read, direct, DatName<T, 1, Right>> read_w{w};
    const auto some = chain.random_values<T>(3);
    switch (random.integer(0, 2)) {
      case 0:
        random_loop<Options, Subsets, ExchangeAll<T, A, N, M>>(
            chain, "exchange", map.from, read_x, read_w, inc_y,
            DatAccess<Access::write, direct, DatName<T, N, X>>{u},
            Reduced<T, 2, Impl::Reduction::sum, Options>{{some[0], some[1]}},
            Reduced<T, 1, Impl::Reduction::min, !Options>{{some[2]}});
        return true;
      case 1:
        random_loop<Options, Subsets, SpreadAll<T, A, N, M>>(
            chain, "spread", map.from, read_x, read_w, inc_y);
        return true;
      default:
        random_loop<Options, false, PullAll<T, A, N>>(
            chain, "pull", map.from, read_x,
            DatAccess<Access::rw, direct, DatName<T, N, X>>{u});
        return true;
    }
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
