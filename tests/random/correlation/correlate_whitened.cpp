// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random phase correlations against plain transforms.

#include "Sporos_PlainWhitened.hpp"
#include "Sporos_RandomDriver.hpp"

#include <complex>
#include <cstddef>
#include <sstream>
#include <string>

namespace Sporos {
namespace Test {

std::string correlate_whitened(RandomCase& random) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  using View = Kokkos::View<double***, Kokkos::LayoutRight, Exec>;
  if (!Sporos::Impl::has_correlate_fft<Exec>) return "";
  const auto extent = [&] { return random.integer(1, 12); };
  const CorrelateExtents e{
      random.integer(1, 3), 1, extent(), extent(), extent(), extent()};
  CorrelateOptions o;
  o.whiten = true;
  o.mode   = random.one_of(
        {CorrelateMode::full, CorrelateMode::same, CorrelateMode::window});
  o.window.dy0 = random.integer(-15, 10);
  o.window.dx0 = random.integer(-15, 10);
  o.window.dy1 = o.window.dy0 + random.integer(1, 20);
  o.window.dx1 = o.window.dx0 + random.integer(1, 20);
  const auto s = correlate_shifts(e.left_h, e.left_w, e.right_h, e.right_w,
                                  o.mode, o.window);
  const View left("left", e.n, e.left_h, e.left_w),
      right("right", e.n, e.right_h, e.right_w),
      out("out", e.n, s.rows(), s.columns());
  for (const View& v : {left, right}) {
    const double size = random.one_of({1e-30, 1., 1e5});
    for (std::size_t k = 0; k < v.size(); ++k)
      v.data()[k] = size * random.real(-1, 1);
  }
  cross_correlate(Exec(), left, right, out, o);
  std::size_t at = 0;
  for (int i = 0; i < e.n; ++i)
    for (const std::complex<double>& v :
         plain_whitened(Sporos::Impl::CorrelateShape{e, s, true},
                        &left(i, 0, 0), &right(i, 0, 0), false)) {
      const double got = out.data()[at++];
      if (std::abs(got - v) <= 1e-9) continue;
      std::ostringstream t;
      t << "whitened: " << got << " and not " << v << ": pair " << i
        << ", left (" << e.left_h << ", " << e.left_w << "), right ("
        << e.right_h << ", " << e.right_w << "), mode " << int(o.mode)
        << ", shifts [" << s.dy0 << ", " << s.dy1 << ") x [" << s.dx0 << ", "
        << s.dx1 << ')';
      return t.str();
    }
  return "";
}

}  // namespace Test
}  // namespace Sporos
