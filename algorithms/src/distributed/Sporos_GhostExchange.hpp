// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GHOSTEXCHANGE_HPP
#define SPOROS_GHOSTEXCHANGE_HPP

/// \file Sporos_GhostExchange.hpp
/// fill_ghosts and add_ghosts: grid points of other ranks in ghost layers.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_ProfilingRegion.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// The exchanges of parts of this kind.
template <class Exec, int Dim, class Real, class... Parts>
auto& kept_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                  const Parts&... parts) {
  typename GhostMemory<Dim, Real, typename Exec::memory_space>::Key key;
  for_each_part([&](const auto& part) { append_key(key, part); }, parts...);
  return grid.memory(exec).kept[key];
}

/// The kept exchange that was started for these very arrays; null: none
template <class List, class... Parts>
auto* started_ghosts(List& all, const Parts&... parts) {
  for (auto& kept : all) {
    std::size_t k = 0;
    bool same     = kept.started;
    for_each_part(
        [&](const auto& part) {
          same = same && kept.fields[k++] == part.values.data;
        },
        parts...);
    if (same) return &kept;
  }
  return static_cast<typename List::value_type*>(nullptr);
}

/// Ends follow the start of the same arrays.
template <class List, class... Parts>
void check_started(const char* function, List& all, const Parts&... parts) {
  check(started_ghosts(all, parts...) != nullptr, function, "fields",
        "fields whose exchange has been started",
        std::any_of(all.begin(), all.end(),
                    [](const auto& other) { return other.started; })
            ? "others of the same kind"
            : "others");
}

/// A kept exchange that is not under way; made if there is none.
template <class Memory, int Dim, class Real, class List>
auto& idle_ghosts(const DistributedGrid<Dim, Real>& grid, List& all) {
  for (auto& kept : all)
    if (!kept.started) return kept;
  all.push_back({Exchange<Memory>(grid.comm()), false, {}});
  return all.back();
}

/// Starts an exchange of parts, or of a vector of parts. Others may be under
/// way: the messages of all match in the order of the starts. A start without
/// an end, as an exception may leave it, ends with the next one for the same
/// arrays.
template <class Exec, int Dim, class Real, class... Parts>
void start_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                  const Parts&... parts) {
  using Memory = typename Exec::memory_space;
  auto& all    = kept_ghosts(exec, grid, parts...);
  auto* kept   = started_ghosts(all, parts...);
  if (kept == nullptr) kept = &idle_ghosts<Memory>(grid, all);
  kept->started = false;  // until it is again: what follows may throw
  kept->fields.clear();
  for_each_part(
      [&](const auto& part) { kept->fields.push_back(part.values.data); },
      parts...);
  kept->exchange.start(exec, parts...);
  kept->started = true;
}

/// See check_started.
template <class Exec, int Dim, class Real, class... Parts>
void finish_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                   const Parts&... parts) {
  auto& kept   = *started_ghosts(kept_ghosts(exec, grid, parts...), parts...);
  kept.started = false;
  kept.exchange.finish(exec, parts...);
}

/// Starts and finishes an exchange, beside exchanges that are under way.
template <class Exec, int Dim, class Real, class... Parts>
void run_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                const Parts&... parts) {
  using Memory = typename Exec::memory_space;
  const auto& exchange =
      idle_ghosts<Memory>(grid, kept_ghosts(exec, grid, parts...)).exchange;
  exchange.start(exec, parts...);
  exchange.finish(exec, parts...);
}

/// Adds: add_ghosts, else fill_ghosts. `start` and `finish` tell what to do.
template <bool Adds, class Exec, int Dim, class Real, class... Fields>
void exchange_ghosts(const char* function, bool start, bool finish,
                     const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                     const Staggering& g, const Fields&... fields) {
  static_assert(sizeof...(Fields) > 0,
                "Sporos::fill_ghosts, Sporos::add_ghosts: no fields");
  const ProfilingRegion region(function);
  check_handle(grid.is_made(), function, "grid");
  const auto checks = [&] {
    (check_block_field<Exec>(function, grid, g, fields), ...);
    const auto check_parts = [&](const auto&... parts) {
      check_started(function, kept_ghosts(exec, grid, parts...), parts...);
    };
    if (!start) check_parts(ghost_part<Adds>(exec, grid, g, fields)...);
  };
  // messages are under way: no rank waits for one that throws
  if (!start && !checks_enabled)
    checks();
  else
    agree_once(grid.comm(), grid.memory(exec).agreed, function, checks,
               (kind_of_field<Dim>(g, fields) + ...));
  if (start && finish)
    run_ghosts(exec, grid, ghost_part<Adds>(exec, grid, g, fields)...);
  else if (start)
    start_ghosts(exec, grid, ghost_part<Adds>(exec, grid, g, fields)...);
  else
    finish_ghosts(exec, grid, ghost_part<Adds>(exec, grid, g, fields)...);
}

/// Exchanges ghost layers of the fields on the faces of all directions.
template <bool Adds, class Exec, int Dim, class Real, class Field,
          std::size_t N>
void exchange_face_ghosts(const char* function, const Exec& exec,
                          const DistributedGrid<Dim, Real>& grid,
                          const Kokkos::Array<Field, N>& fields) {
  static_assert(N == std::size_t(Dim),
                "Sporos::fill_ghosts, Sporos::add_ghosts: on_faces needs one "
                "field for each direction");
  const ProfilingRegion region(function);
  using Part = decltype(ghost_part<Adds>(
      exec, grid, std::declval<const Staggering&>(), fields[0]));
  check_handle(grid.is_made(), function, "grid");
  agree_once(
      grid.comm(), grid.memory(exec).agreed, function,
      [&] {
        for (int k = 0; k < Dim; ++k)
          check_block_field<Exec>(function, grid, Grid<Dim, Real>::face(k),
                                  fields[k]);
      },
      "faces, " + kind_of_field<Dim>(Grid<Dim, Real>::face(0), fields[0]));
  std::vector<Part> parts;
  for (int k = 0; k < Dim; ++k)
    parts.push_back(
        ghost_part<Adds>(exec, grid, Grid<Dim, Real>::face(k), fields[k]));
  run_ghosts(exec, grid, parts);
}

}  // namespace Impl

/// Copies the grid points that other ranks own to the ghost layers of fields
/// with one staggering, in one message for each neighbour. Collective. Ghost
/// layers beyond walls keep what they hold.
/// \param exec the execution-space instance in which it packs and unpacks
/// \param grid the blocks
/// \param staggering of all fields
/// \param fields of the block, see DistributedGrid; accessible to exec; of
///   floating-point or complex numbers, or of integers
/// \throws std::invalid_argument for wrong extents and Views without memory;
///   nothing is written. On all ranks if one is wrong in the first call for
///   fields of this kind, later on that rank alone, see docs/distributed.md.
/// Waits for exec before it sends; unpacking is asynchronous in exec.
/// Complexity: O(grid points of the ghost layers).
template <class Exec, int Dim, class Real, class... Fields>
void fill_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                 const Staggering& staggering, const Fields&... fields) {
  Impl::exchange_ghosts<false>("Sporos::fill_ghosts", true, true, exec, grid,
                               staggering, fields...);
}

/// The first half of fill_ghosts: sends. What is owned may be read until
/// fill_ghosts_finish.
template <class Exec, int Dim, class Real, class... Fields>
void fill_ghosts_start(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                       const Staggering& staggering, const Fields&... fields) {
  Impl::exchange_ghosts<false>("Sporos::fill_ghosts_start", true, false, exec,
                               grid, staggering, fields...);
}
/// The second half of fill_ghosts: receives. Takes the arguments of
/// fill_ghosts_start, and throws for other fields, on the ranks that pass them;
/// they may call it again.
template <class Exec, int Dim, class Real, class... Fields>
void fill_ghosts_finish(const Exec& exec,
                        const DistributedGrid<Dim, Real>& grid,
                        const Staggering& staggering, const Fields&... fields) {
  Impl::exchange_ghosts<false>("Sporos::fill_ghosts_finish", false, true, exec,
                               grid, staggering, fields...);
}

/// Fills the ghost layers of faces.fields[k] on the faces of direction k, see
/// on_faces.
template <class Exec, int Dim, class Real, class Field, std::size_t N>
void fill_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                 const OnFaces<Field, N>& faces) {
  Impl::exchange_face_ghosts<false>("Sporos::fill_ghosts", exec, grid,
                                    faces.fields);
}

/// The way back: adds the ghost layers to the grid points of the ranks that own
/// them, in the order of ranks, so that sums repeat bit for bit. Collective.
/// Ghost layers keep what they hold; those beyond walls are ignored. Arguments,
/// exceptions and complexity as for fill_ghosts.
template <class Exec, int Dim, class Real, class... Fields>
void add_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                const Staggering& staggering, const Fields&... fields) {
  Impl::exchange_ghosts<true>("Sporos::add_ghosts", true, true, exec, grid,
                              staggering, fields...);
}

/// The first half of add_ghosts: sends.
template <class Exec, int Dim, class Real, class... Fields>
void add_ghosts_start(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                      const Staggering& staggering, const Fields&... fields) {
  Impl::exchange_ghosts<true>("Sporos::add_ghosts_start", true, false, exec,
                              grid, staggering, fields...);
}
/// The second half of add_ghosts: adds. Takes the arguments of
/// add_ghosts_start.
template <class Exec, int Dim, class Real, class... Fields>
void add_ghosts_finish(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                       const Staggering& staggering, const Fields&... fields) {
  Impl::exchange_ghosts<true>("Sporos::add_ghosts_finish", false, true, exec,
                              grid, staggering, fields...);
}

/// Adds the ghost layers of faces.fields[k] on the faces of direction k, see
/// on_faces.
template <class Exec, int Dim, class Real, class Field, std::size_t N>
void add_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                const OnFaces<Field, N>& faces) {
  Impl::exchange_face_ghosts<true>("Sporos::add_ghosts", exec, grid,
                                   faces.fields);
}

}  // namespace Sporos

#endif
