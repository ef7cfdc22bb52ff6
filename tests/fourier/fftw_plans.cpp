// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lines of FFTW in arrays that are larger than the machine's memory, of which
// few pages are touched; its wisdom.

#include "Sporos_SparseMemory.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_FftwPlans.hpp>
#include <Sporos_Nufft.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace FftwPlans {

#ifdef SPOROS_HAVE_FFTW
TEST_CASE("numbers of a line may lie more than 2^31 apart", "[fft]") {
  using F         = Sporos::Impl::Fftw<float>;
  constexpr int n = 4, lines = 2;
  const std::ptrdiff_t stride = (std::ptrdiff_t(1) << 31) + 8;
  const Sporos::Test::SparseMemory<float> memory(
      std::size_t(2 * ((n - 1) * stride + lines)));
  float* const z = memory.data();
  if (z == nullptr) return;
  const auto plan = F::in_place(n, lines, z, stride, 1, -1, FFTW_ESTIMATE);
  for (int line = 0; line < lines; ++line)
    for (int k = 0; k < n; ++k)
      z[2 * (k * stride + line)] = float((line + 1) * (k == 1));
  F::run_in_place(plan, z);
  for (int line = 0; line < lines; ++line)
    for (int k = 0; k < n; ++k) {
      const float* const at = z + 2 * (k * stride + line);
      const double phase    = -std::acos(-1.) / 2 * k;
      CHECK(std::fabs(at[0] - (line + 1) * std::cos(phase)) < 1e-6);
      CHECK(std::fabs(at[1] - (line + 1) * std::sin(phase)) < 1e-6);
    }
}

/// Bits of a type 1 by a plan that is made anew.
std::vector<double> of_new_plan(Sporos::NufftPatience patience) {
  using Exec    = Kokkos::DefaultHostExecutionSpace;
  using Complex = Kokkos::complex<double>;
  const Exec exec;
  Sporos::NufftOptions options;
  options.tolerance        = 1e-3;
  options.patience         = patience;
  options.planning_seconds = -1;
  Sporos::NufftRealPlan<Exec, 2, double, Sporos::NufftWidths<4, 6>> plan(
      exec, {{60, 70}}, options);
  const Kokkos::View<double**, Exec> points("points", 100, 2);
  const Kokkos::View<double*, Exec> values("values", 100);
  const Kokkos::View<Complex**, Exec> modes("modes", 60, 36);
  for (int j = 0; j < 100; ++j) {
    points(j, 0) = 3 * std::sin(.7 * j);
    points(j, 1) = 3 * std::cos(1.3 * j);
    values(j)    = std::sin(double(j));
  }
  plan.set_points(exec, points);
  plan.type1(exec, values, modes);
  exec.fence();
  const auto* const first = reinterpret_cast<const double*>(modes.data());
  return {first, first + 2 * modes.extent(0) * modes.extent(1)};
}

TEST_CASE("wisdom goes out and in", "[fft]") {
  using Fft = Sporos::NufftFftw;
  using Sporos::NufftPatience;
  const auto measured      = of_new_plan(NufftPatience::measure);
  const std::string wisdom = Fft::export_wisdom<double>();
  CHECK(wisdom.find("fftw") != std::string::npos);
  fftw_forget_wisdom();
  const std::string nothing = Fft::export_wisdom<double>();
  CHECK(nothing.size() < wisdom.size());
  const auto estimated = of_new_plan(NufftPatience::estimate);
  fftw_forget_wisdom();
  Fft::import_wisdom<double>(wisdom);
  CHECK(Fft::export_wisdom<double>().size() >= wisdom.size());
  CHECK(of_new_plan(NufftPatience::measure) == measured);
  CHECK(of_new_plan(NufftPatience::estimate) == measured);
  fftw_forget_wisdom();
  CHECK(of_new_plan(NufftPatience::estimate) == estimated);
  for (const std::string& wrong : {std::string(), std::string("(fftw-0.0"),
                                   wisdom.substr(0, wisdom.size() / 2)})
    Sporos::Test::check_refused(
        "wisdom that this version of FFTW exported for double",
        [&] { Fft::import_wisdom<double>(wrong); });
  Sporos::Test::check_refused("exported for float",
                              [&] { Fft::import_wisdom<float>(wisdom); });
}
#endif

}  // namespace FftwPlans
