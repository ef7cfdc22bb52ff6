// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPCOMPILED_HPP
#define SPOROS_LOOPCOMPILED_HPP

/// \file Sporos_LoopCompiled.hpp
/// What the library Sporos::compiled has of mesh loops, their plans: programs
/// that link it do not compile that again.

#include <mesh_loop/plan/Sporos_PlanCache.hpp>

// In namespace Sporos. KEYWORD: extern, or nothing for the definitions.

/// For Sporos::compiled.
#define SPOROS_INSTANCES_OF_LOOP_PLANS(KEYWORD, What)                         \
  KEYWORD template std::shared_ptr<                                           \
      Impl::LoopPlanState<Kokkos::DefaultExecutionSpace>>                     \
  Impl::find_plan<Impl::Compiled::What>(const Kokkos::DefaultExecutionSpace&, \
                                        const Impl::PlanRequest&);

/// For Sporos::compiled.
#define SPOROS_INSTANCES_OF_LOOPS(KEYWORD)                           \
  SPOROS_INSTANCES_OF_LOOP_PLANS(KEYWORD, automatic)                 \
  SPOROS_INSTANCES_OF_LOOP_PLANS(KEYWORD, any_ranks)                 \
  SPOROS_INSTANCES_OF_LOOP_PLANS(KEYWORD, all)                       \
  KEYWORD template std::int64_t Impl::first_out_of_range(            \
      const Kokkos::DefaultExecutionSpace&, const Impl::EntryTable&, \
      std::int64_t, int, int);

#ifdef SPOROS_COMPILED
namespace Sporos {
SPOROS_INSTANCES_OF_LOOPS(extern)
}
#endif

#endif
