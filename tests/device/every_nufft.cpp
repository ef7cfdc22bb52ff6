// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every type of the non-uniform FFT, gradients and the normal operator, against
// the sums by definition, where there is an FFT.

#include "Sporos_Test.hpp"
#include "fourier/Sporos_NufftCases.hpp"
#include "fourier/Sporos_NufftNormalData.hpp"
#include "fourier/Sporos_NufftRealData.hpp"
#include "fourier/Sporos_NufftType3Data.hpp"

#include <type_traits>

namespace EveryNufft {

using namespace Sporos;
using namespace Sporos::Test;
using Widths = NufftWidths<4>;

template <class Exec>
void check_all(const NufftCase& c) {
  using Memory = typename SharedMemory<Exec>::type;
  check_nufft<Exec, 2, double, Widths>(c);

  NufftRealData<Exec, 2, double, Memory> real(c);
  auto of_real = real_plan<Exec, 2, double, Widths>(c);
  of_real.set_points(Exec(), real.all.points);
  for (const double error : real.errors(of_real)) CHECK(error <= 1);

  NufftNormalData<Exec, 2, double, Memory> normal(c, true);
  auto of_normal = normal_plan<Exec, 2, double, Widths>(c);
  CHECK(normal.error(of_normal, c.sign) < 1);

  const Type3Case t{c.points,          50, Cloud::clustered,
                    Cloud::off_centre, 3,  2,
                    3 * c.tolerance,   0,  c.sign};
  const Type3Data<2, double, Memory> data(t);
  const auto plan = planned_type3<Exec, 2, double, Widths>(t, data);
  plan.type3(Exec(), data.values, data.results, t.sign);
  Exec().fence();
  CHECK(data.error(t.sign) < t.tolerance);
}

TEMPLATE_LIST_TEST_CASE("every type of the non-uniform FFT", "[every]",
                        Spaces) {
  if constexpr (!std::is_same<::Sporos::Impl::DefaultNufftFft<TestType>,
                              ::Sporos::Impl::NoNufftFft>::value) {
    check_all<TestType>({{12, 9, 0}, 200, Places::random, 1e-2});
    check_all<TestType>(
        {{7, 10, 0}, 90, Places::at_ends, 1e-2, 2.25, NufftOrder::fft, -1});
  }
}

}  // namespace EveryNufft
