// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TRANSFERCOMPILED_HPP
#define SPOROS_TRANSFERCOMPILED_HPP

/// \file Sporos_TransferCompiled.hpp
/// What the library Sporos::compiled has of particle-grid transfer: programs
/// that link it do not compile that again.

#include <particle_grid/calls/Sporos_TransferDispatch.hpp>

// In namespace Sporos. KEYWORD: extern, or nothing for the definitions.

/// For Sporos::compiled.
#define SPOROS_INSTANCES_OF_BINS(KEYWORD, Dim, Real, Support)                 \
  KEYWORD template void Impl::update_bins(                                    \
      const char*, const Kokkos::DefaultExecutionSpace&,                      \
      Impl::ParticleBins<Kokkos::DefaultExecutionSpace, Dim, Real, Support>&, \
      const Impl::PointPositions<const Real, Dim>&, const std::uint8_t*);

/// For Sporos::compiled.
#define SPOROS_INSTANCES_OF_GROUP(KEYWORD, What, Dim, Real, Delta, ...)  \
  KEYWORD template void Impl::run_spread<Impl::Compiled::What>(          \
      const Kokkos::DefaultExecutionSpace&,                              \
      Impl::PlanState<Kokkos::DefaultExecutionSpace, Dim, Real, Delta>&, \
      const Impl::TransferGroup<Real, const Real, Dim, __VA_ARGS__>&,    \
      SpreadAlgorithm, int, const Impl::SweepBuffer<Real>&);             \
  KEYWORD template void Impl::run_interpolate<Impl::Compiled::What>(     \
      const Kokkos::DefaultExecutionSpace&,                              \
      Impl::PlanState<Kokkos::DefaultExecutionSpace, Dim, Real, Delta>&, \
      const Impl::TransferGroup<const Real, Real, Dim, __VA_ARGS__>&,    \
      InterpolateAlgorithm);

/// Plans, and calls with scalars, with components, on the faces of cells, and
/// with options (scalars only)
#define SPOROS_INSTANCES_OF_PLAN(KEYWORD, Dim, Real, Delta)                    \
  KEYWORD template std::shared_ptr<                                            \
      Impl::PlanState<Kokkos::DefaultExecutionSpace, Dim, Real, Delta>>        \
  Impl::make_plan_state(const Grid<Dim, Real>&, const Delta&,                  \
                        const std::optional<GridWindow<Dim>>&,                 \
                        const PlanOptions&);                                   \
  KEYWORD template std::string                                                 \
  ParticleGridPlan<Kokkos::DefaultExecutionSpace, Dim, Real, Delta>::describe( \
      const Kokkos::DefaultExecutionSpace&) const;                             \
  SPOROS_INSTANCES_OF_GROUP(KEYWORD, automatic, Dim, Real, Delta, 1)           \
  SPOROS_INSTANCES_OF_GROUP(KEYWORD, automatic, Dim, Real, Delta,              \
                            Impl::max_group)                                   \
  SPOROS_INSTANCES_OF_GROUP(KEYWORD, automatic, Dim, Real, Delta, Dim,         \
                            Impl::GroupKind::faces)                            \
  SPOROS_INSTANCES_OF_GROUP(KEYWORD, all, Dim, Real, Delta, 1)

#ifdef SPOROS_COMPILED
#include <Sporos_CompiledTransfers.hpp>
#endif

#endif
