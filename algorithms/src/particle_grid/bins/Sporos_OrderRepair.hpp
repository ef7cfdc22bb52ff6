// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDERREPAIR_HPP
#define SPOROS_ORDERREPAIR_HPP

/// \file Sporos_OrderRepair.hpp
/// Hosts: sorted points of which few left their cells are put in order again,
/// as a stable sort of all would.
///
/// A leaver is two changes: it is taken out of the list of its old cell, and
/// put into that of its new one. Changes are sorted by key, then point, like
/// the points themselves, and merged with them.

#include <Sporos_Checks.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_SortByKey.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace Sporos {
namespace Impl {

/// Keys in the given order: those of the last update, and those of this one.
/// Points come `block` at a time. The first points keep their numbers; of all
/// others, those of the last update are dropped, and those of this one are new.
/// (Own points of a rank keep theirs as far as there were and are so many;
/// copies from other ranks come anew in each update.)
struct ChangedKeys {
  static constexpr int block = inspected_points;
  std::uint32_t* before;
  const std::uint32_t* now;
  int n_kept;             ///< points that keep their numbers
  int n_all;              ///< all points now
  std::uint32_t* counts;  ///< changes of each block; null: nobody asks

  KOKKOS_FUNCTION int blocks() const { return ceil_div(n_all, block); }
  /// Counts the changes of the points of block b: two of a point with another
  /// cell, one of a new point.
  KOKKOS_FORCEINLINE_FUNCTION void count(int b) const {
    if (counts == nullptr) return;
    const int begin = b * block;
    const int n     = Math::min(n_all - begin, block);
    const int kept  = Math::max(Math::min(n_kept - begin, n), 0);
    int differ      = 0;
    for (int i = begin; i < begin + kept; ++i)
      differ += before[i] != now[i] ? 1 : 0;
    counts[b] = std::uint32_t(2 * differ + (n - kept));
  }
};

/// Where the changes of each block start in the list, and the number of all.
struct PlaceChanges {
  std::uint32_t* counts;
  std::uint32_t* found;
  int blocks;

  KOKKOS_FUNCTION void operator()(int b, std::uint32_t& place,
                                  bool final) const {
    const std::uint32_t here = counts[b];
    if (final) counts[b] = place;
    place += here;
    if (final && b + 1 == blocks) *found = place;
  }
};

/// Lists the changes by point, and keeps the new keys. A stable sort by key
/// leaves them in the order that the merge expects: by key, then point.
struct ListChanges {
  ChangedKeys changed;     ///< counts: places of the first change of each block
  std::uint32_t found;     ///< number of changes
  std::uint32_t* keys;     ///< of the changes
  std::uint32_t* changes;  ///< 2 * point, + 1 to put it in

  KOKKOS_FUNCTION void operator()(int b) const {
    std::uint32_t at          = changed.counts[b];
    const bool last           = b + 1 == changed.blocks();
    const std::uint32_t after = last ? found : changed.counts[b + 1];
    const int begin           = b * ChangedKeys::block;
    if (at < after)
      list(begin, Math::min(changed.n_all, begin + ChangedKeys::block), at);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void list(int begin, int end,
                                        std::uint32_t at) const {
    const int kept = Math::min(changed.n_kept, end);
    for (int i = begin; i < kept; ++i) {
      if (changed.before[i] == changed.now[i]) continue;
      add(at++, changed.before[i], i, 0);
      add(at++, changed.now[i], i, 1);
      changed.before[i] = changed.now[i];
    }
    for (int i = Math::max(begin, kept); i < end; ++i) {
      add(at++, changed.now[i], i, 1);
      changed.before[i] = changed.now[i];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint32_t at, std::uint32_t key,
                                       int point, std::uint32_t in) const {
    keys[at]    = key;
    changes[at] = std::uint32_t(point) << 1 | in;
  }
};

/// Merges sorted changes with the points that were sorted before; chunk c has
/// the places c * chunk .. (c + 1) * chunk of the order before, and all changes
/// from its first point on to that of the next chunk.
struct MergeChanges {
  static constexpr int chunk = merge_chunk;
  const std::uint32_t* keys;  ///< before
  const int* points;
  int n;
  int dropped_from;                  ///< points from this number on are dropped
  const std::uint32_t* change_keys;  ///< sorted
  const std::uint32_t* changes;      ///< sorted
  int n_changes;
  std::uint32_t* merged_keys;
  int* merged_points;

  int chunks() const { return ceil_div(n, chunk); }

  KOKKOS_FUNCTION void operator()(int c, int& shift, bool final) const {
    const int begin = c * chunk;
    const int end   = n - begin < chunk ? n : begin + chunk;
    const int from  = c == 0 ? 0 : first_change(begin);
    const int to    = end == n ? n_changes : first_change(end);
    int in          = 0;
    for (int e = from; e < to; ++e) in += int(changes[e] & 1);
    const int dropped = count_dropped(begin, end);
    const int next    = shift + in - (to - from - in) - dropped;
    if (final && dropped == 0)
      merge<false>(begin, end, from, to, begin + shift, end + next);
    else if (final)
      merge<true>(begin, end, from, to, begin + shift, end + next);
    shift = next;
  }

 private:
  KOKKOS_FUNCTION int count_dropped(int begin, int end) const {
    int dropped = 0;
    if (dropped_from >= n) return dropped;
    for (int i = begin; i < end; ++i) dropped += int(points[i] >= dropped_from);
    return dropped;
  }
  /// The first change that does not come before the point at a place.
  KOKKOS_FUNCTION int first_change(int place) const {
    const std::uint32_t key = keys[place];
    const int point         = points[place];
    return partition_point(0, n_changes, [&](int i) {
      return change_keys[i] < key ||
             (change_keys[i] == key && int(changes[i] >> 1) < point);
    });
  }
  template <bool Drops>
  KOKKOS_FUNCTION void merge(int i, int end, int from, int to, int out,
                             int out_end) const {
    for (int e = from; e < to; ++e) {
      const std::uint32_t key = change_keys[e];
      const int point = int(changes[e] >> 1), in = int(changes[e] & 1);
      for (; i < end && is_before(keys[i], points[i], key, point); ++i)
        keep<Drops>(i, out, out_end);
      // a point that goes out is overwritten by the next one
      if (out < out_end) put(out, key, point);
      out += in;
      i += 1 - in;
    }
    if constexpr (Drops) {
      for (; i < end; ++i) keep<Drops>(i, out, out_end);
    } else {
      SPOROS_IVDEP
      for (int j = 0; j < end - i; ++j)
        put(out + j, keys[i + j], points[i + j]);
    }
  }
  template <bool Drops>
  KOKKOS_FORCEINLINE_FUNCTION void keep(int i, int& out, int out_end) const {
    // what is dropped is overwritten by the next one, too
    if (!Drops || out < out_end) put(out, keys[i], points[i]);
    out += Drops ? int(points[i] < dropped_from) : 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int is_before(std::uint32_t k, int p,
                                                   std::uint32_t key,
                                                   int point) {
    return int(k < key) | (int(k == key) & int(p < point));
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int out, std::uint32_t key,
                                       int point) const {
    merged_keys[out]   = key;
    merged_points[out] = point;
  }
};

/// The first place whose point does not come after the one before it, by key,
/// then point, or has another key than it should. If there is none, each point
/// occurs once.
struct FindDisorder {
  const std::uint32_t* keys;
  const int* points;
  const std::uint32_t* given;  ///< keys in the given order; null: not known
  int n;

  KOKKOS_FUNCTION void operator()(int i, int& first) const {
    const int p      = points[i];
    const bool after = i == 0 || keys[i - 1] < keys[i] ||
                       (keys[i - 1] == keys[i] && points[i - 1] < points[i]);
    const bool right =
        after && p >= 0 && p < n && (given == nullptr || given[p] == keys[i]);
    if (!right && i < first) first = i;
  }
};

/// With SPOROS_ENABLE_CHECKS, throws unless points are in the order that the
/// merge of the next update expects. Waits then.
template <class Exec>
void check_order([[maybe_unused]] const Exec& exec,
                 [[maybe_unused]] const FindDisorder& find) {
  if constexpr (checks_enabled) {
    int first = find.n;
    Kokkos::parallel_reduce(
        "Sporos::ParticleGridPlan::check_order",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, find.n),
        find, Kokkos::Min<int>(first));
    fence(exec, "Sporos::ParticleGridPlan::check_order");
    if (first < find.n)
      throw std::logic_error(
          "Sporos::ParticleGridPlan: points are not sorted by cell, then "
          "number, at place " +
          std::to_string(first) +
          " of the order: an error of Sporos, or its memory was written to");
  }
}

/// Where a repair keeps its lists: in the workspace of the sort, which sorts
/// the changes too.
template <class MemorySpace>
struct RepairMemory {
  template <class T>
  using Array =
      Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// If more points changed, it is faster to sort all. (A point that changed
  /// its cell is two changes.)
  static std::uint32_t max_changes(std::size_t n) {
    return std::uint32_t(n / points_a_change);
  }

  Array<std::uint32_t>
      now;  ///< keys in the given order; lost when changes are sorted
  std::uint32_t* counts;       ///< changes of each block of points, then places
  std::uint32_t* found;        ///< one number, of all changes
  std::uint32_t* change_keys;  ///< of changes
  int* order;                  ///< sorted -> listed changes
  std::uint32_t* listed;       ///< changes, as listed
  std::uint32_t* changes;      ///< sorted
  std::uint32_t* merged_keys;
  int* merged_points;

  template <class Exec>
  RepairMemory(const Exec& exec,
               SortWorkspace<std::uint32_t, MemorySpace>& sort, std::size_t n) {
    reserve_sort(exec, sort, n);
    SortItem<std::uint32_t>* const even = sort.even.require_data(exec, n);
    SortItem<std::uint32_t>* const odd  = sort.odd.require_data(exec, n);
    const std::size_t most              = max_changes(n);
    found       = reinterpret_cast<std::uint32_t*>(even);
    change_keys = reinterpret_cast<std::uint32_t*>(
        even + sort_room<Exec, std::uint32_t>(most));
    order   = reinterpret_cast<int*>(change_keys + most);
    listed  = reinterpret_cast<std::uint32_t*>(order + most);
    changes = listed + most;
    now = make_view<Array<std::uint32_t>>(reinterpret_cast<std::uint32_t*>(odd),
                                          n);
    merged_keys   = now.data();
    counts        = reinterpret_cast<std::uint32_t*>(merged_keys + n);
    merged_points = reinterpret_cast<int*>(merged_keys + n);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
