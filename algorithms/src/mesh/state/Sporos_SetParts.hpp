// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SETPARTS_HPP
#define SPOROS_SETPARTS_HPP

/// \file Sporos_SetParts.hpp
/// What loops ask of a set whose elements are distributed over ranks. Knows
/// nothing of MPI: Sporos_DistributedLoops.hpp implements it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace Sporos {
namespace Impl {

struct SetState;

/// What copies of a dat share, whatever its type.
struct DatState {
  std::string name;
  /// May halo elements have other values than their owners? (distributed sets)
  bool stale                        = false;
  std::shared_ptr<const void> owner = {};  ///< of the values, if view() is not
};

/// A dat whose halo is filled. Strides count values.
struct HaloDat {
  const SetState* set       = nullptr;
  void* data                = nullptr;
  std::ptrdiff_t row_stride = 0, component_stride = 0;
  int components = 0, value_bytes = 0, value_alignment = 1;
};

/// What the reductions of a loop send to all other ranks, and what comes of it.
struct RankWords {
  std::vector<std::uint64_t> least;  ///< become the least of all ranks
  std::vector<std::uint64_t> sums;   ///< become sums over ranks, modulo 2^64
  std::vector<unsigned char> rows;   ///< become those of all ranks, by rank
};

/// Ends of the parts of a distributed set, or of a list of its elements.
struct PartEnds {
  int core = 0, owned = 0, executed = 0;
};

/// Local elements of a distributed set: [0, core) are owned and their maps lead
/// to owned elements only; [core, owned) are the other owned ones; [owned,
/// executed) belong to other ranks, but reach owned elements, so that loops
/// that change those run here, too; the rest is only read. All functions that
/// communicate are collective.
class SetParts : public PartEnds {
 public:
  virtual ~SetParts() = default;

  std::vector<std::int64_t> global;  ///< number of each local element
  bool any_ranks = false;            ///< loops have LoopOptions::any_ranks
  /// of loops: memory of reductions, in the space of is_space
  std::shared_ptr<void> memory;
  /// of loops that write globals, see number_order: the places of elements in
  /// the order of `global`, in that space, and their numbers in this order
  std::shared_ptr<void> order;
  std::vector<std::int64_t> ascending;

  /// Is this the execution space that the set was distributed for?
  virtual bool is_space(const std::type_info& exec) const = 0;
  /// Sends values of owned elements to the halos of other ranks.
  virtual void start(const void* exec, const std::vector<HaloDat>& dats) = 0;
  /// Waits for those of other ranks and fills halos in the instance exec.
  virtual void finish(const void* exec, const std::vector<HaloDat>& dats) = 0;
  /// Combines the words of all ranks.
  virtual void combine(RankWords& words) const = 0;
  /// Throws on all ranks if one has an error, or if texts differ.
  virtual void agree(const std::string& error,
                     const std::string& same) const = 0;
};

}  // namespace Impl
}  // namespace Sporos

#endif
