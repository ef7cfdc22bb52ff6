// expects: Sporos::BSpline: Support must be 2 to 16
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_DeltaFunctions.hpp>

constexpr int refused = Sporos::BSpline<17>::support;
