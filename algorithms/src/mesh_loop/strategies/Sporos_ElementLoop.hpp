// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELEMENTLOOP_HPP
#define SPOROS_ELEMENTLOOP_HPP

/// \file Sporos_ElementLoop.hpp
/// The user's kernel on one element, on the elements of a chunk in order, and
/// on W of them at once.

#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/arguments/Sporos_PackArgs.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/strategies/Sporos_LoopRegisters.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// Kernel and arguments. Numbers: 0, 1, ... of the arguments
template <class Numbers, class Kernel, class... Args>
struct NumberedBody;
template <class Kernel, class... Args>
using LoopBody =
    NumberedBody<typename Bundle<Args...>::indices, Kernel, Args...>;

template <int... I, class Kernel, class... Args>
struct NumberedBody<std::integer_sequence<int, I...>, Kernel, Args...> {
  using Arguments = Bundle<Args...>;
  template <int W>
  using Registers = Bundle<ElementRegisters<Args, W>...>;
  template <int W>
  using Chunk                   = Bundle<ChunkRegisters<Args, W>...>;
  static constexpr bool reduces = ((Args::kind == BoundKind::reduction) || ...);

  Kernel kernel;
  Arguments args;

  /// f(argument, its number, other...) for all arguments in their order, each
  /// with one of others
  template <class F, class... Others>
  void each(const F& f, const Others&... others) {
    (f(get<I>(args), I, others), ...);
  }
  template <class F>
  void each(const F& f) {
    (f(get<I>(args), I), ...);
  }

  template <int W>
  KOKKOS_FORCEINLINE_FUNCTION void begin(Chunk<W>& chunk) const {
    (begin_chunk<Args, W>(get<I>(args), get<I>(chunk)), ...);
  }
  KOKKOS_FORCEINLINE_FUNCTION void end(const Chunk<0>& chunk,
                                       int number) const {
    (end_chunk<Args>(get<I>(args), get<I>(chunk), number), ...);
  }
  template <int W>
  void fold(const Chunk<W>& packs, Chunk<0>& scalars) const {
    (fold_lanes<Args, W>(get<I>(args), get<I>(packs), get<I>(scalars)), ...);
  }
  /// One element: its values to registers, the kernel, the results back.
  KOKKOS_FORCEINLINE_FUNCTION void element(int e, Chunk<0>& chunk) const {
    Registers<0> r;
    load(e, r);
    call<0>(OneElement{e}, r, chunk);
    (store_one(get<I>(args), e, get<I>(r)), ...);
  }
  /// W of them
  template <int W, class Elements>
  SPOROS_ALWAYS_INLINE void pack(const Elements& elements,
                                 Chunk<W>& chunk) const {
    Registers<W> r;
    load_packs(elements, r);
    call<W>(elements, r, chunk);
    store_packs(elements, r);
  }

  KOKKOS_FORCEINLINE_FUNCTION void load(int e, Registers<0>& r) const {
    (load_one(get<I>(args), e, get<I>(r)), ...);
  }
  template <int W, class Elements>
  KOKKOS_FORCEINLINE_FUNCTION void call(const Elements& elements,
                                        Registers<W>& r,
                                        Chunk<W>& chunk) const {
    [[maybe_unused]] Bundle<ReducedSoFar<Args, W>...> before;
    (get<I>(before).take(get<I>(chunk)), ...);
    kernel(accessor<Args, W>(get<I>(args), get<I>(r), get<I>(chunk))...);
    (get<I>(before).check(get<I>(chunk)), ...);
    (keep_written<Args, W>(get<I>(args), elements, get<I>(r), get<I>(chunk)),
     ...);
  }
  template <class Elements, class Packs>
  SPOROS_ALWAYS_INLINE void load_packs(const Elements& elements,
                                       Packs& r) const {
    (load_packs_one(get<I>(args), elements, get<I>(r)), ...);
  }
  template <class Elements, class Packs>
  SPOROS_ALWAYS_INLINE void store_packs(const Elements& elements,
                                        const Packs& r) const {
    (store_packs_one(get<I>(args), elements, get<I>(r)), ...);
  }
  /// Increments that are added in place are computed by now.
  template <class AnyRegisters>
  SPOROS_ALWAYS_INLINE void settle(AnyRegisters& r) const {
    (settle_one<Args>(get<I>(args), get<I>(r)), ...);
  }
  /// Are all targets of W elements those of this block of targets? (See
  /// Sporos_LoopAlike.hpp.)
  template <int W, class Elements>
  SPOROS_ALWAYS_INLINE bool owns_targets(const Elements& elements) const {
    return (int(Impl::owns_targets<W>(get<I>(args), elements)) & ...) != 0;
  }
  /// What element e, in a lane of registers r, leaves in this block of targets.
  template <class AnyRegisters>
  SPOROS_ALWAYS_INLINE void store_owned(int e, int lane,
                                        const AnyRegisters& r) const {
    int home = -1;
    ((home = is_home(home, get<I>(args), e)), ...);
    (store_owned_one(get<I>(args), e, lane, get<I>(r), home != 0), ...);
  }

  template <class Arg>
  KOKKOS_FORCEINLINE_FUNCTION static void load_one(
      const Arg& arg, int e, ElementRegisters<Arg, 0>& r) {
    if constexpr (is_bound_dat_v<Arg>) arg.load(e, r.v);
  }
  template <class Arg>
  KOKKOS_FORCEINLINE_FUNCTION static void store_one(
      const Arg& arg, int e, const ElementRegisters<Arg, 0>& r) {
    if constexpr (is_bound_dat_v<Arg>) arg.store(e, r.v);
  }
  template <class Arg, int W, class Elements>
  SPOROS_ALWAYS_INLINE static void load_packs_one(const Arg& arg,
                                                  const Elements& elements,
                                                  ElementRegisters<Arg, W>& r) {
    if constexpr (is_bound_dat_v<Arg>) load_pack(arg, elements, r.v);
  }
  template <class Arg, int W, class Elements>
  SPOROS_ALWAYS_INLINE static void store_packs_one(
      const Arg& arg, const Elements& elements,
      const ElementRegisters<Arg, W>& r) {
    if constexpr (is_bound_dat_v<Arg>) store_pack(arg, elements, r.v);
  }
  template <class Arg, int W>
  SPOROS_ALWAYS_INLINE static void settle_one(
      [[maybe_unused]] const Arg& arg,
      [[maybe_unused]] ElementRegisters<Arg, W>& r) {
    if constexpr (is_bound_dat_v<Arg>)
      if constexpr (Arg::access == Access::inc)
        if constexpr (!Arg::kept) {
          if constexpr (is_dynamic_v<Arg>)
            for_used_registers<Arg::components, Arg::arity>(
                arg.count(), [&](int k) { settle_on_host(r.v[k]); });
          else
            for (auto& v : r.v) settle_on_host(v);
        }
  }
  template <class Arg, int W>
  SPOROS_ALWAYS_INLINE static void store_owned_one(
      const Arg& arg, int e, [[maybe_unused]] int lane,
      const ElementRegisters<Arg, W>& r, bool home) {
    if constexpr (is_bound_dat_v<Arg>)
      if constexpr (Arg::access != Access::read) {
        if (!is_owned_v<Arg> && !home) return;
        if constexpr (W == 0) {
          arg.store(e, r.v);
        } else if constexpr (is_dynamic_v<Arg>) {
          arg.store_counted(e, LaneValues<lane_type<Arg, W>>{r.v, lane});
        } else {
          typename Arg::value_type v[Arg::registers];
          for (int k = 0; k < Arg::registers; ++k) v[k] = r.v[k][lane];
          arg.store(e, v);
        }
      }
  }
};

// ---------------------------------------------------------------------------
// Chunks on hosts

/// Elements begin, ..., end - 1 of list, or themselves.
template <class Body, bool Listed>
SPOROS_FLATTEN SPOROS_NOINLINE void run_scalars(
    const Body& shared_body, const int* list, int begin, int end,
    typename Body::template Chunk<0>& shared_chunk) {
  const Body body = shared_body;  // so that no store can change it
  auto chunk      = shared_chunk;
  for (int k = begin; k < end; ++k) body.element(Listed ? list[k] : k, chunk);
  shared_chunk = chunk;
}

/// Elements begin, ..., end - 1 of list, or themselves, W at a time; returns
/// the first element that is left.
template <class Body, int W, bool Listed>
SPOROS_FLATTEN SPOROS_NOINLINE int run_packs(
    const Body& shared_body, const int* list, int begin, int end,
    typename Body::template Chunk<0>& scalars) {
  const Body body = shared_body;
  typename Body::template Chunk<W> chunk;
  body.template begin<W>(chunk);
  int k = begin;
  for (; end - k >= W; k += W) {
    if constexpr (Listed)
      body.template pack<W>(ListedElements{list + k}, chunk);
    else
      body.template pack<W>(ConsecutiveElements{k}, chunk);
  }
  body.template fold<W>(chunk, scalars);
  return k;
}

/// Are rows too wide to be transposed into packs?
template <class Arg, class = void>
constexpr bool has_wide_rows_v = false;
template <class Arg>
constexpr bool has_wide_rows_v<Arg, std::enable_if_t<(Arg::row_values > 0)>> =
    (Arg::row_values > widest_pack_row);

/// Lanes of the packs that Kernel can be called with; 0 if it cannot, or if
/// that does not pay.
template <class Kernel, class... Args>
struct PackWidth {
  template <class Arg>
  static constexpr int lanes() {
    using T = typename KernelValue<typename Arg::value_type>::type;
    if constexpr (std::is_floating_point_v<T>)
      return native_pack_width<T>;
    else if constexpr (std::is_arithmetic_v<T>)
      return 1 << 20;
    else
      return 1;  // there are no packs of other types
  }
  static constexpr int widest() {
    int w = 1 << 20;
    ((w = lanes<Args>() < w ? lanes<Args>() : w), ...);
    return w;
  }
  template <int W>
  static constexpr bool callable() {
    return std::is_invocable_v<
        const Kernel&, typename Args::template accessor<lane_type<Args, W>>...>;
  }
  static constexpr int find() {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    constexpr int w     = widest();
    constexpr bool wide = (has_wide_rows_v<Args> || ...);
    if constexpr (!wide && w > 1 && w < (1 << 20))
      if constexpr (callable<w>()) return w;
#endif
    return 0;
  }
  static constexpr int value = find();
};

/// PackWidth of a loop's kernel and bound arguments.
template <class Body>
struct BodyPackWidth;
template <class Numbers, class Kernel, class... Args>
struct BodyPackWidth<NumberedBody<Numbers, Kernel, Args...>>
    : PackWidth<Kernel, Args...> {};

/// One chunk: elements begin, ..., end - 1 in order; packs: on packs, where the
/// kernel takes them
template <bool Listed, bool Packs, class Body>
void run_chunk(const Body& body, const int* list, int begin, int end,
               int number, [[maybe_unused]] bool packs) {
  constexpr int width = Packs ? BodyPackWidth<Body>::value : 0;
  typename Body::template Chunk<0> chunk;
  body.template begin<0>(chunk);
  if constexpr (width > 0)
    if (packs)
      begin = run_packs<Body, width, Listed>(body, list, begin, end, chunk);
  if (begin < end) run_scalars<Body, Listed>(body, list, begin, end, chunk);
  if constexpr (Body::reduces) body.end(chunk, number);
}

}  // namespace Impl
}  // namespace Sporos

#endif
