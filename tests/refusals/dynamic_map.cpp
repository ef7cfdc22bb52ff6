// expects: all indices of a map needs a constant arity
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParLoop.hpp>

auto refused(const Sporos::Dat<double, 1>& dat, const Sporos::Map<>& map) {
  return Sporos::read(dat, map);
}
