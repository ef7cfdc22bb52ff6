// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lines of FFTW in arrays that are larger than the machine's memory, of which
// few pages are touched.

#include "Sporos_SparseMemory.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_FftwPlans.hpp>

#include <cmath>
#include <cstddef>

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
#endif

}  // namespace FftwPlans
