// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_STAGEDARGS_HPP
#define SPOROS_STAGEDARGS_HPP

/// \file Sporos_StagedArgs.hpp
/// Arguments that a team keeps in scratch: component c of local target l at
/// [c * size + l], whatever the layout outside. Rows of 16 bytes and more are
/// read and written 16 bytes at a time.

#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>
#include <mesh_loop/arguments/Sporos_WideRows.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/strategies/Sporos_TeamTree.hpp>

#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// A dat in scratch.
template <class T, int N, int Arity, Access A>
struct BoundStaged {
  static constexpr BoundKind kind = BoundKind::dat;
  static constexpr Access access  = A;
  static constexpr int registers  = N * Arity;
  using value_type                = T;
  template <class V>
  using accessor = typename AccessorOf<A, V, N, Arity>::type;

  T* data;
  int size;                    ///< local targets
  const std::uint16_t* local;  ///< of element 0, first column
  Offset column_stride;

  KOKKOS_FORCEINLINE_FUNCTION void load(int e, T* v) const {
    SPOROS_UNROLL
    for (int i = 0; i < Arity; ++i) {
      [[maybe_unused]] const int l = local[e + i * column_stride];
      SPOROS_UNROLL
      for (int c = 0; c < N; ++c) {
        if constexpr (accumulates_v<A>)
          v[i * N + c] = no_contribution<A, T>();
        else
          v[i * N + c] = data[c * size + l];
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int e, const T* v) const {
    if constexpr (accumulates_v<A>) {
      SPOROS_UNROLL
      for (int i = 0; i < Arity; ++i) {
        const int l = local[e + i * column_stride];
        SPOROS_UNROLL
        for (int c = 0; c < N; ++c)
          contribute<A>(data[c * size + l], v[i * N + c]);
      }
    }
  }
};

/// Which type an argument has in a block, whether that is in scratch, and
/// whether it collects contributions there.
template <Staging S, class Arg>
struct StagedType {
  static constexpr bool staged   = false;
  static constexpr bool collects = false;
  using type                     = Arg;
};
template <Staging S, class T, int N, int Arity, class Rows, class Target,
          Access A>
struct StagedType<S, BoundDat<T, N, Arity, Rows, Target, A, false>> {
  static constexpr bool staged = !Target::direct && !Target::partial &&
                                 !Rows::dynamic &&
                                 ((S == Staging::all && A == Access::read) ||
                                  (S != Staging::none && accumulates_v<A>));
  static constexpr bool collects = staged && accumulates_v<A>;
  using type =
      std::conditional_t<staged, BoundStaged<T, N, Arity, A>,
                         BoundDat<T, N, Arity, Rows, Target, A, false>>;
};
template <Staging S, class Arg>
using staged_type = typename StagedType<S, Arg>::type;

/// A staged argument's part of the plan.
struct StagedInfo {
  const int *ind_map, *ind_sizes, *ind_offs;
  const std::uint16_t* loc_map;
  int position;  ///< of its first column among those of its group
  int pair;      ///< the argument whose scratch it shares, maybe itself
  /// A direct increment of what others increment through maps.
  bool meets;
};

template <class Memory>
StagedInfo staged_info(const PlanData<Memory>& plan, int a) {
  StagedInfo info{};
  info.pair  = plan.keys[a].pair;
  info.meets = plan.keys[a].meets >= 0;
  if (plan.arg_group.empty() || plan.arg_group[a] < 0) return info;
  const auto& group = plan.groups[plan.arg_group[a]];
  info.ind_map      = group.ind_map.data();
  info.ind_sizes    = group.ind_sizes.data();
  info.ind_offs     = group.ind_offs.data();
  info.loc_map      = group.loc_map.data();
  info.position =
      plan.keys[a].index < 0 ? 0 : group.position(plan.keys[a].index);
  return info;
}

/// Where a staged argument lies, if it is one.
template <class Arg>
KOKKOS_FORCEINLINE_FUNCTION void* scratch_of(const Arg&) {
  return nullptr;
}
template <class T, int N, int Arity, Access A>
KOKKOS_FORCEINLINE_FUNCTION void* scratch_of(
    const BoundStaged<T, N, Arity, A>& arg) {
  return arg.data;
}

/// An argument in block b. `shared`: the scratch of the argument with the same
/// dat, null: its own place is `memory`, which moves on.
template <Staging S, class Arg>
KOKKOS_FORCEINLINE_FUNCTION void place_one(
    const Arg& arg, staged_type<S, Arg>& staged,
    [[maybe_unused]] const StagedInfo& info, [[maybe_unused]] int b,
    [[maybe_unused]] TeamWords*& memory, [[maybe_unused]] void* shared,
    [[maybe_unused]] int first, [[maybe_unused]] int n) {
  if constexpr (StagedType<S, Arg>::staged) {
    using T        = typename Arg::value_type;
    const int size = info.ind_sizes[b];
    const int words =
        int((Offset(size) * Arg::components * sizeof(T) + 7) / sizeof(*memory));
    staged.data =
        shared != nullptr ? static_cast<T*>(shared) : place_for<T>(memory);
    if (shared == nullptr)
      memory = reinterpret_cast<TeamWords*>(staged.data) + words;
    staged.size          = size;
    staged.local         = info.loc_map + Offset(info.position) * n - first;
    staged.column_stride = n;
  } else {
    staged = arg;
  }
}

/// f(values, component, scratch index) in the order of memory, with the values
/// of some components of a target: components first for AoS, targets first for
/// SoA.
template <class Values, int N, class Rows, class Member, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_values(const Member& team,
                                            const Rows& rows,
                                            const int* targets, int size,
                                            const F& f) {
  constexpr int per_row = N / Values::lanes;
  const int total       = size * per_row;
  for (int k = team.team_rank(); k < total; k += team.team_size()) {
    const int l = Rows::contiguous ? k / per_row : k % size;
    const int c = Rows::contiguous ? k % per_row * Values::lanes : k / size;
    f(*reinterpret_cast<Values*>(rows.row(targets[l]) +
                                 c * rows.component_stride()),
      c, l);
  }
}
/// 16 bytes at a time where rows allow it.
template <class T, int N, class Rows, class Member, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_rows(const Member& team, const Rows& rows,
                                          const int* targets, int size,
                                          const F& f) {
  if constexpr (can_be_wide_v<T, N, Rows>)
    if (is_wide_aligned(rows.data))
      return for_values<typename WideRow<T, N>::type, N>(team, rows, targets,
                                                         size, f);
  for_values<WideValues<T, 1>, N>(team, rows, targets, size, f);
}

template <Staging S, class Arg, class Member>
KOKKOS_FORCEINLINE_FUNCTION void stage_in_one(const Member& team,
                                              const Arg& arg,
                                              const staged_type<S, Arg>& staged,
                                              const StagedInfo& info,
                                              bool owner, int b) {
  if constexpr (StagedType<S, Arg>::staged) {
    using T         = typename Arg::value_type;
    constexpr int N = Arg::components;
    if (!owner) return;
    T* const data  = staged.data;
    const int size = staged.size;
    if constexpr (accumulates_v<Arg::access>) {
      for (int k = team.team_rank(); k < size * N; k += team.team_size())
        data[k] = no_contribution<Arg::access, T>();
    } else {
      for_rows<T, N>(team, arg.rows, info.ind_map + info.ind_offs[b], size,
                     [&](const auto& at, int c, int l) {
                       SPOROS_UNROLL
                       for (int j = 0; j < at.lanes; ++j)
                         data[(c + j) * size + l] = at.v[j];
                     });
    }
  }
}

template <Staging S, class Arg, class Member>
KOKKOS_FORCEINLINE_FUNCTION void stage_out_one(
    const Member& team, const Arg& arg, const staged_type<S, Arg>& staged,
    const StagedInfo& info, bool owner, int b) {
  if constexpr (StagedType<S, Arg>::collects) {
    using T         = typename Arg::value_type;
    constexpr int N = Arg::components;
    if (!owner) return;
    const T* const data = staged.data;
    const int size      = staged.size;
    for_rows<T, N>(team, arg.rows, info.ind_map + info.ind_offs[b], size,
                   [&](auto& at, int c, int l) {
                     auto w = at;
                     SPOROS_UNROLL
                     for (int j = 0; j < at.lanes; ++j)
                       contribute<Arg::access>(w.v[j],
                                               data[(c + j) * size + l]);
                     at = w;
                   });
    team.team_barrier();  // the next argument may reach the same targets
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
