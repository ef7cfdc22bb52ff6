// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_FftUnits.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <stdexcept>

namespace {

/// Are plans, or calls without one, refused?
template <class F>
bool refused(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

const char* correlate_without_fft(const Matrix& left, const Matrix& right) {
  Sporos::CorrelateOptions options;
  options.algorithm = Sporos::CorrelateAlgorithm::fft;
  if (!refused([&] {
        Sporos::CrossCorrelatePlan(Exec(), left, right, left, options);
      }))
    return "without an FFT: a plan has one";
  const Sporos::CrossCorrelatePlan plan(Exec(), left, right, left);
  const Matrix out("out", std::size_t(plan.shifts().rows()),
                   std::size_t(plan.shifts().columns()));
  if (!refused(
          [&] { Sporos::cross_correlate(Exec(), left, right, out, options); }))
    return "without an FFT: a call has one";
  if (plan.algorithm() == Sporos::CorrelateAlgorithm::fft)
    return "without an FFT: automatic chose it";
  Sporos::cross_correlate(plan, left, right, out);
  return out(0, 0) ==
                 left(0, 0) * right(right.extent(0) - 1, right.extent(1) - 1)
             ? nullptr
             : "without an FFT: wrong results";
}
