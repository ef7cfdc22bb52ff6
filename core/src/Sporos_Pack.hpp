// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACK_HPP
#define SPOROS_PACK_HPP

/// \file Sporos_Pack.hpp
/// Pack: W numbers in SIMD registers on hosts.
///
/// A kernel that is a template over its real type runs W elements at once if it
/// is called with `Pack<double, W>`. Packs use the vector extensions of GCC and
/// Clang; for other compilers and in CUDA sources they are arrays of W scalars.

#include <Sporos_PackMath.hpp>
#include <Sporos_PackRows.hpp>
#include <Sporos_PackShuffle.hpp>
#include <Sporos_PackType.hpp>

#endif
