// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random masks, and what local measures and sums with masks must be.

#ifndef SPOROS_RANDOMOVERLAPS_HPP
#define SPOROS_RANDOMOVERLAPS_HPP

#include "../../algorithms/Sporos_PlainLocal.hpp"
#include "Sporos_RandomDriver.hpp"
#include "Sporos_RandomMatrices.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Test {

template <class A>
std::complex<long double> as_plain(const A& v) {
  if constexpr (Impl::is_complex_v<A>)
    return {(long double)(v.real()), (long double)(v.imag())};
  else
    return {(long double)(v), 0};
}

/// Is the result right, of a local measure or with masks?
/// c: a RandomCorrelation
template <class A, class Case, class T>
std::string judge_overlaps(const Case& c, CorrelateAlgorithm chosen,
                           const std::vector<Plain<T>>& lefts,
                           const std::vector<Plain<T>>& rights,
                           const Matrices<float>& left_mask,
                           const Matrices<float>& right_mask,
                           const Matrices<A>& out) {
  using R = Impl::real_of<A>;
  using V =
      std::conditional_t<Impl::is_complex_v<A>, std::complex<double>, double>;
  const auto number = [](const std::complex<long double>& v) {
    if constexpr (Impl::is_complex_v<A>)
      return V(double(v.real()), double(v.imag()));
    else
      return double(v.real());
  };
  const bool masked = c.left_mask || c.right_mask;
  for (int i = 0; i < c.e.n; ++i)
    for (int j = 0; j < c.e.m; ++j) {
      PlainLocal<V> p{c.o, c.e, masked, double(std::numeric_limits<R>::max()),
                      PlainRounding::of<A>(c.o.normalize,
                                           chosen == CorrelateAlgorithm::fft)};
      const auto& l = lefts[std::size_t(i)];
      const auto& r = rights[std::size_t(c.own_right() ? i * c.e.m + j : j)];
      if (!l.all_finite() || !r.all_finite()) continue;
      for (int y = 0; y < c.e.left_h; ++y)
        for (int x = 0; x < c.e.left_w; ++x)
          p.left.add(number(l(y, x)), c.left_mask ? left_mask(i, 0, y, x) : 1);
      for (int y = 0; y < c.e.right_h; ++y)
        for (int x = 0; x < c.e.right_w; ++x)
          p.right.add(number(r(y, x)),
                      c.right_mask ? right_mask(i, j, y, x) : 1);
      p.prepare();
      for (int oy = 0; oy < c.s.rows(); ++oy)
        for (int ox = 0; ox < c.s.columns(); ++ox) {
          const int dy = c.s.dy0 + oy, dx = c.s.dx0 + ox;
          const V got = number(as_plain(out(i, j, oy, ox)));
          if (p.error(got, dy, dx) <= 1) continue;
          const auto expected = p.result(dy, dx);
          std::ostringstream t;
          t.precision(17);
          t << "wrong: pair (" << i << ", " << j << "), shift (" << dy << ", "
            << dx << "): " << got << " instead of " << expected.value
            << ", that may be wrong by " << expected.error << '\n';
          return t.str();
        }
    }
  return "";
}

/// Zeros, ones and other weights; some masks are empty.
inline void fill_mask(RandomCase& random, Matrices<float>& mask) {
  const int zeros = random.one_of({0, 10, 60, 60, 100});
  const bool ones = random.chance(60);
  mask.for_each([&](int i, int j, int y, int x) {
    mask(i, j, y, x) = random.chance(zeros) ? 0.f
                       : ones               ? 1.f
                                            : float(random.real(.1, 2));
  });
}

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_RANDOMOVERLAPS_HPP
