// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTCHUNKS_HPP
#define SPOROS_SORTCHUNKS_HPP

/// \file Sporos_SortChunks.hpp
/// How hosts run the steps of sort_by_key: one thread a chunk, without teams,
/// which Kokkos takes long to compile (use Sporos_SortByKey.hpp).

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// A team of one thread of a host. Its scratch holds one array.
struct OneThreadTeam {
  int m_rank;
  void* m_scratch;

  KOKKOS_INLINE_FUNCTION int league_rank() const { return m_rank; }
  KOKKOS_INLINE_FUNCTION int team_rank() const { return 0; }
  KOKKOS_INLINE_FUNCTION int team_size() const { return 1; }
  KOKKOS_INLINE_FUNCTION void team_barrier() const {}
  KOKKOS_INLINE_FUNCTION const OneThreadTeam& team_scratch(int) const {
    return *this;
  }
  KOKKOS_INLINE_FUNCTION void* get_shmem(std::size_t) const {
    return m_scratch;
  }
};

/// A step of the sort, whose functor is Kernels.
template <class Kernels, class Step>
struct SortChunks {
  Kernels m_kernels;

  void operator()(int chunk) const {
    alignas(64) typename Kernels::Count scratch[Kernels::most_digits];
    m_kernels(Step(), OneThreadTeam{chunk, scratch});
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
