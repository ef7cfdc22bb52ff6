// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random registrations against plain sums over all frequencies.

#include "../../algorithms/Sporos_PlainRegistration.hpp"
#include "Sporos_RandomDriver.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace Sporos {
namespace Test {

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

/// Images of noise; left ones are moved, and have noise of their own.
template <class T>
std::string registered(RandomCase& random) {
  using Images = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;
  const int n = random.integer(0, 5), h = random.integer(1, 24),
            w = random.integer(1, 24);
  RegistrationOptions o;
  o.whiten           = random.chance(50);
  o.upsampling       = random.one_of({1, 2, 3, 5, 10, 100});
  const bool shared  = random.chance(30);
  const int lefts    = shared ? 1 : n;
  const double size  = random.one_of({1e-20, 1., 1e20});
  const double noise = random.real(0, 2);
  const Images left("left", lefts, h, w), right("right", n, h, w);
  const int dy = random.integer(0, h - 1), dx = random.integer(0, w - 1);
  for (std::size_t k = 0; k < right.span(); ++k)
    right.data()[k] = T(size * random.real(-1, 1));
  for (int i = 0; i < lefts; ++i)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        left(i, y, x) = T(noise * size * random.real(-1, 1)) +
                        (n > 0 ? right(i, (y + dy) % h, (x + dx) % w) : T(0));
  const Kokkos::View<ImageShift*, Exec> shifts("shifts", n);
  const RegistrationPlan<Exec, T> plan(Exec(), n, h, w, o, random.chance(80));
  if (shared)
    register_images(Exec(), plan,
                    Kokkos::subview(left, 0, Kokkos::ALL(), Kokkos::ALL()),
                    right, shifts);
  else
    register_images(Exec(), plan, left, right, shifts);
  Exec().fence();
  const bool single     = sizeof(T) == 4;
  const double rounding = single     ? o.whiten ? 1e-2 : 1e-5
                          : o.whiten ? 1e-8
                                     : 1e-10;
  for (int i = 0; i < n; ++i) {
    const PlainRegistration plain(
        h, w, [&](int y, int x) { return double(left(shared ? 0 : i, y, x)); },
        [&](int y, int x) { return double(right(i, y, x)); }, o.whiten,
        double(std::numeric_limits<T>::epsilon()));
    const double tolerance = rounding + plain.doubt();
    const ImageShift got = shifts(i), best = plain.best(o.upsampling);
    const auto on_grid = [&](double v, int extent) {
      const double fine = v * o.upsampling;
      return std::fabs(fine - std::round(fine)) < 1e-6 &&
             std::fabs(v) <= extent / 2 + .8;
    };
    if (on_grid(got.dy, h) && on_grid(got.dx, w) &&
        std::fabs(got.height - best.height) <= tolerance &&
        std::fabs(got.height - plain.at(got.dy, got.dx)) <= tolerance)
      continue;
    std::ostringstream t;
    t << "registration: (" << got.dy << ", " << got.dx << "), height "
      << got.height << ", plain (" << best.dy << ", " << best.dx << "), height "
      << best.height << ": pair " << i << " of " << n << ", (" << h << ", " << w
      << "), 1/" << o.upsampling << ", whiten " << o.whiten << ", shared "
      << shared << ", size " << size << ", bytes " << sizeof(T);
    return t.str();
  }
  return "";
}

}  // namespace

std::string correlate_registered(RandomCase& random) {
  return random.chance(50) ? registered<float>(random)
                           : registered<double>(random);
}

}  // namespace Test
}  // namespace Sporos
