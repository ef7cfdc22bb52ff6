// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COMPILED_HPP
#define SPOROS_COMPILED_HPP

/// \file Sporos_Compiled.hpp
/// Which algorithms a call compiles: fewer take less time.

namespace Sporos {
namespace Impl {

enum class Compiled {
  automatic,  ///< what `automatic` may choose, and a plain one
  all,        ///< all: options may ask for any
  any_ranks   ///< what LoopOptions::any_ranks needs
};

}  // namespace Impl
}  // namespace Sporos

#endif
