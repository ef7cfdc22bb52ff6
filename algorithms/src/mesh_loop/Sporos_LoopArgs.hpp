// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPARGS_HPP
#define SPOROS_LOOPARGS_HPP

/// \file Sporos_LoopArgs.hpp
/// How a loop accesses its data: read, write, rw, inc, min, max of dats, direct
/// or through a map; read, write, sum, min, max of globals; the element's
/// number. Users include Sporos_ParLoop.hpp.

#include <Sporos_Mesh.hpp>
#include <Sporos_Accessors.hpp>

#include <cstddef>
#include <type_traits>

namespace Sporos {

/// What a loop does with data: reads, overwrites, reads and writes, or combines
/// contributions of its elements: sum, minimum, maximum.
enum class Access { read, write, rw, inc, min, max };

/// Your promise that no two elements of the loop reach one target through this
/// map, or through it and other maps with which arguments write the same dat.
/// Loops write through a map only with this promise. If one element reaches a
/// target twice, the later argument and index win, assigned or not.
struct Disjoint {};
constexpr Disjoint disjoint{};  ///< The promise.

namespace Impl {

/// Does the access combine contributions, so that targets may be shared?
template <Access A>
constexpr bool accumulates_v = A >= Access::inc;
template <Access A>
constexpr Reduction reduction_v = A == Access::min   ? Reduction::min
                                  : A == Access::max ? Reduction::max
                                                     : Reduction::sum;

/// What changes no value that it is combined with.
template <Access A, class T>
KOKKOS_FORCEINLINE_FUNCTION T no_contribution() {
  return reduction_identity<reduction_v<A>, T>();
}
template <Access A, class T>
KOKKOS_FORCEINLINE_FUNCTION void contribute(T& value, T v) {
  value = combine<reduction_v<A>>(value, v);
}

/// Which elements of a dat an argument reaches.
enum class Reach {
  direct,  ///< the element of the loop itself
  single,  ///< one index of a map
  all      ///< all indices of a map
};

/// Stands for the map of a direct argument.
struct NoMap {
  static constexpr int static_arity = 1;
};

/// Stands for the map of a direct argument of a loop over a subset: element k
/// is list[k].
struct ListMap {
  static constexpr int static_arity = 1;
  const int* list                   = nullptr;
};

/// An access of a loop to a dat.
template <class DatType, class MapType, Access A, Reach R>
struct DatArg {
  using value_type = typename DatType::value_type;
  /// for which there are registers
  static constexpr int components = DatType::components == dynamic_components
                                        ? most_dynamic_components
                                        : DatType::components;
  /// elements of the dat that one element of the loop reaches
  static constexpr int arity = R == Reach::all ? MapType::static_arity : 1;
  static_assert(R != Reach::all || MapType::static_arity != dynamic_arity,
                "Sporos::par_loop: an argument through all indices of a map "
                "needs a constant arity: write map.fixed<Arity>()");

  DatType dat;
  MapType map;
  int index     = 0;
  bool promised = false;  ///< indirect writes are disjoint
};

/// Values that are read by every element.
template <class T, int N, class MemorySpace>
struct GlobalReadArg {
  using value_type = T;
  Global<T, N, MemorySpace> global;
};

/// Can values be added so that the sum does not depend on their order?
template <class T>
constexpr bool is_exact_type_v =
    std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_integral_v<T>;

/// What chunks leave of a reduction.
template <class T, Reduction R>
using partial_type = std::conditional_t<R == Reduction::last, Written<T>, T>;

/// A reduction into a global.
template <class T, int N, class MemorySpace, Reduction R>
struct GlobalReduceArg {
  using value_type                     = T;
  static constexpr int components      = N;
  static constexpr Reduction reduction = R;
  Global<T, N, MemorySpace> global;
};

/// A value of the host that is read by every element: copied now.
template <class T, int N>
struct ValueArg {
  using value_type = T;
  T value[N];
};

/// A reduction into N values of the host.
template <class T, int N, Reduction R>
struct HostReduceArg {
  static_assert(!std::is_const_v<T>,
                "Sporos::par_loop: the variable of sum, min or max must not be "
                "const");
  using value_type                     = T;
  static constexpr int components      = N;
  static constexpr Reduction reduction = R;
  T* target;
};

/// A reduction into N values in memory of the loop's space.
template <class T, int N, Reduction R>
struct ReduceArg {
  using value_type                     = T;
  static constexpr int components      = N;
  static constexpr Reduction reduction = R;
  T* target;
  bool accumulate = true;  ///< combine with what is there, or overwrite it
  // of write, see BoundWrite
  int* element     = nullptr;
  const int* order = nullptr;
};

template <class Arg, class = void>
inline constexpr bool is_reduction_v = false;
template <class Arg>
inline constexpr bool
    is_reduction_v<Arg, std::void_t<decltype(Arg::reduction)>> = true;

/// Is it a sum that LoopOptions::any_ranks makes without rounding?
template <class Arg, bool = is_reduction_v<Arg>>
inline constexpr bool is_exact_sum_v = false;
template <class Arg>
inline constexpr bool is_exact_sum_v<Arg, true> =
    Arg::reduction ==
    Reduction::sum&& is_exact_type_v<typename Arg::value_type>;

/// Is an argument no sum, or one that LoopOptions::any_ranks can make?
template <class Arg, bool = is_reduction_v<Arg>>
inline constexpr bool adds_exactly_v = true;
template <class Arg>
inline constexpr bool adds_exactly_v<Arg, true> =
    Arg::reduction != Reduction::sum || is_exact_sum_v<Arg>;

/// The number of the element. MapType: NoMap, or ListMap
template <class MapType>
struct ElementIndexArg {
  using value_type = int;
  MapType map;
};

template <Access A, class T, int N, class L, class M>
auto direct_arg(const Dat<T, N, L, M>& dat) {
  return DatArg<Dat<T, N, L, M>, NoMap, A, Reach::direct>{dat, NoMap{}};
}
template <Access A, class T, int N, class L, class M, int Arity>
auto single_arg(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index,
                bool promised = false) {
  return DatArg<Dat<T, N, L, M>, Map<Arity, M>, A, Reach::single>{
      dat, map, index, promised};
}
template <Access A, class T, int N, class L, class M, int Arity>
auto all_arg(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map,
             bool promised = false) {
  return DatArg<Dat<T, N, L, M>, Map<Arity, M>, A, Reach::all>{dat, map, 0,
                                                               promised};
}

template <class T>
constexpr bool is_value_v = std::is_arithmetic_v<T>;

}  // namespace Impl

/// Read the element's own values: Read<T, N>.
template <class T, int N, class L, class M>
auto read(const Dat<T, N, L, M>& dat) {
  return Impl::direct_arg<Access::read>(dat);
}
/// Read the values of the element at index `index` of the map: Read<T, N>.
template <class T, int N, class L, class M, int Arity>
auto read(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index) {
  return Impl::single_arg<Access::read>(dat, map, index);
}
/// Read the values of all elements that the map names: Read<T, N, Arity>.
template <class T, int N, class L, class M, int Arity>
auto read(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map) {
  return Impl::all_arg<Access::read>(dat, map);
}
/// Read values that all elements share: GlobalRead<T, N>.
template <class T, int N, class M>
auto read(const Global<T, N, M>& global) {
  return Impl::GlobalReadArg<T, N, M>{global};
}
/// Read a number of the host, copied by this call: GlobalRead<T, 1>.
template <class T, class = std::enable_if_t<Impl::is_value_v<T>>>
auto read(T value) {
  return Impl::ValueArg<T, 1>{{value}};
}
/// Read N numbers of the host, copied by this call: GlobalRead<T, N>.
template <class T, std::size_t N, class = std::enable_if_t<Impl::is_value_v<T>>>
auto read(const T (&values)[N]) {
  Impl::ValueArg<T, int(N)> arg;
  for (std::size_t c = 0; c < N; ++c) arg.value[c] = values[c];
  return arg;
}

/// Overwrite the element's own values: Write<T, N>.
template <class T, int N, class L, class M>
auto write(const Dat<T, N, L, M>& dat) {
  return Impl::direct_arg<Access::write>(dat);
}
/// Overwrite through a map: Write<T, N>. You promise that no two elements reach
/// one target: write(dat, map, index, disjoint).
template <class T, int N, class L, class M, int Arity>
auto write(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index,
           Disjoint) {
  return Impl::single_arg<Access::write>(dat, map, index, true);
}
/// Overwrite all elements that the map names: Write<T, N, Arity>. You promise
/// that no two elements reach one target.
template <class T, int N, class L, class M, int Arity>
auto write(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, Disjoint) {
  return Impl::all_arg<Access::write>(dat, map, true);
}
/// Overwrite through a map without the promise: par_loop throws
/// std::invalid_argument.
template <class T, int N, class L, class M, int Arity>
auto write(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index) {
  return Impl::single_arg<Access::write>(dat, map, index);
}
/// Overwrite all elements that the map names without the promise: par_loop
/// throws std::invalid_argument.
template <class T, int N, class L, class M, int Arity>
auto write(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map) {
  return Impl::all_arg<Access::write>(dat, map);
}

/// Read and write the element's own values: ReadWrite<T, N>.
template <class T, int N, class L, class M>
auto rw(const Dat<T, N, L, M>& dat) {
  return Impl::direct_arg<Access::rw>(dat);
}
/// Read and write through a map, with the same promise as write.
template <class T, int N, class L, class M, int Arity>
auto rw(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index,
        Disjoint) {
  return Impl::single_arg<Access::rw>(dat, map, index, true);
}
/// Read and write all elements that the map names, with the same promise as
/// write: ReadWrite<T, N, Arity>.
template <class T, int N, class L, class M, int Arity>
auto rw(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, Disjoint) {
  return Impl::all_arg<Access::rw>(dat, map, true);
}
/// Read and write through a map without the promise: par_loop throws
/// std::invalid_argument.
template <class T, int N, class L, class M, int Arity>
auto rw(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index) {
  return Impl::single_arg<Access::rw>(dat, map, index);
}
/// Read and write all elements that the map names without the promise: par_loop
/// throws std::invalid_argument.
template <class T, int N, class L, class M, int Arity>
auto rw(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map) {
  return Impl::all_arg<Access::rw>(dat, map);
}

/// Increment the element's own values: Inc<T, N>.
template <class T, int N, class L, class M>
auto inc(const Dat<T, N, L, M>& dat) {
  return Impl::direct_arg<Access::inc>(dat);
}
/// Increment the values of the element at one index of the map: Inc<T, N>.
template <class T, int N, class L, class M, int Arity>
auto inc(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index) {
  return Impl::single_arg<Access::inc>(dat, map, index);
}
/// Increment the values of all elements that the map names: Inc<T, N, Arity>.
template <class T, int N, class L, class M, int Arity>
auto inc(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map) {
  return Impl::all_arg<Access::inc>(dat, map);
}

/// The minimum of the element's own values and its contributions, component by
/// component: Reduce<T, N>.
template <class T, int N, class L, class M>
auto min(const Dat<T, N, L, M>& dat) {
  return Impl::direct_arg<Access::min>(dat);
}
/// The minimum of the values of the element at one index of the map and the
/// contributions of all elements: Reduce<T, N>.
template <class T, int N, class L, class M, int Arity>
auto min(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index) {
  return Impl::single_arg<Access::min>(dat, map, index);
}
/// The minimum for all elements that the map names: Reduce<T, N, Arity>.
template <class T, int N, class L, class M, int Arity>
auto min(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map) {
  return Impl::all_arg<Access::min>(dat, map);
}

/// The maximum of the element's own values and its contributions, component by
/// component: Reduce<T, N>.
template <class T, int N, class L, class M>
auto max(const Dat<T, N, L, M>& dat) {
  return Impl::direct_arg<Access::max>(dat);
}
/// The maximum of the values of the element at one index of the map and the
/// contributions of all elements: Reduce<T, N>.
template <class T, int N, class L, class M, int Arity>
auto max(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map, int index) {
  return Impl::single_arg<Access::max>(dat, map, index);
}
/// The maximum for all elements that the map names: Reduce<T, N, Arity>.
template <class T, int N, class L, class M, int Arity>
auto max(const Dat<T, N, L, M>& dat, const Map<Arity, M>& map) {
  return Impl::all_arg<Access::max>(dat, map);
}

/// The number of the element in its set: an int, or ElementIndex<Real> for
/// kernels that are templates over their real type.
inline auto element_index() { return Impl::ElementIndexArg<Impl::NoMap>{}; }

/// Add the contributions of the elements to a global: Reduce<T, N>. The sum
/// starts from the value of the global.
template <class T, int N, class M>
auto sum(const Global<T, N, M>& global) {
  return Impl::GlobalReduceArg<T, N, M, Impl::Reduction::sum>{global};
}
/// Write a global: GlobalWrite<T, N>. For each component the last element that
/// assigns it wins, in the order of the set or of a subset's list. If no
/// element assigns it, it keeps its value.
template <class T, int N, class M>
auto write(const Global<T, N, M>& global) {
  return Impl::GlobalReduceArg<T, N, M, Impl::Reduction::last>{global};
}
/// The minimum of the contributions and the value of the global: Reduce<T, N>.
template <class T, int N, class M>
auto min(const Global<T, N, M>& global) {
  return Impl::GlobalReduceArg<T, N, M, Impl::Reduction::min>{global};
}
/// The maximum of the contributions and the value of the global: Reduce<T, N>.
template <class T, int N, class M>
auto max(const Global<T, N, M>& global) {
  return Impl::GlobalReduceArg<T, N, M, Impl::Reduction::max>{global};
}

/// The sum into a number of the host. The loop waits for the result.
template <class T, class = std::enable_if_t<Impl::is_value_v<T>>>
auto sum(T& target) {
  return Impl::HostReduceArg<T, 1, Impl::Reduction::sum>{&target};
}
/// The minimum into a number of the host. The loop waits for the result.
template <class T, class = std::enable_if_t<Impl::is_value_v<T>>>
auto min(T& target) {
  return Impl::HostReduceArg<T, 1, Impl::Reduction::min>{&target};
}
/// The maximum into a number of the host. The loop waits for the result.
template <class T, class = std::enable_if_t<Impl::is_value_v<T>>>
auto max(T& target) {
  return Impl::HostReduceArg<T, 1, Impl::Reduction::max>{&target};
}
/// Sums into an array of the host: Reduce<T, N>. The loop waits for the result.
template <class T, std::size_t N, class = std::enable_if_t<Impl::is_value_v<T>>>
auto sum(T (&target)[N]) {
  return Impl::HostReduceArg<T, int(N), Impl::Reduction::sum>{target};
}
/// Minima into an array of the host. The loop waits for the result.
template <class T, std::size_t N, class = std::enable_if_t<Impl::is_value_v<T>>>
auto min(T (&target)[N]) {
  return Impl::HostReduceArg<T, int(N), Impl::Reduction::min>{target};
}
/// Maxima into an array of the host. The loop waits for the result.
template <class T, std::size_t N, class = std::enable_if_t<Impl::is_value_v<T>>>
auto max(T (&target)[N]) {
  return Impl::HostReduceArg<T, int(N), Impl::Reduction::max>{target};
}

}  // namespace Sporos

#endif
