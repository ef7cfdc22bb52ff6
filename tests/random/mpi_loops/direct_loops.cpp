// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops without maps.
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

namespace Sporos {
namespace Test {
namespace {

template <class T>
struct Advance {
  using value_type = T;
  template <class Real>
  KOKKOS_FUNCTION void operator()(ReadWrite<Real, 2> q, Read<Real, 1> r,
                                  Inc<Real, 1> z, GlobalRead<Real, 2> k,
                                  Reduce<Real, 3> sums, Reduce<Real, 1> least,
                                  Reduce<Real, 2> most) const {
    run<Real>(q, r, z, k, sums, least, most);
  }
  template <class Real, class Q, class R, class Z, class K, class S, class L,
            class M>
  KOKKOS_FUNCTION static void run(Q q, R r, Z z, K k, S sums, L least, M most) {
    using Sporos::max;
    using Sporos::min;
    for (int c = 0; c < 2; ++c) {
      q[c] = eighths<T, Real>(3) * q[c] + k[c] * r[0];
      sums[c] += q[c];
      most[c] = max(most[c], q[c] - r[0]);
    }
    z[0] += q[0] * r[0];
    sums[2] += eighths<T, Real>(8);
    least[0] = min(least[0], q[1]);
  }
};

/// Numbers of elements, of which every third assigns to the first global.
struct LastOfThree {
  using value_type = double;
  KOKKOS_FUNCTION void operator()(Read<double, 1> number,
                                  GlobalWrite<double, 2> last) const {
    if (int(number[0]) % 3 == 1) last[0] = number[0];
    last[1] = 2 * number[0];
  }
};

template <class T>
void advance(LoopChain& chain, int set) {
  using R         = Kokkos::LayoutRight;
  const int copy  = chain.random.integer(0, 2);
  const auto some = chain.random_values<T>(8);
  random_loop<true, true, Advance<T>>(
      chain, "advance", set,
      DatAccess<Access::rw, direct, DatName<T, 2, R>>{{set, copy}},
      DatAccess<Access::read, direct, DatName<T, 1, R>>{{set, copy}},
      DatAccess<Access::inc, direct, DatName<T, 1, R>>{{set, (copy + 1) % 3}},
      Numbers<T, 2>{{some[0], some[1]}},
      Reduced<T, 3, Impl::Reduction::sum, true>{{some[2], some[3], some[4]}},
      Reduced<T, 1, Impl::Reduction::min, true>{{some[5]}},
      Reduced<T, 2, Impl::Reduction::max, false>{{some[6], some[7]}});
}

/// The last elements by number write globals.
void write_last(LoopChain& chain, int set) {
  std::vector<std::array<double, 2>> results;
  const std::array<double, 2> before{-3, -5};
  chain.did("write globals over set " + std::to_string(set));
  const LoopOptions options = chain.random_options();
  std::vector<double> numbers(chain.count(set));
  std::iota(numbers.begin(), numbers.end(), 0.);
  for (MeshSide& side : chain.sides) {
    const Dat<double, 1, Kokkos::LayoutRight, SideMemory> dat(
        "numbers", side.set(set), side.of_owned<1>(set, numbers));
    const Global<double, 2, SideMemory> last("last");
    last.assign(std::vector<double>(before.begin(), before.end()));
    par_loop("write", SideExec{}, side.set(set), options, LastOfThree{},
             read(dat), write(last));
    results.push_back({last.value(0), last.value(1)});
  }
  std::array<double, 2> expected = before;
  for (const double n : numbers) {
    if (int(n) % 3 == 1) expected[0] = n;
    expected[1] = 2 * n;
  }
  PlainArg<Reduced<double, 2, Impl::Reduction::last, false>> plain(chain,
                                                                   {expected});
  plain.check(results);
}

}  // namespace

bool direct_loops(LoopChain& chain) {
  const int set = chain.random.integer(0, int(chain.mesh.sizes.size()) - 1);
  switch (chain.random.integer(0, 3)) {
    case 0: advance<double>(chain, set); break;
    case 1: advance<float>(chain, set); break;
    case 2: advance<unsigned>(chain, set); break;
    default: write_last(chain, set);
  }
  return true;
}

}  // namespace Test
}  // namespace Sporos
