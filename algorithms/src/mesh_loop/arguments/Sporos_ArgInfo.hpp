// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ARGINFO_HPP
#define SPOROS_ARGINFO_HPP

/// \file Sporos_ArgInfo.hpp
/// Arguments of a loop without their types, so that checks and plans are
/// compiled once and not for every loop.

#include <Sporos_Mesh.hpp>
#include <Sporos_MissingArgs.hpp>
#include <mesh_loop/arguments/Sporos_MapRows.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <class T>
struct IsLoopArg : std::false_type {};
template <class D, class M, Access A, Reach R>
struct IsLoopArg<DatArg<D, M, A, R>> : std::true_type {};
template <class M>
struct IsLoopArg<ElementIndexArg<M>> : std::true_type {};
template <class T, int N, class M>
struct IsLoopArg<GlobalReadArg<T, N, M>> : std::true_type {};
template <class T, int N, class M, Reduction R>
struct IsLoopArg<GlobalReduceArg<T, N, M, R>> : std::true_type {};
template <class T, int N>
struct IsLoopArg<ValueArg<T, N>> : std::true_type {};
template <class T, int N, Reduction R>
struct IsLoopArg<HostReduceArg<T, N, R>> : std::true_type {};

/// Does an argument combine contributions through a map?
template <class Arg>
struct IncrementsThroughMap : std::false_type {};
template <class D, class M, Access A, Reach R>
struct IncrementsThroughMap<DatArg<D, M, A, R>>
    : std::bool_constant<accumulates_v<A> && R != Reach::direct> {};

/// Does it do so through a map that names no target for some elements?
template <class Arg>
struct IncrementsSome : std::false_type {};
template <class D, class M, Access A, Reach R>
struct IncrementsSome<DatArg<D, M, A, R>>
    : std::bool_constant<IncrementsThroughMap<DatArg<D, M, A, R>>::value &&
                         is_partial_v<M>> {};

/// Can what an argument contributes be combined atomically?
template <class Arg>
struct CombinesAtomically : std::true_type {};
template <class D, class M, Access A, Reach R>
struct CombinesAtomically<DatArg<D, M, A, R>>
    : std::bool_constant<!accumulates_v<A> ||
                         has_atomic_add_v<typename D::value_type>> {};

/// An argument as plans tell them apart.
struct ArgKey {
  const MapState* map   = nullptr;  ///< null: direct or global
  std::uint64_t version = 0;
  int index             = -1;  ///< of the map; -1: all
  Access access         = Access::read;
  int dat  = -1;  ///< the first argument through a map with this dat
  int pair = -1;  ///< the first argument with this dat, map and access
  /// For a direct increment, an argument that increments the same dat through a
  /// map, so that other elements may reach this one's values; -1: none.
  int meets = -1;
  /// A direct argument that changes a dat which another argument has, too.
  bool shared         = false;
  int components      = 0;
  int value_bytes     = 0;
  int value_alignment = 1;
  bool partial        = false;  ///< made by with_missing
  bool dynamic        = false;  ///< components counted at run time
  bool reduces        = false;  ///< a sum, minimum, ... of a global
  bool soa            = false;  ///< components far apart; tells no plans apart

  /// Does it combine contributions through a map?
  bool increments() const { return map != nullptr && access >= Access::inc; }
  /// Does it write where elements were promised to be disjoint?
  bool writes_through_map() const {
    return map != nullptr && (access == Access::write || access == Access::rw);
  }
  /// Does an element see values that it changes?
  bool sees_changes() const {
    return access == Access::rw || shared || meets >= 0;
  }
  /// Can a team keep it in scratch?
  bool stageable() const {
    return increments() || (map != nullptr && access == Access::read);
  }
  bool same_but_version(const ArgKey& o) const {
    return map == o.map && index == o.index && access == o.access &&
           dat == o.dat && pair == o.pair && meets == o.meets &&
           shared == o.shared && partial == o.partial && dynamic == o.dynamic &&
           components == o.components && value_bytes == o.value_bytes &&
           value_alignment == o.value_alignment && reduces == o.reduces;
  }
};

/// An argument of a loop. Points to its handles: it lives as long as they.
struct ArgInfo {
  ArgKey key;
  bool made          = true;   ///< false: a handle is made of nothing
  bool promised      = false;  ///< indirect writes are disjoint
  bool exact         = true;   ///< no sum whose value depends on the order
  bool element_index = false;  ///< it is element_index()
  // of reductions
  const char* reduction = nullptr;  ///< "sum", ...; null: none
  int reduced_bytes     = 0;        ///< of its values
  // of dats
  DatState* dat             = nullptr;  ///< null: not made
  const SetState* dat_set   = nullptr;  ///< null: no dat
  void* data                = nullptr;
  std::ptrdiff_t row_stride = 0, component_stride = 0;  ///< in values
  // of dats through maps
  bool through_map                        = false;
  bool single                             = false;  ///< one index of it
  const std::shared_ptr<MapState>* map    = nullptr;
  const void* view                        = nullptr;  ///< entries of the map
  MapEntries (*entries)(const void* view) = nullptr;
  /// For loops over subsets: a View with some rows of the map, for a pointer to
  /// the instance of the loop.
  MapEntries (*copy_rows)(const void* exec, const void* view, const int* list,
                          int n) = nullptr;
};

template <class Exec, class MemorySpace>
constexpr bool reaches_v =
    Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible;

template <class Exec, class D, class M, Access A, Reach R>
ArgInfo info_of(const DatArg<D, M, A, R>& arg) {
  static_assert(reaches_v<Exec, typename D::memory_space>,
                "Sporos::par_loop: the execution space cannot access the "
                "memory of a dat");
  ArgInfo a;
  a.key.access          = A;
  a.key.components      = arg.dat.is_made() ? arg.dat.component_count() : 1;
  a.key.dynamic         = D::components == dynamic_components;
  a.key.value_bytes     = int(sizeof(typename D::value_type));
  a.key.value_alignment = int(alignof(typename D::value_type));
  a.key.soa          = !std::is_same_v<typename D::layout, Kokkos::LayoutRight>;
  a.made             = arg.dat.is_made();
  a.dat              = arg.dat.shared().get();
  a.dat_set          = arg.dat.set().state().get();
  a.data             = arg.dat.view().data();
  a.row_stride       = std::ptrdiff_t(arg.dat.view().stride(0));
  a.component_stride = std::ptrdiff_t(arg.dat.view().stride(1));
  a.promised         = arg.promised;
  if constexpr (R != Reach::direct) {
    static_assert(reaches_v<Exec, typename M::memory_space>,
                  "Sporos::par_loop: the execution space cannot access the "
                  "memory of a map");
    a.through_map = true;
    a.single      = R == Reach::single;
    a.map         = &arg.map.state();
    a.key.map     = a.map->get();
    a.key.index   = R == Reach::single ? arg.index : -1;
    a.key.partial = is_partial_v<M>;
    a.view        = &arg.map.view();
    a.entries     = entries_of_pointer<typename M::view_type>;
    if (a.key.map == nullptr)
      a.made = false;
    else
      a.key.version = a.key.map->version;
  }
  return a;
}

template <class Exec, class M, class Arg>
ArgInfo info_of_global(const Arg& arg) {
  static_assert(reaches_v<Exec, M>,
                "Sporos::par_loop: the execution space cannot access the "
                "memory of a global");
  ArgInfo a;
  a.made = arg.global.is_made();
  return a;
}
template <class Exec, class T, int N, class M>
ArgInfo info_of(const GlobalReadArg<T, N, M>& arg) {
  return info_of_global<Exec, M>(arg);
}
/// Says that an argument is a reduction of N values of type T.
template <Reduction R, class T, int N>
void set_reduction(ArgInfo& a) {
  a.key.reduces   = true;
  a.exact         = R != Reduction::sum || is_exact_type_v<T>;
  a.reduction     = R == Reduction::sum   ? "sum"
                    : R == Reduction::min ? "min"
                    : R == Reduction::max ? "max"
                                          : "write";
  a.reduced_bytes = N * int(sizeof(T));
}
template <class Exec, class T, int N, class M, Reduction R>
ArgInfo info_of(const GlobalReduceArg<T, N, M, R>& arg) {
  ArgInfo a = info_of_global<Exec, M>(arg);
  set_reduction<R, T, N>(a);
  return a;
}
template <class Exec, class M>
ArgInfo info_of(const ElementIndexArg<M>&) {
  ArgInfo a;
  a.element_index = true;
  return a;
}
template <class Exec, class T, int N>
ArgInfo info_of(const ValueArg<T, N>&) {
  return {};
}
template <class Exec, class T, int N, Reduction R>
ArgInfo info_of(const HostReduceArg<T, N, R>&) {
  ArgInfo a;
  set_reduction<R, T, N>(a);
  return a;
}

}  // namespace Impl
}  // namespace Sporos

#endif
