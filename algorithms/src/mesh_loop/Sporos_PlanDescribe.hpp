// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANDESCRIBE_HPP
#define SPOROS_PLANDESCRIBE_HPP
#include <mesh_loop/Sporos_PlanBlocks.hpp>
#include <mesh_loop/Sporos_PlanData.hpp>
namespace Sporos {
namespace Impl {
template <class Memory>
std::string describe_plan(const PlanData<Memory>& plan) {
  return plan.why;
}
}  // namespace Impl
}  // namespace Sporos
#endif
