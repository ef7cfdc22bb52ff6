// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSLABS_HPP
#define SPOROS_NUFFTSLABS_HPP

/// \file Sporos_NufftSlabs.hpp
/// How the fine grid and the modes of a non-uniform FFT are dealt to ranks.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_NufftGrid.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Impl {

/// The fine grid is cut along direction 1, the modes along direction 0: one
/// exchange between them serves both, and only modes of the other directions
/// travel.
template <int Dim>
struct NufftSlabs {
  NufftGrid<Dim> grid;
  int rank = 0;
  std::vector<int> fine;   ///< where direction 1 is cut, and its end
  std::vector<int> modes;  ///< where modes of direction 0 are cut, and the end

  NufftSlabs() = default;
  NufftSlabs(const NufftGrid<Dim>& grid_, const DistributedGrid<Dim>& blocks)
      : grid(grid_), rank(blocks.comm().rank()) {
    const int ranks  = blocks.comm().size();
    const auto& cuts = blocks.all_blocks().cuts[1];
    for (int r = 0; r <= ranks; ++r) {
      fine.push_back(r < int(cuts.size()) ? cuts[std::size_t(r)]
                                          : grid.points[1]);
      modes.push_back(int(std::int64_t(grid.modes[0]) * r / ranks));
    }
  }

  int ranks() const { return int(modes.size()) - 1; }
  /// Rows of direction 1 of the fine grid that a rank has.
  int rows(int r) const {
    return fine[std::size_t(r) + 1] - fine[std::size_t(r)];
  }
  /// Modes of direction 0 that a rank has.
  int planes(int r) const {
    return modes[std::size_t(r) + 1] - modes[std::size_t(r)];
  }
  int first_plane() const { return modes[std::size_t(rank)]; }
  /// Modes of direction 2; 1 in two dimensions.
  int along() const { return Dim == 3 ? grid.modes[Dim - 1] : 1; }
  /// Numbers of this rank: points of its slab of the fine grid with the modes
  /// of direction 2 alone, what it sends of them, and what it gets.
  std::size_t slab() const {
    return std::size_t(grid.points[0]) * std::size_t(rows(rank)) *
           std::size_t(along());
  }
  std::size_t sent() const {
    return std::size_t(grid.modes[0]) * std::size_t(rows(rank)) *
           std::size_t(along());
  }
  std::size_t received() const {
    return std::size_t(planes(rank)) * std::size_t(grid.points[1]) *
           std::size_t(along());
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
