// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that write through maps, where no two elements name one target.
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

namespace Sporos {
namespace Test {
namespace {

/// Leaves the second component as it is.
template <class T>
struct Place {
  using value_type = T;
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w, Write<Real, 2> y) const {
    run<Real>(w, y);
  }
  template <class Real, class W, class Y>
  KOKKOS_FUNCTION static void run(W w, Y y) {
    y[0] = w[0] - eighths<T, Real>(5);
  }
};

/// Swaps and mixes the two targets of an element.
template <class T>
struct Mix {
  using value_type = T;
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w, ReadWrite<Real, 2, 2> y,
                                  Reduce<Real, 1> sum) const {
    run<Real>(w, y, sum);
  }
  template <class Real, class W, class Y, class S>
  KOKKOS_FUNCTION static void run(W w, Y y, S sum) {
    const Real before = y(0, 0);
    y(0, 0)           = y(1, 1) + w[0];
    y(1, 1)           = before;
    sum[0] += before;
  }
};

template <class T>
bool place(LoopChain& chain) {
  using R     = Kokkos::LayoutRight;
  const int m = random_map_where(chain, [](const RandomMap& map) {
    return std::count(map.column.begin(), map.column.end(), true) > 0;
  });
  if (m < 0) return false;
  const RandomMap& map = chain.mesh.maps[std::size_t(m)];
  const int copy       = chain.random.integer(0, 2);
  int i                = chain.random.integer(0, map.arity - 1);
  while (!map.column[std::size_t(i)]) i = (i + 1) % map.arity;
  random_loop<true, true, Place<T>>(
      chain, "place", map.from,
      DatAccess<Access::read, direct, DatName<T, 1, R>>{{map.from, copy}},
      DatAccess<Access::write, single, DatName<T, 2, R>>{{map.to, copy}, m, i});
  return true;
}

template <class T>
bool mix(LoopChain& chain) {
  using R     = Kokkos::LayoutRight;
  const int m = random_map_where(chain, [](const RandomMap& map) {
    for (std::size_t k = 0; map.arity == 2 && k < map.rows.size(); k += 2)
      if (map.rows[k] == map.rows[k + 1]) return false;
    return map.disjoint && map.arity == 2;
  });
  if (m < 0) return false;
  const RandomMap& map = chain.mesh.maps[std::size_t(m)];
  const int copy       = chain.random.integer(0, 2);
  random_loop<true, false, Mix<T>>(
      chain, "mix", map.from,
      DatAccess<Access::read, direct, DatName<T, 1, R>>{{map.from, copy}},
      DatAccess<Access::rw, 2, DatName<T, 2, R>>{{map.to, copy}, m, 0},
      Reduced<T, 1, Impl::Reduction::sum, true>{
          {chain.random_values<T>(1)[0]}});
  return true;
}

}  // namespace

bool writing_loops(LoopChain& chain) {
  switch (chain.random.integer(0, 3)) {
    case 0: return place<double>(chain);
    case 1: return place<float>(chain);
    case 2: return mix<double>(chain);
    default: return mix<unsigned>(chain);
  }
}

}  // namespace Test
}  // namespace Sporos
