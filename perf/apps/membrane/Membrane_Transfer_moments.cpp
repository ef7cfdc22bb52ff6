// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Transfer_impl.hpp"

namespace MembraneApp {

std::unique_ptr<AnyTransfer> make_transfer_moments(
    const Kokkos::DefaultExecutionSpace& exec, const Options& o,
    const AnyTransfer::MembranePoints& x) {
  if (o.delta == "hat2") return transfer_of<Sporos::Hat2>(exec, o, x);
  if (o.delta == "roma3") return transfer_of<Sporos::Roma3>(exec, o, x);
  if (o.delta == "bao6") return transfer_of<Sporos::Bao6>(exec, o, x);
  return nullptr;
}

}  // namespace MembraneApp
