// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_OWNEDARGS_HPP
#define SPOROS_OWNEDARGS_HPP

/// \file Sporos_OwnedArgs.hpp
/// Contributions through maps of which a block applies those to its own
/// targets.

#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>

#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// The first target, of `size`, that block b of `blocks` owns.
inline int first_owned(int size, int b, int blocks) {
  return int(std::int64_t(size) * b / blocks);
}

/// A dat in memory, whose targets begin, ..., end - 1 get contributions.
template <class T, int N, int Arity, class Rows, class Target, Access A>
struct BoundOwned : BoundDat<T, N, Arity, Rows, Target, A> {
  static constexpr bool owned = true;
  int size                    = 0;  ///< of the set
  int begin = 0, end = 0;

  void own(int b, int blocks) {
    begin = first_owned(size, b, blocks);
    end   = first_owned(size, b + 1, blocks);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool owns(int e, int i) const {
    return unsigned(this->target(e, i) - begin) < unsigned(end - begin);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int e, const T* v) const {
    SPOROS_UNROLL
    for (int i = 0; i < Arity; ++i) {
      if (!owns(e, i)) continue;
      T* const row = this->rows.row(this->target(e, i));
      SPOROS_UNROLL
      for (int c = 0; c < N; ++c)
        contribute<A>(row[c * this->rows.component_stride()], v[i * N + c]);
    }
  }
};

template <class Arg, class = void>
constexpr bool is_owned_v = false;
template <class Arg>
constexpr bool is_owned_v<Arg, std::enable_if_t<Arg::owned>> = true;

/// Block b of the targets of an argument.
template <class Arg>
void own_targets(Arg& arg, int b, int blocks) {
  if constexpr (is_owned_v<Arg>) arg.own(b, blocks);
}
/// Are all targets of these elements the block's own?
template <int W, class Arg, class Elements>
SPOROS_ALWAYS_INLINE bool owns_targets(const Arg& arg,
                                       const Elements& elements) {
  bool all = true;
  if constexpr (is_owned_v<Arg>)
    for (int lane = 0; lane < W; ++lane)
      for (int i = 0; i < Arg::arity; ++i) all &= arg.owns(elements(lane), i);
  return all;
}

}  // namespace Impl
}  // namespace Sporos

#endif
