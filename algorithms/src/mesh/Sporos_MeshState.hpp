// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHSTATE_HPP
#define SPOROS_MESHSTATE_HPP

/// \file Sporos_MeshState.hpp
/// What handles of sets and maps share, and the range check of maps. Users
/// include Sporos_Mesh.hpp.

#include <Sporos_Error.hpp>
#include <mesh/Sporos_MeshCopy.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// Plans of loops over a set, whatever their execution space.
struct CachedPlan {
  virtual ~CachedPlan() = default;
  std::atomic<std::uint64_t> last_use{0};  ///< by the clock of the set
};

struct SetState {
  std::string name;
  int size = 0;
  /// Plans of loops over this set (see LoopPlan): they live as long as the set
  std::vector<std::shared_ptr<CachedPlan>> plans;
  std::atomic<std::uint64_t> clock{0};  ///< counts loops
};

/// A map's name, sizes and version, whatever its memory space.
struct MapState {
  std::string name;
  std::shared_ptr<SetState> from, to;
  int arity             = 0;
  std::uint64_t version = 1;
};

/// The first entry of a map that is out of range, in row-major order.
template <class Entries>
struct FirstOutOfRange {
  Entries entries;
  int size;
  using value_type = std::int64_t;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& first) const {
    const auto arity = std::int64_t(entries.extent(1));
    const int t      = entries(k / arity, k % arity);
    if ((t < 0 || t >= size) && k < first) first = k;
  }
};

/// Throws std::invalid_argument that names the first entry out of [0, size).
/// Waits for the result.
template <class Exec, class Entries>
void check_map_range(const Exec& exec, const std::string& name,
                     const Entries& entries, const SetState& from,
                     const SetState& to) {
  using Range      = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  const auto arity = std::int64_t(entries.extent(1));
  const auto n     = std::int64_t(entries.extent(0)) * arity;
  if (n == 0) return;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  Kokkos::parallel_reduce("Sporos::Map::check_range", Range(exec, 0, n),
                          FirstOutOfRange<Entries>{entries, to.size},
                          Kokkos::Min<std::int64_t>(first));
  fence(exec, "Sporos::Map::check_range");
  if (first >= n) return;
  const auto e    = first / arity;
  const auto i    = first % arity;
  const auto host = on_host(entries);
  throw_invalid("Sporos::Map", name.c_str(),
                text("entries in [0, ", to.size, ") of the set ", to.name),
                host(e, i), " at element ", e, " of ", from.name, ", index ",
                i);
}

}  // namespace Impl
}  // namespace Sporos

#endif
