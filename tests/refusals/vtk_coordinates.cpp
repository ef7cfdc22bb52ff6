// expects: Sporos::MeshVtk: coordinates must be float or double
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_MeshVtk.hpp>

void refused(const Sporos::Dat<int, 2>& coordinates,
             const Sporos::Map<3>& cells) {
  Sporos::MeshVtk(Kokkos::DefaultExecutionSpace{}, coordinates, cells);
}
