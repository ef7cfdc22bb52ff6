// expects: Sporos::Dat: floating-point values do not fit a dat of integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Mesh.hpp>

auto refused(const Sporos::Set& set) {
  return Sporos::Dat<int>("dat", set, std::vector<double>{1.5});
}
