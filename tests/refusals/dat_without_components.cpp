// expects: Sporos::Dat: a dat of dynamic_components needs their number after
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Mesh.hpp>

auto refused(const Sporos::Set& set) {
  return Sporos::Dat<double, Sporos::dynamic_components>(
      "dat", set, std::vector<double>{1});
}
