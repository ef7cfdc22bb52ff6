// expects: Sporos::par_loop: arguments after the kernel are read(...)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParLoop.hpp>

struct Kernel {
  KOKKOS_FUNCTION void operator()(Sporos::Read<double, 1>) const {}
};

void refused(const Sporos::Set& set, const Sporos::Dat<double, 1>& dat) {
  Sporos::par_loop("refused", set, Kernel{}, dat);
}
