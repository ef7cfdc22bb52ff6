// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BLOCKS_HPP
#define SPOROS_BLOCKS_HPP

/// \file Sporos_Blocks.hpp
/// Elements with global numbers in blocks of consecutive ones, a block for each
/// rank: who holds an element follows from its number.

#include <Sporos_Communicator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

using GlobalNumber = std::int64_t;

/// Rank r holds the elements begin(r), ..., begin(r + 1) - 1.
class RankBlocks {
 public:
  RankBlocks() = default;

  /// Collective. \param count elements of this rank
  RankBlocks(const Communicator& comm, GlobalNumber count)
      : m_first(std::size_t(comm.size()) + 1, 0) {
    check_mpi(MPI_Allgather(&count, 1, MPI_INT64_T, m_first.data() + 1, 1,
                            MPI_INT64_T, comm.mpi()),
              "Sporos::distribute", "MPI_Allgather");
    for (std::size_t r = 1; r < m_first.size(); ++r)
      m_first[r] += m_first[r - 1];
  }

  GlobalNumber begin(int rank) const { return m_first[std::size_t(rank)]; }
  GlobalNumber count(int rank) const { return begin(rank + 1) - begin(rank); }
  GlobalNumber size() const { return m_first.back(); }

  /// The rank that holds element g.
  int holder(GlobalNumber g) const {
    return int(std::upper_bound(m_first.begin(), m_first.end(), g) -
               m_first.begin()) -
           1;
  }

 private:
  std::vector<GlobalNumber> m_first;
};

inline void sort_unique(std::vector<GlobalNumber>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace Impl
}  // namespace Sporos

#endif
