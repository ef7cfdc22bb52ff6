// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops through one index of each of two maps, of any arity.
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

namespace Sporos {
namespace Test {
namespace {

/// From a target of one map to one of another map and to the element.
template <class T>
struct Carry {
  using value_type = T;
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> x, Inc<Real, 2> y, Inc<Real> z,
                                  Reduce<Real, 1> sum) const {
    run<Real>(x, y, z, sum);
  }
  template <class Real, class X, class Y, class Z, class S>
  KOKKOS_FUNCTION static void run(X x, Y y, Z z, S sum) {
    y[0] += eighths<T, Real>(3) * x[1];
    y[1] -= x[0];
    z[0] += x[0] * x[1];
    sum[0] += x[1];
  }
};

/// Minima and maxima at targets.
template <class T>
struct Bound {
  using value_type = T;
  KOKKOS_FUNCTION void operator()(Read<T, 1> v, Reduce<T, 1> low,
                                  Reduce<T, 2> high, Reduce<T, 1> top) const {
    run<T>(v, low, high, top);
  }
  template <class Real, class V, class Low, class High, class Top>
  KOKKOS_FUNCTION static void run(V v, Low low, High high, Top top) {
    using Sporos::max;
    using Sporos::min;
    low[0]  = min(low[0], v[0]);
    high[0] = max(high[0], v[0]);
    high[1] = max(high[1], eighths<T, Real>(5) * v[0]);
    top[0]  = max(top[0], v[0]);
  }
};

template <class T>
bool at_one_index(LoopChain& chain) {
  using R            = Kokkos::LayoutRight;
  using Two          = DatName<T, 2, R>;
  using One          = DatName<T, 1, R>;
  RandomCase& random = chain.random;
  const int m = random_map_where(chain, [](const RandomMap&) { return true; });
  if (m < 0) return false;
  const RandomMap& map = chain.mesh.maps[std::size_t(m)];
  const int m2         = random_map_where(
              chain, [&](const RandomMap& other) { return other.from == map.from; });
  const RandomMap& map2 = chain.mesh.maps[std::size_t(m2)];
  const int copy = random.integer(0, 2), other = (copy + 1) % 3;
  const int i     = random.integer(0, map.arity - 1);
  const int j     = random.integer(0, map2.arity - 1);
  const auto some = chain.random_values<T>(1);
  if (random.chance(50))
    random_loop<true, true, Carry<T>>(
        chain, "carry", map.from,
        DatAccess<Access::read, single, Two>{{map.to, copy}, m, i},
        DatAccess<Access::inc, single, Two>{{map2.to, other}, m2, j},
        DatAccess<Access::inc, direct, One>{{map.from, copy}},
        Reduced<T, 1, Impl::Reduction::sum, true>{{some[0]}});
  else
    random_loop<true, true, Bound<T>>(
        chain, "bound", map.from,
        DatAccess<Access::read, direct, One>{{map.from, copy}},
        DatAccess<Access::min, single, One>{{map.to, other}, m, i},
        DatAccess<Access::max, single, Two>{{map2.to, other}, m2, j},
        Reduced<T, 1, Impl::Reduction::max, true>{{some[0]}});
  return true;
}

}  // namespace

bool loops_at_one_index(LoopChain& chain) {
  return chain.random.chance(50) ? at_one_index<double>(chain)
                                 : at_one_index<float>(chain);
}

}  // namespace Test
}  // namespace Sporos
