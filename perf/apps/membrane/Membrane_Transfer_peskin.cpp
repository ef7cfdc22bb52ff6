// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Transfer_impl.hpp"

#include <stdexcept>

namespace MembraneApp {

std::unique_ptr<AnyTransfer> make_transfer_peskin(
    const Kokkos::DefaultExecutionSpace& exec, const Options& o,
    const AnyTransfer::MembranePoints& x) {
  if (o.delta == "cosine4") return transfer_of<Sporos::Cosine4>(exec, o, x);
  if (o.delta == "peskin4") return transfer_of<Sporos::Peskin4>(exec, o, x);
  return nullptr;
}

std::unique_ptr<AnyTransfer> make_transfer(
    const Kokkos::DefaultExecutionSpace& exec, const Options& o,
    const AnyTransfer::MembranePoints& x) {
  for (const auto make :
       {make_transfer_peskin, make_transfer_moments, make_transfer_splines})
    if (auto transfer = make(exec, o, x)) return transfer;
  throw std::invalid_argument("membrane: no delta function '" + o.delta + "'");
}

}  // namespace MembraneApp
