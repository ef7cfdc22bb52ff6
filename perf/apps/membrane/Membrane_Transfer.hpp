// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_TRANSFER_HPP
#define SPOROS_MEMBRANE_TRANSFER_HPP

/// \file Membrane_Transfer.hpp
/// What goes between the membrane and the fluid, with a delta function that is
/// chosen at run time.

#include "Membrane_ElasticLoop.hpp"
#include "Membrane_Fields.hpp"
#include "Membrane_Options.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <memory>
#include <string>

namespace MembraneApp {

/// One plan serves both components, which live on different faces of the
/// cells.
template <class ExecSpace>
class Transfer {
 public:
  using MembranePoints = Points<typename ExecSpace::memory_space>;

  virtual ~Transfer() = default;
  /// \throws std::invalid_argument when a position is not finite
  virtual void update(const ExecSpace& exec,
                      const MembranePoints& positions) = 0;
  /// Force field from the strengths at the points of the plan.
  virtual void spread(const ExecSpace& exec, const MembranePoints& strengths,
                      const FaceField<ExecSpace>& force) = 0;
  /// Velocity at the points of the plan.
  virtual void interpolate(const ExecSpace& exec,
                           const FaceField<ExecSpace>& velocity,
                           const MembranePoints& values) = 0;
  virtual std::string describe() const                   = 0;
};

using AnyTransfer = Transfer<Kokkos::DefaultExecutionSpace>;

/// A transfer with the delta function that the options name.
/// \param options complete ones, as from resolve()
std::unique_ptr<AnyTransfer> make_transfer(
    const Kokkos::DefaultExecutionSpace& exec, const Options& options,
    const AnyTransfer::MembranePoints& positions);

/// A transfer with a part of the delta functions: null for others. Each part is
/// a source file of its own, since every delta function is a lot to compile.
std::unique_ptr<AnyTransfer> make_transfer_moments(
    const Kokkos::DefaultExecutionSpace& exec, const Options& options,
    const AnyTransfer::MembranePoints& positions);
std::unique_ptr<AnyTransfer> make_transfer_peskin(
    const Kokkos::DefaultExecutionSpace& exec, const Options& options,
    const AnyTransfer::MembranePoints& positions);
std::unique_ptr<AnyTransfer> make_transfer_splines(
    const Kokkos::DefaultExecutionSpace& exec, const Options& options,
    const AnyTransfer::MembranePoints& positions);

}  // namespace MembraneApp

#endif
