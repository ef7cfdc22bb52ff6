// expects: Sporos::par_loop: the plan was made for another execution space
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParLoop.hpp>

struct Kernel {
  void operator()(Sporos::Read<double, 1>) const {}
};

struct OtherSpace : Kokkos::DefaultExecutionSpace {};

void refused(const Sporos::Set& set, const Sporos::Dat<double>& dat,
             const Sporos::LoopPlan<OtherSpace>& plan) {
  Sporos::par_loop("refused", Kokkos::DefaultExecutionSpace{}, set, plan,
                   Kernel{}, Sporos::read(dat));
}
