// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_FftUnits.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <cmath>

const char* correlate_with_fft(const Matrix& left, const Matrix& right) {
  Sporos::CorrelateOptions options;
  options.algorithm = Sporos::CorrelateAlgorithm::basic;
  const Sporos::CrossCorrelatePlan basic(Exec(), left, right, left, options);
  const Matrix expected("expected", std::size_t(basic.shifts().rows()),
                        std::size_t(basic.shifts().columns()));
  Sporos::cross_correlate(basic, left, right, expected);
  options.algorithm = Sporos::CorrelateAlgorithm::fft;
  const Sporos::CrossCorrelatePlan fft(Exec(), left, right, left, options);
  const Matrix out("out", expected.extent(0), expected.extent(1));
  Sporos::cross_correlate(fft, left, right, out);
  if (fft.bytes() == 0) return "with an FFT: the plan holds nothing";
  for (std::size_t y = 0; y < out.extent(0); ++y)
    for (std::size_t x = 0; x < out.extent(1); ++x)
      if (!(std::fabs(out(y, x) - expected(y, x)) < 1e-9))
        return "with an FFT: wrong results";
  Sporos::cross_correlate(Exec(), left, right, out, options);
  return nullptr;
}
