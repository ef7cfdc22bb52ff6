// expects: Sporos::par_loop: components of several elements, whose number is
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParLoop.hpp>

double refused(Sporos::Read<double, Sporos::dynamic_components, 2> x) {
  return x[0];
}
