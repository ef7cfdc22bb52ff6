// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SEGMENTLAUNCH_HPP
#define SPOROS_SEGMENTLAUNCH_HPP

/// \file Sporos_SegmentLaunch.hpp
/// How find_segments and segmented_reduce cut and launch their work on hosts
/// and on devices (use Sporos_SegmentedReduce.hpp).

#include <Sporos_EngineConstants.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_SegmentKernels.hpp>
#include <Sporos_SegmentTeams.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Sporos {

template <class MemorySpace>
struct ReduceWorkspace;

namespace Impl {

/// Parameters of segmented_reduce; tests pass others.
template <class Exec>
struct ReduceTuning {
  static constexpr int threads     = EngineTuning<Exec>::reduce_team_size;
  static constexpr int items       = EngineTuning<Exec>::reduce_items;
  static constexpr int head_items  = EngineTuning<Exec>::reduce_head_items;
  static constexpr int owner_limit = EngineTuning<Exec>::reduce_owner_limit;
};

/// Cuts the workspace into the parts of all levels.
template <class V, class Kernels>
struct SegmentLevels {
  int chunks[Kernels::max_levels];
  int count = 0;

  SegmentLevels(int n, int owner_limit) {
    chunks[0] = ceil_div(n, Kernels::items(0));
    count     = 1;
    for (; chunks[count - 1] > owner_limit && count < Kernels::max_levels;
         ++count)
      chunks[count] = ceil_div(chunks[count - 1], Kernels::items(count));
  }

  static std::size_t words(std::size_t bytes) {
    return (bytes + 63) / 64 * 8;  // uint64_t, so that each part is aligned
  }
  std::size_t words(int level) const {
    const std::size_t size = std::size_t(chunks[level]);
    return 2 * words(size * sizeof(V)) + 2 * words(size * sizeof(int));
  }
  std::size_t words() const {
    std::size_t sum = 0;
    for (int l = 0; l < count; ++l) sum += words(l);
    return sum;
  }
  SegmentParts<V> place(std::uint64_t* at, int level) const {
    const std::size_t size   = std::size_t(chunks[level]);
    const std::size_t values = words(size * sizeof(V));
    std::uint64_t* segments  = at + 2 * values;
    return SegmentParts<V>{
        reinterpret_cast<V*>(at), reinterpret_cast<V*>(at + values),
        reinterpret_cast<int*>(segments),
        reinterpret_cast<int*>(segments + words(size * sizeof(int)))};
  }
};

/// Elements in a chunk: of a thread on hosts, of a team on devices.
template <class Tuning, class Exec, class V>
constexpr int reduce_chunk() {
  if constexpr (is_host_space_v<Exec>)
    return Tuning::items;
  else
    return segment_team_elements<V, Tuning>();
}

/// Level 0
template <class Tuning, class V, class Exec, class Kernels>
void reduce_elements(const std::string& label, const Exec& exec,
                     const Kernels& kernels, int chunks) {
  if constexpr (is_host_space_v<Exec>) {
    for_each_index(
        label, LightRange<Exec, typename Kernels::Elements>(exec, 0, chunks),
        kernels);
  } else {
    using Teams = SegmentTeams<Exec, Kernels, V, Tuning>;
    Kokkos::parallel_for(
        label,
        LightTeams<Exec, TeamBound<Teams::threads>>(exec, chunks,
                                                    Teams::threads)
            .set_scratch_size(0, Kokkos::PerTeam(Teams::bytes())),
        Teams{kernels});
  }
}

template <class Tuning, class Exec, class MemorySpace, class Offsets,
          class Count, class Value, class Write>
void segmented_reduce_tuned(const std::string& label, const Exec& exec,
                            ReduceWorkspace<MemorySpace>& workspace,
                            std::size_t n, const Offsets& offsets,
                            const Count& count, const Value& value,
                            const Write& write) {
  using V       = std::decay_t<decltype(value(0))>;
  using Kernels = SegmentKernels<V, Offsets, Count, Value, Write, Tuning,
                                 reduce_chunk<Tuning, Exec, V>()>;
  static_assert(alignof(V) <= 64 && std::is_trivially_copyable<V>::value,
                "Sporos::segmented_reduce: values must be trivially copyable");
  if (n == 0) return;
  const SegmentLevels<V, Kernels> levels(static_cast<int>(n),
                                         Tuning::owner_limit);
  Kernels kernels{offsets, count, value, write, {}, static_cast<int>(n), 0, 0};
  std::uint64_t* at = workspace.parts.require_data(exec, levels.words());
  for (int l = 0; l < levels.count; ++l) {
    kernels.m_parts[l] = levels.place(at, l);
    at += levels.words(l);
  }
  reduce_elements<Tuning, V>(label + "::elements", exec, kernels,
                             levels.chunks[0]);
  for (int l = 1; l < levels.count; ++l) {
    kernels.m_level = l;
    kernels.m_size  = levels.chunks[l - 1];
    for_each_index(
        label + "::heads",
        LightRange<Exec, typename Kernels::Heads>(exec, 0, levels.chunks[l]),
        kernels);
  }
  const int last = levels.chunks[levels.count - 1];
  if (last > 1)
    for_each_index(label + "::owners",
                   LightRange<Exec, typename Kernels::Owners>(exec, 0, last),
                   kernels);
}

template <class Exec, class MemorySpace, class Keys, class Offsets, class Count,
          class Unique>
void find_segments_in_teams(const Exec& exec,
                            ReduceWorkspace<MemorySpace>& workspace,
                            const Keys& sorted_keys, const Offsets& offsets,
                            const Count& count, const Unique& unique) {
  using Teams = FindSegmentsTeams<Exec, Keys, Offsets, Count, Unique>;
  const int n = static_cast<int>(sorted_keys.extent(0));
  std::uint64_t* const memory =
      workspace.parts.require_data(exec, Teams::words(n));
  const Teams teams{
      sorted_keys,
      offsets,
      count,
      unique,
      n,
      reinterpret_cast<int*>(memory),
      reinterpret_cast<typename Teams::Bits*>(memory + Teams::places_words(n))};
  const auto launch = [&](auto step, const char* label, int bytes) {
    if (n == 0) return;
    Kokkos::parallel_for(
        label,
        Kokkos::TeamPolicy<Exec, decltype(step), TeamBound<Teams::threads>>(
            exec, Teams::chunks(n), Teams::threads)
            .set_scratch_size(0, Kokkos::PerTeam(bytes)),
        teams);
  };
  launch(typename Teams::Mark{}, "Sporos::find_segments::mark",
         Teams::mark_bytes());
  Kokkos::parallel_scan("Sporos::find_segments::scan",
                        Kokkos::RangePolicy<Exec, typename Teams::Places>(
                            exec, 0, Math::max(Teams::chunks(n), 1)),
                        teams);
  launch(typename Teams::Write{}, "Sporos::find_segments::write",
         Teams::write_bytes());
}

template <class Exec, class MemorySpace, class Keys, class Offsets, class Count,
          class Unique>
void find_segments(const Exec& exec,
                   [[maybe_unused]] ReduceWorkspace<MemorySpace>& workspace,
                   const Keys& sorted_keys, const Offsets& offsets,
                   const Count& count, const Unique& unique) {
  if constexpr (is_host_space_v<Exec>) {
    using Scan  = FindSegments<Keys, Offsets, Count, Unique,
                              EngineTuning<Exec>::reduce_items>;
    const int n = static_cast<int>(sorted_keys.extent(0));
    scan_index<int>("Sporos::find_segments::scan",
                    Kokkos::RangePolicy<Exec>(exec, 0, Scan::chunks(n)),
                    Scan{sorted_keys, offsets, count, unique, n});
  } else {
    find_segments_in_teams(exec, workspace, sorted_keys, offsets, count,
                           unique);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
