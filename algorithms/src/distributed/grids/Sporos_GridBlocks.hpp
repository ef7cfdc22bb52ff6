// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GRIDBLOCKS_HPP
#define SPOROS_GRIDBLOCKS_HPP

/// \file Sporos_GridBlocks.hpp
/// Which rank has which cells of a grid that is cut into blocks.

#include <Sporos_Communicator.hpp>
#include <Sporos_Grid.hpp>
#include <Sporos_HostCopy.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_CellWindow.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace Sporos {

/// Options of a DistributedGrid.
template <int Dim>
struct DistributedGridOptions {
  /// Number of blocks in each direction; 0: MPI_Dims_create finds it, with the
  /// most blocks in the first directions. If such blocks would be thinner than
  /// the ghost layers, those with the smallest surface are taken that are not;
  /// if there are none for all ranks, the last ranks have no block. Given
  /// numbers for all directions have the number of ranks as their product.
  Kokkos::Array<int, Dim> blocks{};
  /// Where direction d is cut: 0 = cuts[d][0] < cuts[d][1] < ... = cells(d);
  /// block b has the cells cuts[d][b], ..., cuts[d][b + 1] - 1. Empty: blocks
  /// that differ by at most one cell. Else blocks[d] must be 0 or fit.
  std::array<std::vector<int>, Dim> cuts{};
  /// Layers of ghost cells around each block. Transfer with a delta function of
  /// support s needs s / 2 + 1.
  int ghosts = 3;
};

namespace Impl {

/// The blocks of all ranks. Rank r has the block whose numbers in all
/// directions are the digits of r, the last direction fastest; ranks from
/// size() on have none.
template <int Dim>
struct GridBlocks {
  Kokkos::Array<int, Dim> count{};  ///< blocks in each direction
  std::array<std::vector<int>, Dim> cuts;

  /// Number of all blocks
  int size() const {
    int n = 1;
    for (int d = 0; d < Dim; ++d) n *= count[d];
    return n;
  }
  /// Number of the block of a rank in direction d
  int number(int rank, int d) const {
    for (int k = Dim - 1; k > d; --k) rank /= count[k];
    return rank % count[d];
  }
  int rank(const std::array<int, Dim>& number) const {
    int r = 0;
    for (int d = 0; d < Dim; ++d) r = r * count[d] + number[d];
    return r;
  }
  int thinnest(int d) const {
    int least = cuts[d][1] - cuts[d][0];
    for (int b = 0; b < count[d]; ++b)
      least = std::min(least, cuts[d][b + 1] - cuts[d][b]);
    return least;
  }
};

/// Finds the most blocks that are not thinner than ghost layers, with the
/// smallest surface; among equals those with the most blocks in the first
/// directions.
template <int Dim, class Real>
class BlockSearch {
 public:
  using Counts = std::array<int, Dim>;

  /// fixed: given numbers of blocks, or 0
  BlockSearch(const Grid<Dim, Real>& grid, int ghosts, const Counts& fixed)
      : m_grid(grid), m_ghosts(ghosts), m_fixed(fixed) {}

  /// The best of at most so many blocks.
  /// \param balanced the first choice, of as many blocks
  Counts most(int ranks, const Counts& balanced) {
    if (fits(balanced)) return balanced;
    if (find(ranks)) return m_best;
    m_for_plans = false;
    if (fits(balanced)) return balanced;
    if (find(ranks)) return m_best;
    m_for_plans = true;
    for (int n = Math::min(ranks, upper_bound()); n > 0; --n)
      if (find(n)) return m_best;
    return balanced;  // no block fits
  }

 private:
  /// Is the thinnest block, where directions are cut evenly, thick enough? For
  /// plans, a ring that is cut is so long, too, that no point is twice in the
  /// window of a block, whatever support the ghost layers suffice for.
  bool fits(const Counts& counts) const {
    for (int d = 0; d < Dim; ++d) {
      const int n      = m_grid.cells(d);
      const bool ring  = m_grid.boundary(d) == Boundary::periodic;
      const bool thin  = n / counts[d] < m_ghosts;
      const bool twice = m_for_plans && ring && counts[d] > 1 &&
                         n < m_ghosts + window_margin(2 * (m_ghosts - 1));
      if (m_fixed[d] == 0 && (thin || twice)) return false;
    }
    return true;
  }

  /// Sets the best of exactly so many blocks; false: none fit.
  bool find(int ranks) {
    m_least = std::numeric_limits<double>::infinity();
    search(0, ranks);
    return m_least < std::numeric_limits<double>::infinity();
  }

  /// No more blocks fit.
  int upper_bound() const {
    double n = 1;
    for (int d = 0; d < Dim; ++d)
      n *= m_fixed[d] > 0 ? m_fixed[d]
                          : Math::max(1, m_grid.cells(d) / m_ghosts);
    return n < std::numeric_limits<int>::max()
               ? int(n)
               : std::numeric_limits<int>::max();
  }

  void search(int d, int left) {
    if (d == Dim) {
      const double area = left == 1 && fits(m_now) ? surface() : m_least;
      if (area < m_least) m_best = m_now;
      m_least = std::min(m_least, area);
      return;
    }
    for (int n = left; n > 0; --n)
      if (left % n == 0 && (m_fixed[d] == 0 || m_fixed[d] == n)) {
        m_now[d] = n;
        search(d + 1, left / n);
      }
  }

  /// Cells along all cuts
  double surface() const {
    double sum = 0;
    for (int d = 0; d < Dim; ++d) {
      const bool ring = m_grid.boundary(d) == Boundary::periodic;
      double area     = m_now[d] == 1 ? 0 : m_now[d] - (ring ? 0 : 1);
      for (int e = 0; e < Dim; ++e) area *= e == d ? 1. : m_grid.cells(e);
      sum += area;
    }
    return sum;
  }

  const Grid<Dim, Real>& m_grid;
  int m_ghosts;
  Counts m_fixed, m_now{}, m_best{};
  double m_least   = 0;
  bool m_for_plans = true;
};

/// Blocks that options ask for; throws for impossible ones.
template <int Dim, class Real>
GridBlocks<Dim> blocks_of(const char* function, int ranks,
                          const Grid<Dim, Real>& grid,
                          const DistributedGridOptions<Dim>& options) {
  GridBlocks<Dim> blocks;
  std::array<int, Dim> dims;
  int fixed = 1;
  for (int d = 0; d < Dim; ++d) {
    const std::vector<int>& cuts = options.cuts[d];
    dims[d]                      = options.blocks[d];
    check(dims[d] >= 0, function, "options.blocks",
          "a number of blocks, or 0, in each direction", dims[d]);
    if (!cuts.empty()) {
      bool ascending =
          cuts.size() > 1 && cuts.front() == 0 && cuts.back() == grid.cells(d);
      for (std::size_t b = 1; b < cuts.size(); ++b)
        ascending = ascending && cuts[b - 1] < cuts[b];
      check(ascending, function, "options.cuts",
            text("ascending numbers from 0 to ", grid.cells(d),
                 " in direction ", d),
            text(cuts.size(), " other numbers"));
      const int n = int(cuts.size()) - 1;
      check(dims[d] == 0 || dims[d] == n, function, "options.blocks",
            text("0 or ", n, ", the blocks of options.cuts, in direction ", d),
            dims[d]);
      dims[d] = n;
    }
    if (dims[d] > 0) {
      check(ranks % dims[d] == 0 && fixed <= ranks / dims[d], function,
            "options.blocks",
            text("numbers whose product is ", ranks, ", the number of ranks"),
            text(dims[d], " in direction ", d));
      fixed *= dims[d];
    }
  }
  check(ranks % fixed == 0, function, "options.blocks",
        text("numbers whose product divides ", ranks, ", the number of ranks"),
        fixed);
  bool all = true;
  for (int d = 0; d < Dim; ++d) all = all && dims[d] > 0;
  check(!all || fixed == ranks, function, "options.blocks",
        text("numbers whose product is ", ranks, ", the number of ranks"),
        fixed);
  if (!all) {
    BlockSearch<Dim, Real> search(grid, options.ghosts, dims);
    check_mpi(MPI_Dims_create(ranks, Dim, dims.data()), function,
              "MPI_Dims_create");
    dims = search.most(ranks, dims);
  }
  for (int d = 0; d < Dim; ++d) {
    blocks.count[d] = dims[d];
    blocks.cuts[d]  = options.cuts[d];
    for (int b = 0; options.cuts[d].empty() && b <= dims[d]; ++b)
      blocks.cuts[d].push_back(int((long long)(grid.cells(d)) * b / dims[d]));
  }
  return blocks;
}

/// The cells and blocks of positions, in kernels. A point belongs to the block
/// with its cell for the staggering 0, computed as plans do; beyond a wall, to
/// the block at the wall.
template <int Dim, class Real, class MemorySpace>
struct BlockLocator {
  Real origin[Dim], inverse_h[Dim];
  int cells[Dim], ring[Dim], count[Dim], first_cut[Dim];
  Kokkos::View<const int*, MemorySpace> cuts;  ///< of all directions

  BlockLocator() = default;
  template <class Exec>
  BlockLocator(const Exec& exec, const Grid<Dim, Real>& grid,
               const GridBlocks<Dim>& blocks) {
    std::vector<int> all;
    for (int d = 0; d < Dim; ++d) {
      origin[d]    = grid.origin(d);
      inverse_h[d] = Real(1) / grid.spacing(d);
      cells[d]     = grid.cells(d);
      ring[d]      = grid.boundary(d) == Boundary::periodic ? 1 : 0;
      count[d]     = blocks.count[d];
      first_cut[d] = int(all.size());
      all.insert(all.end(), blocks.cuts[d].begin(), blocks.cuts[d].end());
    }
    cuts = to_memory<MemorySpace>(exec, "Sporos::grid::cuts", all);
  }

  /// How a coordinate relates to the grid.
  enum class Found { inside, beyond_wall, not_finite };

  /// The cell of coordinate x in direction d; in a periodic direction wrapped.
  KOKKOS_FUNCTION Found locate(int d, Real x, int& cell) const {
    using std::floor;
    const Real at = (x - origin[d]) * inverse_h[d], low = floor(at);
    const Real n = Real(cells[d]);
    cell         = 0;
    if (!(low - low == 0)) return Found::not_finite;
    const bool in_grid = low >= 0 && low < n;
    if (in_grid || ring[d] != 0) {
      cell = ring_cell(low, n);
      return Found::inside;
    }
    cell = low < 0 ? 0 : cells[d] - 1;
    return at == n ? Found::inside : Found::beyond_wall;
  }

  /// Number of the block with a cell
  KOKKOS_FUNCTION int block(int d, int cell) const {
    return segment_at([&](int b) { return cuts(first_cut[d] + b); }, count[d],
                      cell);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
