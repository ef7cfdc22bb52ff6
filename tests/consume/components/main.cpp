// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Version.hpp>

#include <cstdio>

int main() {
  std::printf(
      "Sporos %s with"
#ifdef SPOROS_HAVE_FFTW
      " FFTW"
#endif
#ifdef SPOROS_HAVE_METIS
      " METIS"
#endif
      "\n",
      SPOROS_VERSION_STRING);
}
