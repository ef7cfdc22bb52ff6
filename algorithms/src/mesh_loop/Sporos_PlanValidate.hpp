// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANVALIDATE_HPP
#define SPOROS_PLANVALIDATE_HPP
#include <mesh_loop/Sporos_PlanBlocks.hpp>
#include <mesh_loop/Sporos_PlanData.hpp>
namespace Sporos {
namespace Impl {
template <class Memory>
std::string validate_plan(const PlanData<Memory>&) {
  return "";
}
template <class Memory, class... Args>
void check_promises(const PlanData<Memory>&, const SetRange&, const Args&...) {}
}  // namespace Impl
}  // namespace Sporos
#endif
