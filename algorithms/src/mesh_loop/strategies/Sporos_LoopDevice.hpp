// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPDEVICE_HPP
#define SPOROS_LOOPDEVICE_HPP

/// \file Sporos_LoopDevice.hpp
/// Loops on devices in which no two elements meet, or increments are atomic: a
/// thread for each element; teams of a fixed size if there are reductions.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/strategies/Sporos_TeamTree.hpp>

#include <cstddef>
#include <string>

namespace Sporos {
namespace Impl {

/// Elements first + k, or those of a list.
template <bool Listed, class Body>
struct RunElements {
  Body body;
  const int* list;
  int first;

  KOKKOS_FUNCTION void operator()(int k) const {
    typename Body::template Chunk<0> chunk;
    body.template begin<0>(chunk);
    body.element(Listed ? list[first + k] : first + k, chunk);
  }
};

/// Runs elements by teams, a chunk each, with partial results.
template <bool Listed, class Body>
struct RunElementTeams {
  Body body;
  const int* list;
  int first, count, first_chunk;
  std::size_t words;  ///< of scratch

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    typename Body::template Chunk<0> chunk;
    body.template begin<0>(chunk);
    const int begin = team.league_rank() * device_chunk;
    const int n     = Math::min(device_chunk, count - begin);
    for (int k = team.team_rank(); k < n; k += team.team_size())
      body.element(Listed ? list[first + begin + k] : first + begin + k, chunk);
    end_team_chunk(team, body, chunk, first_chunk + team.league_rank(),
                   team_words(team, words));
  }
};

/// One thread, elements in order.
template <class Body>
struct RunSerialDevice {
  Body body;
  int first, last;

  KOKKOS_FUNCTION void operator()(int) const {
    typename Body::template Chunk<0> chunk;
    body.template begin<0>(chunk);
    for (int e = first; e < last; ++e) body.element(e, chunk);
    body.end(chunk, 0);
  }
};

/// Elements first, ..., first + count - 1 (of list).
template <bool Listed, class Exec, class Body>
void run_elements(const std::string& label, const Exec& exec, const Body& body,
                  const int* list, int first, int count, int first_chunk) {
  if constexpr (Body::reduces) {
    using Reductions            = TeamReductions<Body>;
    constexpr int threads       = Reductions::threads(device_chunk);
    constexpr std::size_t words = Reductions::words(threads);
    Kokkos::parallel_for(
        label,
        LightTeams<Exec>(exec, ceil_div(count, device_chunk), threads)
            .set_scratch_size(0, Kokkos::PerTeam(words * sizeof(TeamWords))),
        RunElementTeams<Listed, Body>{body, list, first, count, first_chunk,
                                      words});
  } else {
    for_each_index(label,
                   LightRange<Exec, Kokkos::IndexType<int>>(exec, 0, count),
                   RunElements<Listed, Body>{body, list, first});
  }
}

template <class Exec, class Body>
void run_serial_device(const std::string& label, const Exec& exec,
                       const Body& body, int first, int last) {
  for_each_index(label, LightRange<Exec, Kokkos::IndexType<int>>(exec, 0, 1),
                 RunSerialDevice<Body>{body, first, last});
}

}  // namespace Impl
}  // namespace Sporos

#endif
