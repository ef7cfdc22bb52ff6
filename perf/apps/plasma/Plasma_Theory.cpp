// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Theory.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace PlasmaApp {

double fastest_wave() { return std::sqrt(3. / 8.); }

double growth_rate(double wave) {
  const double square = wave * wave;
  return std::sqrt(std::max(0., std::sqrt(2 * square + .25) - square - .5));
}

double measured_frequency(const Series& s) {
  // The amplitude is imaginary where the density has a cosine.
  std::vector<double> times;
  const double pi = std::acos(-1.);
  for (std::size_t i = 1; i < s.amplitude.size(); ++i) {
    const double a = s.amplitude[i - 1].imag(), b = s.amplitude[i].imag();
    if ((a < 0) != (b < 0))
      times.push_back(s.step * (double(i) - 1 + a / (a - b)));
  }
  if (times.size() < 2) return 0;
  return pi * double(times.size() - 1) / (times.back() - times.front());
}

double measured_growth(const Series& s) {
  double most = 0;
  for (const auto& a : s.amplitude) most = std::max(most, std::abs(a));
  double n = 0, t1 = 0, t2 = 0, y1 = 0, ty = 0;
  for (std::size_t i = 0; i < s.amplitude.size(); ++i) {
    const double a = std::abs(s.amplitude[i]);
    if (a > 1e-2 * most) break;
    if (a < 1e-4 * most) continue;
    const double t = s.step * double(i), y = std::log(a);
    n += 1;
    t1 += t;
    t2 += t * t;
    y1 += y;
    ty += t * y;
  }
  const double spread = n * t2 - t1 * t1;
  return spread > 0 ? (n * ty - t1 * y1) / spread : 0;
}

}  // namespace PlasmaApp
