// expects: Sporos::Dat: values must be a View or a host array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Mesh.hpp>

auto refused(const Sporos::Set& set) {
  return Sporos::Dat<double>("dat", set, 1);
}
