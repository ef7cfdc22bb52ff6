// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Transfer_impl.hpp"

namespace MembraneApp {

std::unique_ptr<AnyTransfer> make_transfer_splines(
    const Kokkos::DefaultExecutionSpace& exec, const Options& o,
    const AnyTransfer::MembranePoints& x) {
  if (o.delta == "bspline2") return transfer_of<Sporos::BSpline<2>>(exec, o, x);
  if (o.delta == "bspline3") return transfer_of<Sporos::BSpline<3>>(exec, o, x);
  if (o.delta == "bspline4") return transfer_of<Sporos::BSpline<4>>(exec, o, x);
  if (o.delta == "bspline5") return transfer_of<Sporos::BSpline<5>>(exec, o, x);
  if (o.delta == "bspline6") return transfer_of<Sporos::BSpline<6>>(exec, o, x);
  return nullptr;
}

}  // namespace MembraneApp
