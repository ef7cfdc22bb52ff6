// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANDATA_HPP
#define SPOROS_PLANDATA_HPP

/// \file Sporos_PlanData.hpp
/// What a plan is made for, and what it holds. Users include
/// Sporos_LoopPlan.hpp.

#include <Sporos_ColoringTargets.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_Workspace.hpp>
#include <mesh_loop/arguments/Sporos_LoopArgs.hpp>
#include <mesh_loop/plan/Sporos_LoopOptions.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// An argument as plans tell them apart.
struct ArgKey {
  const MapState* map   = nullptr;  ///< null: direct or global
  std::uint64_t version = 0;
  int index             = -1;  ///< of the map; -1: all
  Access access         = Access::read;
  int dat  = -1;  ///< the first argument through a map with this dat
  int pair = -1;  ///< ... and this map and access
  /// Of direct increments: an argument that increments the same dat through a
  /// map, so that other elements may reach this one's values; -1: none.
  int meets           = -1;
  int components      = 0;
  int value_bytes     = 0;
  int value_alignment = 1;
  bool soa            = false;  ///< components far apart; tells no plans apart

  /// Does it combine contributions through a map?
  bool increments() const { return map != nullptr && access >= Access::inc; }
  /// Does it write where elements were promised to be disjoint?
  bool writes_through_map() const {
    return map != nullptr && (access == Access::write || access == Access::rw);
  }
  /// Can a team keep it in scratch?
  bool stageable() const {
    return increments() || (map != nullptr && access == Access::read);
  }
  bool same_but_version(const ArgKey& o) const {
    return map == o.map && index == o.index && access == o.access &&
           dat == o.dat && pair == o.pair && meets == o.meets &&
           components == o.components && value_bytes == o.value_bytes &&
           value_alignment == o.value_alignment;
  }
};

/// The elements of a subset, for kernels and for the host; null: no subset, or
/// one of no elements.
struct ElementList {
  const int* device = nullptr;
  const int* host   = nullptr;
  std::shared_ptr<const void> owner;  ///< null: no subset
};

/// Rows of a map in memory of the host, which `owner` keeps.
struct HostRows {
  const int* data           = nullptr;
  std::ptrdiff_t row_stride = 0, column_stride = 0;
  std::shared_ptr<const void> owner;
};

/// Rows first, ..., first + n - 1 of a map as the inspector sees them: on the
/// host from the first use to forget().
struct HostMap {
  int first = 0, n = 0;
  int arity       = 0;
  int target_size = 0;
  const SetState* target{};  ///< identity only
  std::string name, target_name;
  std::function<HostRows()> read;
  mutable HostRows rows;

  const HostRows& host() const {
    if (rows.owner == nullptr) rows = read();
    return rows;
  }
  void forget() const { rows = {}; }

  /// Entry i of element e. (Kokkos 5 computes offsets in the type of the
  /// indices.)
  int entry(std::ptrdiff_t e, std::ptrdiff_t i) const {
    const HostRows& r = host();
    return r.data[(e - first) * r.row_stride + i * r.column_stride];
  }
  /// A column (-1: all) as targets of items 0, ..., n - 1.
  TargetTable<int> table(int column, int first_target = 0) const {
    const HostRows& r = host();
    return {r.data + std::max(column, 0) * r.column_stride,
            column < 0 ? arity : 1, r.row_stride, r.column_stride,
            first_target};
  }
};

/// For a map in any memory space.
template <class View>
HostMap host_map(const View& view, const MapState& state, int first, int n) {
  HostMap m;
  m.first       = first;
  m.n           = n;
  m.arity       = int(view.extent(1));
  m.target_size = state.to->size;
  m.target      = state.to.get();
  m.name        = state.name;
  m.target_name = state.to->name;
  m.read        = [view, first, n] {
    const auto host = on_host(
               Kokkos::subview(view, std::make_pair(first, first + n), Kokkos::ALL()));
    return HostRows{host.data(), std::ptrdiff_t(host.stride(0)),
                    std::ptrdiff_t(host.stride(1)),
                    std::make_shared<decltype(host)>(host)};
  };
  return m;
}

/// While maps of a plan are looked at; their copies on the host go with it.
class Inspection {
 public:
  explicit Inspection(const std::vector<HostMap>& maps) : m_maps(maps) {}
  Inspection(const Inspection&)            = delete;
  Inspection& operator=(const Inspection&) = delete;
  ~Inspection() {
    for (const HostMap& map : m_maps) map.forget();
  }

 private:
  const std::vector<HostMap>& m_maps;
};

/// Sorted unique targets of each block through some columns of a map, and
/// where each entry of the map is among them: what PyOP2 calls ind_map and
/// loc_map.
template <class MemorySpace>
struct StagingGroup {
  int map               = 0;  ///< number of the plan's map
  std::uint32_t columns = 0;  ///< of the map, a bit each
  int n_columns         = 0;
  int nindirect         = 0;                  ///< sum of ind_sizes
  Kokkos::View<int*, MemorySpace> ind_map;    ///< targets, block by block
  Kokkos::View<int*, MemorySpace> ind_sizes;  ///< targets of each block
  Kokkos::View<int*, MemorySpace> ind_offs;   ///< where they begin in ind_map
  /// column c of element first + e: position among the block's targets, at
  /// c * n + e
  Kokkos::View<std::uint16_t*, MemorySpace> loc_map;

  /// Position of a column of the map among the columns of the group.
  int position(int column) const {
    return popcount(columns & ((std::uint32_t(1) << column) - 1));
  }
};

/// Targets of increments sorted by target: entries[offsets[t] ...] are the
/// increments (element - first) * slots + slot, in ascending order.
template <class MemorySpace>
struct ReverseMap {
  Kokkos::View<int*, MemorySpace> offsets, entries;
};

/// A plan's arrays; all public for inspection.
template <class MemorySpace>
struct PlanData {
  using Ints = Kokkos::View<int*, MemorySpace>;

  // what it was made for
  std::string set_name;
  int first = 0;  ///< first element; 0 for a subset, whose places are numbered
  int n     = 0;  ///< elements
  ElementList list;  ///< of a subset
  std::vector<ArgKey> keys;
  std::vector<HostMap> maps;  ///< of a subset: rows in the order of its list
  /// of a subset: for each map a view of its type with those rows
  std::vector<std::shared_ptr<const void>> rows;
  std::vector<std::uint64_t> map_hashes;  ///< see Sporos_PlanDebug.hpp
  std::vector<int> arg_map;               ///< of each argument, -1: none
  std::vector<std::string> arg_names;
  std::vector<std::weak_ptr<MapState>> alive;
  LoopOptions requested;
  std::size_t scratch_limit = 0;  ///< bytes that a team may ask for

  // what was chosen
  LoopStrategy strategy = LoopStrategy::serial;
  bool conflicts        = false;  ///< are there increments through maps?
  Staging staging       = Staging::none;
  std::string why;

  // blocks
  int block_size = 1;  ///< most elements of a block
  int nblocks    = 0;
  /// on the host: where blocks begin, first being 0, and the end
  std::vector<int> begins;
  Ints offset, nelems;  ///< first element and number of elements of each block
  int nblkcol = 0;
  std::vector<int> ncolblk;  ///< blocks of each colour
  Ints blkmap;               ///< blocks sorted by colour

  // teams
  Ints nthrcol;  ///< thread colours of each block
  Ints thrcol;   ///< colour of each element
  Ints order;    ///< elements in the order of a block's threads
  std::vector<StagingGroup<MemorySpace>> groups;
  std::vector<int> arg_group;              ///< of each argument, -1: not staged
  std::size_t nshared = 0;                 ///< most bytes of scratch of a block
  std::vector<std::size_t> nshared_color;  ///< ... of each block colour

  // global colouring
  std::vector<int> color_offsets;  ///< into color_order, one more than colours
  Ints color_order;                ///< elements sorted by colour

  // gather
  std::vector<ReverseMap<MemorySpace>> reverse;  ///< for each argument
};

/// A plan with its workspaces.
template <class Exec>
struct LoopPlanState final : CachedPlan {
  using memory_space = typename Exec::memory_space;
  PlanData<memory_space> data;
  WorkspaceView<std::uint64_t, memory_space> partials{
      "Sporos::LoopPlan::partials"};
  WorkspaceView<std::uint64_t, memory_space> temporaries{
      "Sporos::LoopPlan::temporaries"};
  WorkspaceView<std::uint64_t, memory_space> results{
      "Sporos::LoopPlan::results"};
};

}  // namespace Impl
}  // namespace Sporos

#endif
