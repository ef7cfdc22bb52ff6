// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACK_HPP
#define SPOROS_PACK_HPP

/// \file Sporos_Pack.hpp
/// W lanes of an arithmetic type that compilers keep in SIMD registers on
/// hosts.
///
/// A kernel that is a template over its real type runs W elements at once when
/// it is called with `Pack<double, W>`. Built on the vector extensions of GCC
/// and Clang; other compilers and CUDA sources see an array of W scalars.

#include "Sporos_PackMath.hpp"
#include "Sporos_PackRows.hpp"
#include "Sporos_PackShuffle.hpp"
#include "Sporos_PackType.hpp"

#endif  // SPOROS_PACK_HPP
