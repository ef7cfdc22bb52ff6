// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COLORINGTARGETS_HPP
#define SPOROS_COLORINGTARGETS_HPP

/// \file Sporos_ColoringTargets.hpp
/// What items to colour write to. An item is an element, a block of elements or
/// a thread; a functor with for_each(item, f) calls f(target) for all of its
/// targets. Those of several sets are numbered one set after another.

#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Throws for negative numbers of items and targets.
inline void check_sizes(const char* function, int n_items, int n_targets) {
  check(n_items >= 0, function, "n_items", "at least 0", n_items);
  check(n_targets >= 0, function, "n_targets", "at least 0", n_targets);
}

/// Throws for a target out of range.
inline void check_target(const char* function, int target, int n_targets,
                         int item) {
  check(target >= 0 && target < n_targets, function, "targets",
        text("targets in [0, ", n_targets, ')'), target, " of item ", item);
}

}  // namespace Impl

/// One map, or some of its columns: slot s of item i is
/// first_target + data[i * item_stride + s * slot_stride].
template <class Index = int>
struct TargetTable {
  const Index* data;           ///< the entries
  int arity;                   ///< slots per item
  std::ptrdiff_t item_stride;  ///< from item to item, in entries
  std::ptrdiff_t slot_stride;  ///< from slot to slot, in entries
  /// added to each entry: the number of the first target of this map among
  /// those of all
  int first_target = 0;
};

/// Any number of maps at once; item i is row i of them all.
template <class Index = int>
class TableTargets {
 public:
  TableTargets() = default;  ///< No maps.
  /// The given maps, in this order.
  TableTargets(std::initializer_list<TargetTable<Index>> tables)
      : m_tables(tables) {}
  /// The given maps, in this order.
  explicit TableTargets(std::vector<TargetTable<Index>> tables)
      : m_tables(std::move(tables)) {}
  /// Adds a map.
  void add(const TargetTable<Index>& table) { m_tables.push_back(table); }

  /// f(target) for each target of an item, in the order of the maps and slots.
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each(int item, F&& f) const {
    for (const TargetTable<Index> table : m_tables) {  // f may write to ints
      const Index* const p = table.data + item * table.item_stride;
      for (int s = 0; s < table.arity; ++s)
        f(table.first_target + static_cast<int>(p[s * table.slot_stride]));
    }
  }

  /// All targets of items begin .. end - 1.
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each_of(int begin, int end, F&& f) const {
    for (const TargetTable<Index> table : m_tables) {
      const Index* p = table.data + begin * table.item_stride;
      if (table.slot_stride == 1 && table.item_stride == table.arity) {
        const Index* const last = p + (end - begin) * table.item_stride;
        for (; p != last; ++p) f(table.first_target + static_cast<int>(*p));
      } else {
        for (int i = begin; i < end; ++i, p += table.item_stride)
          for (int s = 0; s < table.arity; ++s)
            f(table.first_target + static_cast<int>(p[s * table.slot_stride]));
      }
    }
  }

 private:
  std::vector<TargetTable<Index>> m_tables;
};

/// Item b is a block of consecutive rows: offsets[b] .. offsets[b + 1].
template <class Index = int>
struct BlockTargets {
  TableTargets<Index> elements;  ///< the maps of the elements
  const int* offsets;            ///< first element of each block, and the end

  /// f(target) for each target of each element of a block, in their order.
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each(int block, F&& f) const {
    elements.for_each_of(offsets[block], offsets[block + 1], f);
  }
};

/// Item i writes targets[offsets[i] .. offsets[i + 1]).
template <class Index = int>
struct CsrTargets {
  const int* offsets;    ///< where the targets of each item begin, and the end
  const Index* targets;  ///< the targets, item after item

  /// f(target) for each target of an item, in their order.
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each(int item, F&& f) const {
    for (int k = offsets[item]; k < offsets[item + 1]; ++k)
      f(static_cast<int>(targets[k]));
  }
};

}  // namespace Sporos

#endif
