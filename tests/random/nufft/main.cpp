// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random non-uniform FFTs, judged by the sums by definition.

#include "Sporos_RandomDriver.hpp"
#include "fourier/Sporos_NufftNormalData.hpp"
#include "fourier/Sporos_NufftRealData.hpp"
#include "fourier/Sporos_NufftType3Data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace Sporos {
namespace Test {

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;

/// Both types and gradients for one set of points; returns what is wrong.
template <int Dim, class T, class Plan>
std::string check_points(const NufftCase& c, Plan& plan) {
  const Exec exec;
  const NufftData<Exec, Dim, T, Memory> data(c);
  plan.set_points(exec, data.points);
  const auto modes = data.shaped(data.grid, data.of_modes);
  plan.type1(exec, data.values, modes, c.sign);
  plan.type2(exec, data.shaped(data.grid, data.coefficients), data.at_points,
             -c.sign);
  const Kokkos::View<Kokkos::complex<T>**, Memory> gradients(
      "gradients", std::size_t(c.points), Dim);
  plan.type2_gradient(exec, data.shaped(data.grid, data.coefficients),
                      gradients, -c.sign);
  exec.fence();
  // sums of few random numbers differ much from their mean
  const double limit =
      4 * c.tolerance + 64 * double(std::numeric_limits<T>::epsilon());
  const double error1 =
      l2_error(data.of_modes, data.direct(1, c.sign),
               squares(data.values) * double(data.coefficients.extent(0)));
  const double error2 = l2_error(data.at_points, data.direct(2, -c.sign),
                                 squares(data.coefficients) * double(c.points));
  const double error3 = data.gradient_error(gradients, -c.sign);
  if (error1 < limit && error2 < limit && error3 < 2 * limit) return {};
  std::ostringstream out;
  out << "errors " << error1 << ", " << error2 << ", " << error3 << " of "
      << c.points << " points, places " << int(c.places) << ", sign " << c.sign
      << '\n'
      << plan.describe(exec);
  return out.str();
}

template <int Dim, class T, class Widths>
std::string check_nufft(RandomCase& random, double digits) {
  NufftCase c{};
  const int most = Dim == 1 ? 400 : Dim == 2 ? 25 : 9;
  Kokkos::Array<int, Dim> modes;
  for (int d = 0; d < Dim; ++d)
    modes[std::size_t(d)] = c.modes[d] =
        random.chance(20) ? random.integer(1, 3) : random.integer(1, most);
  c.tolerance = std::pow(10., -random.real(1, digits));
  // a line that is split; a position in double is as exact as this allows
  const bool is_long =
      Dim == 1 && sizeof(T) == sizeof(double) && random.chance(4);
  if (is_long) {
    modes[0] = c.modes[0] = random.integer(20000, 60000);
    c.tolerance           = std::max(c.tolerance, 1e-9);
  }
  c.order = random.chance(50) ? NufftOrder::fft : NufftOrder::centred;
  NufftOptions options;
  options.tolerance  = c.tolerance;
  options.order      = c.order;
  options.upsampling = random.chance(70) ? 0 : random.real(2, 4);
  options.points     = random.one_of<std::size_t>({0, 1, 1000000});
  NufftPlan<Exec, Dim, T, Widths> plan(Exec(), modes, options);
  for (int left = random.integer(1, 3); left > 0; --left) {
    c.points = is_long || random.chance(20) ? random.integer(0, 3)
                                            : random.integer(0, 6000 / most);
    c.places = Places(random.integer(0, 4));
    c.sign   = random.one_of({-1, 1});
    const std::string wrong = check_points<Dim, T>(c, plan);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

/// How much rounding grows where modes are divided by the kernel's transform.
template <class T, class Widths, int Dim>
double growth(const NufftGrid<Dim>& grid, int width) {
  double upsampling = Impl::most_kernel_upsampling;
  for (int d = 0; d < Dim; ++d)
    upsampling = std::min(upsampling, double(grid.points[d]) / grid.modes[d]);
  return Impl::with_nufft_width(width, Widths(), [&](auto w) {
    const ExponentialOfSemicircle<decltype(w)::value> kernel(upsampling);
    return 2 * kernel.template rounding<T>(Dim) /
           double(std::numeric_limits<T>::epsilon());
  });
}

/// Real values, and the normal operator.
template <int Dim, class T, class Widths>
std::string check_real(RandomCase& random, double digits) {
  NufftCase c{};
  const int most = Dim == 1 ? 300 : Dim == 2 ? 20 : 7;
  for (int d = 0; d < Dim; ++d)
    c.modes[d] =
        random.chance(20) ? random.integer(1, 3) : random.integer(1, most);
  c.tolerance  = std::pow(10., -random.real(1, digits));
  c.order      = random.chance(50) ? NufftOrder::fft : NufftOrder::centred;
  c.upsampling = random.chance(70) ? 0 : random.real(2, 4);
  auto plan    = real_plan<Exec, Dim, T, Widths>(c);
  auto normal  = normal_plan<Exec, Dim, T, Widths>(c);
  for (int left = random.integer(1, 3); left > 0; --left) {
    c.points = random.chance(20) ? random.integer(0, 3)
                                 : random.integer(0, 3000 / most);
    c.places = Places(random.integer(0, 4));
    c.sign   = random.one_of({-1, 1});
    NufftRealData<Exec, Dim, T, Memory> data(c);
    plan.set_points(Exec(), data.all.points);
    auto errors = data.errors(plan);
    errors[2] /= growth<T, Widths>(plan.grid(), plan.width());
    NufftNormalData<Exec, Dim, T, Memory> of_normal(c, random.chance(50));
    errors.push_back(of_normal.error(normal, c.sign));
    if (*std::max_element(errors.begin(), errors.end()) < 4) continue;
    std::ostringstream out;
    for (const double e : errors) out << e << ' ';
    out << "are errors of types 1, 2, adjointness, gradients, normal; "
        << c.points << " points, places " << int(c.places) << ", sign "
        << c.sign << '\n'
        << plan.describe() << normal.describe();
    return out.str();
  }
  return {};
}

template <int Dim, class T, class Widths>
std::string check_type3(RandomCase& random, double digits) {
  NufftOptions options;
  options.tolerance  = std::pow(10., -random.real(1, digits));
  options.upsampling = random.chance(70) ? 0 : random.real(2, 4);
  NufftType3Plan<Exec, Dim, T, Widths> plan(Exec(), options);
  Type3Case c{};
  const double most = Dim == 1 ? 300 : Dim == 2 ? 25 : 8;
  for (int left = random.integer(1, 3); left > 0; --left) {
    for (int* const n : {&c.points, &c.frequencies})
      *n = random.chance(20) ? random.integer(0, 3) : random.integer(0, 150);
    c.of_points      = Cloud(random.integer(0, 4));
    c.of_frequencies = Cloud(random.integer(0, 4));
    c.extent         = std::pow(10., random.real(-3, 3));
    c.band           = random.chance(10) ? 0 : random.real(0, most) / c.extent;
    c.sign           = random.one_of({-1, 1});
    const Exec exec;
    const Type3Data<Dim, T, Memory> data(c);
    plan.set_points(exec, data.points, data.frequencies);
    plan.type3(exec, data.values, data.results, c.sign);
    exec.fence();
    const double error = data.error(c.sign);
    if (error < options.tolerance + data.rounding()) continue;
    std::ostringstream out;
    out << "error " << error << ", points " << int(c.of_points)
        << ", frequencies " << int(c.of_frequencies) << ", boxes " << c.extent
        << ", " << c.band << ", sign " << c.sign << '\n'
        << plan.describe(exec);
    return out.str();
  }
  return {};
}

std::string check_any(RandomCase& random) {
  switch (random.integer(0, 9)) {
    case 0: return check_nufft<1, double, NufftWidths<6, 16>>(random, 13);
    case 1: return check_nufft<1, float, NufftWidths<5>>(random, 3.5);
    case 2: return check_nufft<2, double, NufftWidths<5>>(random, 3.5);
    case 3: return check_type3<1, double, NufftWidths<6, 16>>(random, 12.5);
    case 4: return check_type3<1, float, NufftWidths<5>>(random, 3);
    case 5: return check_type3<3, double, NufftWidths<4>>(random, 1.5);
    case 6: return check_real<1, double, NufftWidths<16>>(random, 12);
    case 7: return check_real<2, float, NufftWidths<5>>(random, 3);
    case 8: return check_real<3, double, NufftWidths<4>>(random, 2.5);
    default: return check_nufft<3, double, NufftWidths<4>>(random, 2.5);
  }
}

}  // namespace Test
}  // namespace Sporos

int main(int argc, char* argv[]) {
  const auto run = Sporos::Test::RandomRun::from(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return Sporos::Test::run_random_cases("random_nufft", run,
                                        Sporos::Test::check_any);
}
