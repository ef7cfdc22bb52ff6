// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANDATA_HPP
#define SPOROS_PLANDATA_HPP

/// \file Sporos_PlanData.hpp
/// What a plan is made for, and what it holds. Users include
/// Sporos_LoopPlan.hpp.

#include <Sporos_ColoringTargets.hpp>
#include <Sporos_ExactSumDigits.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_Workspace.hpp>
#include <mesh_loop/arguments/Sporos_ArgInfo.hpp>
#include <Sporos_LoopOptions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// The elements of a subset, for kernels and for the host; null: no subset, or
/// one of no elements.
struct ElementList {
  const int* device = nullptr;
  const int* host   = nullptr;
  std::shared_ptr<const void> owner;  ///< null: no subset
};

/// Rows first, ..., first + n - 1 of a map as the inspector sees them: on the
/// host from the first use to forget().
struct HostMap {
  int first = 0, n = 0;
  int arity       = 0;
  int target_size = 0;
  const SetState* target{};  ///< identity only
  bool missing = false;      ///< negative entries name nothing
  std::string name;
  std::weak_ptr<MapState> state;  ///< gone if the map is
  std::uint64_t hash = 0;         ///< see Sporos_PlanDebug.hpp
  MapEntries entries;
  mutable HostRows rows;

  const HostRows& host() const {
    if (rows.owner == nullptr)
      rows = entries.read(entries.view.get(), first, n);
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

/// For a map in any memory space, whose entries begin with row 0 of the map.
[[gnu::cold]] inline HostMap host_map(MapEntries entries,
                                      const std::shared_ptr<MapState>& state,
                                      int first, int n) {
  HostMap m;
  m.first       = first;
  m.n           = n;
  m.arity       = state->arity;
  m.target_size = state->to->size;
  m.target      = state->to.get();
  m.missing     = state->missing;
  m.name        = state->name;
  m.state       = state;
  m.entries     = std::move(entries);
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
/// increments (element - first) * slots + slot, in ascending order, or in that
/// of PlanInfo::global_order. See gathered_with for the slots.
template <class MemorySpace>
struct ReverseMap {
  Kokkos::View<int*, MemorySpace> offsets, entries;
  int longest = 0;  ///< entries of a target, at most
};

/// Where increments of one dat lie in the scratch of a team that owns a block
/// of targets: each has a place in its block. Targets of a block come by the
/// number of their increments, the most first. The first increments of all have
/// the first places, then come the second ones, ..., so that neighbouring
/// threads, which sum neighbouring targets, read neighbouring places.
template <class MemorySpace>
struct OwnerGroup {
  using Ints  = Kokkos::View<int*, MemorySpace>;
  using Words = Kokkos::View<std::uint16_t*, MemorySpace>;

  /// maps, by number, and indices (-1: all) through which the dat is
  /// incremented
  std::vector<std::pair<int, int>> columns;
  Ints targets;  ///< block by block
  Ints offsets;  ///< where those of each block begin, and the end
  Ints firsts;   ///< of each block: the place of the first of the first
                 ///< increments, of the second ones, ..., and the end
  Ints levels;   ///< where those of each block begin in firsts, and the end
  /// of entry k of owner_list, slot s of all columns: at s * entries + k;
  /// no_place: the target belongs to another block
  Words places;
};

/// Elements that run one after another: where they begin in owner_list.
struct OwnerBlock {
  int first, size;
};

/// The part of a plan that is the same for all memory spaces.
struct PlanInfo {
  PlanInfo() = default;
  [[gnu::cold]] ~PlanInfo() {}
  PlanInfo(const PlanInfo&)            = delete;
  PlanInfo& operator=(const PlanInfo&) = delete;

  // what it was made for
  const SetState* set = nullptr;  ///< a set, or a subset's own
  std::string set_name;
  int begin = 0;     ///< first element, or place in a subset
  int first = 0;     ///< first element; 0 for a subset
  int n     = 0;     ///< elements
  ElementList list;  ///< of a subset
  /// Elements, counted from `first`: of distributed sets by global number, for
  /// gather and any_ranks; for any_ranks also places of a list by the numbers
  /// of their elements. Empty: as they are.
  std::vector<int> global_order;
  std::vector<ArgKey> keys;
  std::vector<HostMap> maps;  ///< of a subset: rows in the order of its list
  std::vector<int> arg_map;   ///< of each argument, -1: none
  std::vector<std::string> arg_names;
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
  int nblkcol = 0;
  std::vector<int> ncolblk;  ///< blocks of each colour

  // teams
  std::vector<int> arg_group;              ///< of each argument, -1: not staged
  std::size_t nshared = 0;                 ///< most bytes of scratch of a block
  std::vector<std::size_t> nshared_color;  ///< most bytes for each colour

  // owners and any_ranks, for loops with increments through maps
  int threads     = 0;     ///< of the space; 0: a device
  bool exact_sums = true;  ///< all sums are of types that any_ranks adds
  std::vector<OwnerBlock> owner_blocks;  ///< of targets, or of elements
  bool owners_meet = false;              ///< do arguments increment one dat?
  bool keeps       = false;  ///< contributions are kept, then gathered
  /// elements, block by block, in their order; on hosts, behind those of a
  /// block, owner_padding times the last one
  std::vector<int> owner_list;
  /// on devices, the block of each target that is incremented; the targets of
  /// all sets have numbers, one set behind another
  std::vector<int> owner_of;
  std::vector<int> arg_owner;       ///< of each argument: its group, -1: none
  std::vector<int> arg_owner_slot;  ///< its first slot among those of the group

  /// Do lists of elements run? (See Sporos_LoopAlike.hpp and, for devices,
  /// Sporos_LoopOwners.hpp.)
  bool has_lists() const { return !owner_blocks.empty(); }

  // global colouring
  std::vector<int> color_offsets;  ///< into color_order, one more than colours
};

/// A plan's arrays; all public for inspection.
template <class MemorySpace>
struct PlanData : PlanInfo {
  using Ints = Kokkos::View<int*, MemorySpace>;

  /// While it is made: that whose device has its arrays.
  typename MemorySpace::execution_space instance{};

  // blocks
  Ints offset, nelems;  ///< first element and number of elements of each block
  Ints blkmap;          ///< blocks sorted by colour

  // teams
  Ints nthrcol;  ///< thread colours of each block
  Ints thrcol;   ///< colour of each element
  Ints order;    ///< elements in the order of a block's threads
  std::vector<StagingGroup<MemorySpace>> groups;

  // owners on devices
  Ints owner_offsets;   ///< where the list of each block begins, and the end
  Ints owner_elements;  ///< owner_list
  std::vector<OwnerGroup<MemorySpace>> owner_groups;

  // global colouring
  Ints color_order;  ///< elements sorted by colour

  // gather
  std::vector<ReverseMap<MemorySpace>> reverse;  ///< for each argument
};

/// A plan as sets keep it, whatever its execution space.
struct AnyLoopPlan : CachedPlan {
  AnyLoopPlan(const std::type_info& space, int number)
      : exec(space), device(number) {}
  const std::type_info& exec;
  const int device;                ///< of the instances that it is for
  const PlanInfo* info = nullptr;  ///< null: not yet made
};

/// A plan with its workspaces.
template <class Exec>
class LoopPlanState final : public AnyLoopPlan {
 public:
  using memory_space = typename Exec::memory_space;
  explicit LoopPlanState(const Exec& instance)
      : AnyLoopPlan(typeid(Exec), device_of(instance)) {}

  PlanData<memory_space>& data() const { return *m_data; }
  /// Replaces the data.
  void set(std::unique_ptr<PlanData<memory_space>> data) {
    m_data = std::move(data);
    info   = m_data.get();
  }

  WorkspaceView<std::uint64_t, memory_space> partials{
      "Sporos::LoopPlan::partials"};
  WorkspaceView<std::uint64_t, memory_space> temporaries{
      "Sporos::LoopPlan::temporaries"};
  WorkspaceView<ExactSumDigits, memory_space> sum_slots{
      "Sporos::LoopPlan::sum_slots"};
  WorkspaceView<std::uint64_t, memory_space> results{
      "Sporos::LoopPlan::results"};

 private:
  std::unique_ptr<PlanData<memory_space>> m_data;
};

}  // namespace Impl
}  // namespace Sporos

#endif
