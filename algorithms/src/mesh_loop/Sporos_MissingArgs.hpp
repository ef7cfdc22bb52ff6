// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MISSINGARGS_HPP
#define SPOROS_MISSINGARGS_HPP

/// \file Sporos_MissingArgs.hpp
/// Arguments of loops through maps whose negative entries name nothing. Users
/// include Sporos_ParLoop.hpp.
///
/// \code
///   const Sporos::Map<3> unknowns("unknowns", cells, free, entries,
///                                 Sporos::MissingEntries::allowed);
///   Sporos::par_loop("assemble", exec, cells, Assemble{},
///                    with_missing(read(u, unknowns), 1.),
///                    with_missing(inc(residual, unknowns)));
/// \endcode

#include <Sporos_LoopArgs.hpp>

namespace Sporos {
namespace Impl {

/// A map whose negative entries name nothing: an argument reads `value` there.
template <class MapType, class T>
struct PartialMap : MapType {
  T value;
};

template <class MapType>
constexpr bool is_partial_v = false;
template <class MapType, class T>
constexpr bool is_partial_v<PartialMap<MapType, T>> = true;

}  // namespace Impl

/// An argument through a map with MissingEntries::allowed. Where an entry is
/// negative, all components read `value`, and what the kernel writes or
/// contributes is dropped. Works with all maps; where none of the entries may
/// be negative, loops are faster without it.
/// \param arg read, write, rw, inc, min or max through a map
/// \param value what read and rw see, and write if the kernel leaves it alone
template <class D, class M, Access A, Impl::Reach R>
auto with_missing(const Impl::DatArg<D, M, A, R>& arg,
                  const typename D::value_type& value = {}) {
  static_assert(R != Impl::Reach::direct,
                "Sporos::with_missing: the argument must go through a map");
  using Partial = Impl::PartialMap<M, typename D::value_type>;
  return Impl::DatArg<D, Partial, A, R>{arg.dat, Partial{arg.map, value},
                                        arg.index, arg.promised};
}

}  // namespace Sporos

#endif
