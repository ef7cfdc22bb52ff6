// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPCHECKS_HPP
#define SPOROS_LOOPCHECKS_HPP

/// \file Sporos_LoopChecks.hpp
/// Preconditions of a loop's arguments, and the keys by which plans are found.

#include <Sporos_Error.hpp>
#include <mesh_loop/arguments/Sporos_LoopArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

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

/// Can what an argument contributes be combined atomically?
template <class Arg>
struct CombinesAtomically : std::true_type {};
template <class D, class M, Access A, Reach R>
struct CombinesAtomically<DatArg<D, M, A, R>>
    : std::bool_constant<!accumulates_v<A> ||
                         has_atomic_add_v<typename D::value_type>> {};

inline const char* name(Access a) {
  return a == Access::read    ? "read"
         : a == Access::write ? "write"
         : a == Access::rw    ? "rw"
         : a == Access::min   ? "min"
         : a == Access::max   ? "max"
                              : "inc";
}

/// "argument 2, inc(res, edge_cells)"
template <class D, class M, Access A, Reach R>
std::string argument_name(int number, const DatArg<D, M, A, R>& arg) {
  std::string s = "argument " + std::to_string(number) + ", " + name(A) + "(" +
                  arg.dat.name();
  if constexpr (R != Reach::direct) s += ", " + arg.map.name();
  if constexpr (R == Reach::single) s += ", " + std::to_string(arg.index);
  return s + ")";
}

template <class Arg>
std::string argument_name(int number, const Arg&) {
  return "argument " + std::to_string(number) + ", a global";
}

template <class Exec, class MemorySpace>
constexpr bool reaches_v =
    Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible;

/// Throws std::invalid_argument unless the argument fits a loop over `set`.
template <class Exec, class D, class M, Access A, Reach R>
void check_argument(const Set& set, int number, const DatArg<D, M, A, R>& arg) {
  static_assert(reaches_v<Exec, typename D::memory_space>,
                "Sporos::par_loop: the execution space cannot access the "
                "memory of a dat");
  const char* const where = "Sporos::par_loop";
  if (!arg.dat.is_made())
    check_handle(false, where, argument_name(number, arg).c_str());
  if constexpr (R == Reach::direct) {
    if (arg.dat.set() != set)
      check(false, where, argument_name(number, arg).c_str(),
            text("a dat on the set of the loop, ", set.name(), " (size ",
                 set.size(), "), or a map"),
            text("a dat on ", arg.dat.set().name(), " (size ",
                 arg.dat.set().size(), ")"));
  } else {
    static_assert(reaches_v<Exec, typename M::memory_space>,
                  "Sporos::par_loop: the execution space cannot access the "
                  "memory of a map");
    if (!arg.map.state())
      check_handle(false, where, argument_name(number, arg).c_str());
    if (arg.map.from() != set)
      check(false, where, argument_name(number, arg).c_str(),
            text("a map from the set of the loop, ", set.name(), " (size ",
                 set.size(), ")"),
            text("a map from ", arg.map.from().name(), " (size ",
                 arg.map.from().size(), ")"));
    if (arg.map.to() != arg.dat.set())
      check(false, where, argument_name(number, arg).c_str(),
            text("a dat on the target set of the map, ", arg.map.to().name(),
                 " (size ", arg.map.to().size(), ")"),
            text("a dat on ", arg.dat.set().name(), " (size ",
                 arg.dat.set().size(), ")"));
    if (R == Reach::single && (arg.index < 0 || arg.index >= arg.map.arity()))
      check(false, where, argument_name(number, arg).c_str(),
            text("a map index in [0, ", arg.map.arity(), ")"), arg.index);
    if ((A == Access::write || A == Access::rw) && !arg.promised)
      check(false, where, argument_name(number, arg).c_str(),
            "the promise that no target is written twice, Sporos::disjoint, "
            "for a write through a map",
            "none");
  }
}

template <class Exec, class M, class Arg>
void check_global(int number, const Arg& arg) {
  static_assert(reaches_v<Exec, M>,
                "Sporos::par_loop: the execution space cannot access the "
                "memory of a global");
  if (!arg.global.is_made())
    check_handle(false, "Sporos::par_loop", argument_name(number, arg).c_str());
}
template <class Exec, class T, int N, class M>
void check_argument(const Set&, int number, const GlobalReadArg<T, N, M>& arg) {
  check_global<Exec, M>(number, arg);
}
template <class Exec, class T, int N, class M, Reduction R>
void check_argument(const Set&, int number,
                    const GlobalReduceArg<T, N, M, R>& arg) {
  check_global<Exec, M>(number, arg);
}
template <class Exec, class M>
void check_argument(const Set&, int, const ElementIndexArg<M>&) {}
template <class Exec, class T, int N>
void check_argument(const Set&, int, const ValueArg<T, N>&) {}
template <class Exec, class T, int N, Reduction R>
void check_argument(const Set&, int, const HostReduceArg<T, N, R>&) {}

/// What plans know of an argument, and where its dat lies.
struct KeyAndData {
  ArgKey key;
  const void* data = nullptr;
};

template <class Arg>
KeyAndData key_of(const Arg&) {
  return {};
}
template <class D, class M, Access A, Reach R>
KeyAndData key_of(const DatArg<D, M, A, R>& arg) {
  KeyAndData k;
  k.key.access          = A;
  k.key.components      = D::components;
  k.key.value_bytes     = int(sizeof(typename D::value_type));
  k.key.value_alignment = int(alignof(typename D::value_type));
  k.key.soa = !std::is_same_v<typename D::layout, Kokkos::LayoutRight>;
  k.data    = arg.dat.view().data();
  if constexpr (R != Reach::direct) {
    k.key.map     = arg.map.state().get();
    k.key.version = arg.map.version();
    k.key.index   = R == Reach::single ? arg.index : -1;
  }
  return k;
}

/// May two arguments have one dat? Where both are direct, both write through
/// maps (the promise is one for both together), or both do the same.
inline bool may_share(const ArgKey& a, const ArgKey& b) {
  if (a.map == nullptr && b.map == nullptr) return true;
  if (a.writes_through_map() && b.writes_through_map()) return true;
  return a.access == b.access && a.access != Access::write &&
         a.access != Access::rw;
}

/// Throws if an argument changes a dat that another one reaches, at other
/// elements.
template <class... Args>
void check_dats_apart(const Args&... args) {
  constexpr std::size_t n = sizeof...(Args);
  const std::array<KeyAndData, n> all{{key_of(args)...}};
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (all[i].data == nullptr || all[i].data != all[j].data ||
          may_share(all[i].key, all[j].key))
        continue;
      int number                             = 0;
      const std::array<std::string, n> names = {
          {argument_name(number++, args)...}};
      throw_invalid("Sporos::par_loop", names[i].c_str(),
                    "a dat of its own, since loops that both read and change "
                    "one through maps depend on the order of elements "
                    "(increment another one and add that in a direct loop)",
                    "that of ", names[j]);
    }
}

/// All arguments by themselves, and beside one another.
template <class Exec, class... Args>
void check_arguments([[maybe_unused]] const Set& set, const Args&... args) {
  [[maybe_unused]] int number = 0;
  (check_argument<Exec>(set, number++, args), ...);
  check_dats_apart(args...);
}

/// Keys of all arguments; `dat` is the first argument with the same dat, `pair`
/// that with the same map and access, too; `meets`, for a direct increment, the
/// first that increments the same dat through a map.
template <class... Args>
std::array<ArgKey, sizeof...(Args)> keys_of(const Args&... args) {
  constexpr std::size_t n = sizeof...(Args);
  const std::array<KeyAndData, n> all{{key_of(args)...}};
  std::array<ArgKey, n> keys;
  for (std::size_t i = 0; i < n; ++i) {
    keys[i]     = all[i].key;
    keys[i].dat = keys[i].pair = int(i);
    for (std::size_t j = n; j-- > 0;) {
      const ArgKey& other = all[j].key;
      if (all[j].data != all[i].data || other.map == nullptr) continue;
      const bool same_access = other.access == keys[i].access;
      if (keys[i].map == nullptr) {
        if (same_access && other.increments()) keys[i].meets = int(j);
      } else if (j < i) {
        keys[i].dat = int(j);
        if (same_access && other.map == keys[i].map) keys[i].pair = int(j);
      }
    }
  }
  return keys;
}

}  // namespace Impl
}  // namespace Sporos

#endif
