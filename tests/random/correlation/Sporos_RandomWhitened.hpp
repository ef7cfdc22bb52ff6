// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random phase correlations against plain transforms.

#ifndef SPOROS_RANDOMWHITENED_HPP
#define SPOROS_RANDOMWHITENED_HPP

#include "../../algorithms/Sporos_PlainWhitened.hpp"
#include "Sporos_RandomDriver.hpp"
#include "Sporos_RandomMatrices.hpp"
#include "Sporos_RandomOverlaps.hpp"

#include <complex>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Test {

/// Makes some of those that may be whitened phase correlations.
/// c: a RandomCorrelation
template <class Exec, class A, class Case>
void choose_whitening(RandomCase& random, Case& c) {
  using Algorithm             = CorrelateAlgorithm;
  const CorrelateExtents& e   = c.e;
  const CorrelateOptions& o   = c.o;
  const double plain_elements = 4. * (e.left_h + e.right_h) *
                                (e.left_w + e.right_w) * (e.n + 1) * (e.m + 1);
  const bool may_be =
      std::is_floating_point<Impl::real_of<A>>::value &&
      Impl::has_correlate_fft<Exec> && !c.left_mask && !c.right_mask &&
      (o.normalize == Normalize::none || o.normalize == Normalize::mean_only) &&
      (o.algorithm == Algorithm::automatic || o.algorithm == Algorithm::fft) &&
      o.exactness != CorrelateExactness::by_definition && plain_elements < 1e5;
  c.o.whiten = may_be && random.chance(30);
}

/// Is the result right?
/// c: a RandomCorrelation
template <class A, class Case, class T>
std::string judge_whitened(const Case& c, const std::vector<Plain<T>>& lefts,
                           const std::vector<Plain<T>>& rights,
                           const Matrices<A>& out) {
  const double eps = std::numeric_limits<Impl::fft_real<A>>::epsilon();
  for (int i = 0; i < c.e.n; ++i)
    for (int j = 0; j < c.e.m; ++j) {
      const auto& l = lefts[std::size_t(i)];
      const auto& r = rights[std::size_t(c.own_right() ? i * c.e.m + j : j)];
      if (!l.all_finite() || !r.all_finite()) continue;
      const PlainWhitened plain({c.e, c.s, true}, l, r, c.centered(), eps);
      for (int oy = 0; oy < c.s.rows(); ++oy)
        for (int ox = 0; ox < c.s.columns(); ++ox) {
          const int dy = c.s.dy0 + oy, dx = c.s.dx0 + ox;
          const std::complex<double> got(as_plain(out(i, j, oy, ox)));
          if (std::abs(got - plain(dy, dx)) <= plain.tolerance()) continue;
          std::ostringstream t;
          t << "wrong: pair (" << i << ", " << j << "), shift (" << dy << ", "
            << dx << "): " << got << " instead of " << plain(dy, dx)
            << ", tolerance " << plain.tolerance() << '\n';
          return t.str();
        }
    }
  return "";
}

}  // namespace Test
}  // namespace Sporos

#endif
