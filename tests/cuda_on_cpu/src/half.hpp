// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point numbers of 16 bits.
#pragma once
#include "ops.hpp"

namespace ptxrun {

float half_to_float(u16 h);
u16 double_to_half(double x, int mode);  // mode: FE_TONEAREST ...
float bf16_to_float(u16 h);
u16 float_to_bf16(float x, bool zero);  // zero: rounds towards it

}  // namespace ptxrun
