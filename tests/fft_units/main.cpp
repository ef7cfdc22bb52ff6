// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files that see an FFT library and files that see none, in one program: each
// gets what it was compiled for.

#include "Sporos_FftUnits.hpp"

#include <cstdio>

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Matrix left("left", 70, 66), right("right", 65, 80);
  for (const Matrix& m : {left, right})
    for (std::size_t y = 0; y < m.extent(0); ++y)
      for (std::size_t x = 0; x < m.extent(1); ++x)
        m(y, x) = double((y * 31 + x * 17 + y * x) % 23) - 11;
  int failures = 0;
  for (const char* const wrong :
       {correlate_with_fft(left, right), correlate_without_fft(left, right)})
    if (wrong != nullptr) {
      std::puts(wrong);
      ++failures;
    }
  return failures;
}
