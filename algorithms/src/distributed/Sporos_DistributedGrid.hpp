// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDGRID_HPP
#define SPOROS_DISTRIBUTEDGRID_HPP

/// \file Sporos_DistributedGrid.hpp
/// Uniform grids that are cut into blocks, one for each MPI rank, and the
/// exchange of their ghost layers.
///
/// \code
///   Sporos::DistributedGrid<3> blocks(comm, Sporos::Grid<3>({64, 64, 64}, h));
///   Kokkos::View<double***> field("field", blocks.extent(0, 0.),
///                                 blocks.extent(1, 0.), blocks.extent(2, 0.));
///   Sporos::fill_ghosts(exec, blocks, Sporos::Grid<3>::node(), field);
/// \endcode

#include <Sporos_Communicator.hpp>
#include <Sporos_Grid.hpp>
#include <Sporos_GridWindow.hpp>
#include <Sporos_ViewChecks.hpp>
#include <distributed/grids/Sporos_GhostLayers.hpp>
#include <distributed/grids/Sporos_GridBlocks.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <typeindex>
#include <vector>

namespace Sporos {

/// A grid in blocks: each rank owns the cells of one block (see has_block) and
/// the grid points with the same numbers; grid points on an upper wall belong
/// to the last blocks. A field is a View of the block's grid points with
/// ghosts() layers more at both ends of every direction, in any layout, with an
/// extent for components at its end if it has several. Grid point i of the grid
/// in direction d is at index i - first(d) + ghosts() of the field.
///
/// A shallow handle: copies share everything. Destroy it before MPI_Finalize
/// and Kokkos::finalize.
template <int Dim, class Real = double>
class DistributedGrid {
 public:
  static constexpr int dim = Dim;                    ///< number of directions
  using real_type          = Real;                   ///< of coordinates
  using grid_type          = Grid<Dim, Real>;        ///< of the whole grid
  using options_type = DistributedGridOptions<Dim>;  ///< ghost layers, cuts

  /// An empty handle, to be assigned to. Every other use throws.
  DistributedGrid() = default;

  /// Collective.
  /// \param comm the ranks
  /// \param grid the whole grid, the same on all ranks
  /// \param options blocks and ghost layers, the same on all ranks
  /// \throws std::invalid_argument on all ranks for blocks that do not fit the
  ///   grid or the ranks, blocks thinner than the ghost layers, no ghost
  ///   layers, and blocks of 2^31 grid points or more
  DistributedGrid(const Communicator& comm, const grid_type& grid,
                  const options_type& options = {}) {
    Impl::check_handle(comm.is_made(), name, "comm");
    Impl::agree_on(comm, name, [&] {
      m_state = std::make_shared<State>(comm, grid, options);
    });
    check_same(grid, options);
  }

  const Communicator& comm() const { return state().comm; }  ///< The ranks.
  const grid_type& grid() const { return state().grid; }  ///< The whole grid.
  /// Layers of ghost cells.
  int ghosts() const { return state().ghosts; }
  /// Number of blocks in direction d.
  int blocks(int d) const { return state().blocks.count[d]; }
  /// Has this rank a block? On small grids the last ranks may have none: they
  /// own no cells, grid points or points, their fields are ghost layers alone,
  /// and they make all collective calls.
  bool has_block() const { return comm().rank() < state().blocks.size(); }
  /// Number of this rank's block in direction d; 0 without a block.
  int block(int d) const { return state().block[d]; }
  /// The first cell of this rank's block in direction d; 0 without a block.
  int first(int d) const { return state().blocks.cuts[d][block(d)]; }
  /// Number of cells of this rank's block in direction d; 0 without a block.
  int cells(int d) const { return has_block() ? state().cells(d) : 0; }
  /// Number of grid points in direction d that this rank owns of a field with
  /// staggering g in that direction.
  int points(int d, double g) const {
    const bool last = has_block() && block(d) + 1 == blocks(d);
    return cells(d) + (last ? grid().points(d, g) - grid().cells(d) : 0);
  }
  /// Extent of fields with staggering g in direction d: points(d, g) and ghost
  /// layers on both sides.
  int extent(int d, double g) const { return points(d, g) + 2 * ghosts(); }
  /// Cells of the thinnest of all blocks in direction d.
  int thinnest(int d) const { return state().blocks.thinnest(d); }

  /// The block with its ghost layers, without those beyond walls; without a
  /// block, that of rank 0.
  GridWindow<Dim> window() const {
    GridWindow<Dim> w;
    for (int d = 0; d < Dim; ++d) {
      w.first[d]            = first(d) - layers(d, 0);
      w.cells[d]            = layers(d, 0) + state().cells(d) + layers(d, 1);
      w.ends_before_wall[d] = block(d) + 1 < blocks(d);
    }
    return w;
  }
  /// Ghost layers at the lower (end 0) or upper (end 1) end of direction d that
  /// are not beyond a wall: ghosts() or 0.
  int layers(int d, int end) const {
    const int edge = end == 0 ? 0 : blocks(d) - 1;
    return grid().boundary(d) == Boundary::wall && block(d) == edge ? 0
                                                                    : ghosts();
  }

  /// The rank that owns the point at x: that of its cell for the staggering 0,
  /// which wraps in periodic directions. Points beyond a wall belong to the
  /// block at the wall.
  /// \throws std::invalid_argument for a coordinate that is not finite
  int owner(const Kokkos::Array<Real, Dim>& x) const {
    using Locator      = Impl::BlockLocator<Dim, Real, Kokkos::HostSpace>;
    const auto& memory = this->memory(Kokkos::DefaultHostExecutionSpace{});
    std::array<int, Dim> number;
    for (int d = 0; d < Dim; ++d) {
      int cell = 0;
      Impl::check(
          memory.locator.locate(d, x[d], cell) != Locator::Found::not_finite,
          "Sporos::DistributedGrid::owner", "x", "finite coordinates", x[d]);
      number[d] = memory.locator.block(d, cell);
    }
    return state().blocks.rank(number);
  }

  /// Text: blocks of all directions and this rank's.
  std::string describe() const {
    std::ostringstream out;
    const int n = state().blocks.size();
    out << "Sporos::DistributedGrid: " << n << " blocks, ";
    for (int d = 0; d < Dim; ++d) out << (d > 0 ? " x " : "") << blocks(d);
    out << ", " << ghosts() << " ghost layers; ";
    if (n < comm().size())
      out << "ranks from " << n << " to " << comm().size() - 1
          << " have none, since more blocks would be thinner than ghost "
             "layers; ";
    out << "rank " << comm().rank() << " has "
        << (has_block() ? "the cells" : "no cells");
    for (int d = 0; has_block() && d < Dim; ++d)
      out << (d > 0 ? " x [" : " [") << first(d) << ", " << first(d) + cells(d)
          << ')';
    out << '\n';
    return out.str();
  }

  /// For the implementation: on the device of exec.
  template <class Exec>
  Impl::GhostMemory<Dim, Real, typename Exec::memory_space>& memory(
      const Exec& exec) const {
    using MemorySpace = typename Exec::memory_space;
    using Memory      = Impl::GhostMemory<Dim, Real, MemorySpace>;
    std::shared_ptr<void>& present =
        state().memory[{typeid(MemorySpace), Impl::device_of(exec)}];
    if (present == nullptr) {
      const auto made = std::make_shared<Memory>();
      made->locator   = Impl::BlockLocator<Dim, Real, MemorySpace>(
          exec, grid(), state().blocks);
      present = made;
    }
    return *static_cast<Memory*>(present.get());
  }

  /// For the implementation: all ghost layers.
  Impl::GhostReach<Dim> all_layers() const {
    Impl::GhostReach<Dim> reach;
    reach.low.fill(ghosts());
    reach.high.fill(ghosts());
    return reach;
  }
  /// For the implementation: lists of the innermost ghost layers of fields with
  /// staggering g.
  template <class Exec>
  const Impl::ExchangeLists<typename Exec::memory_space>& lists(
      const Exec& exec, const Staggering& g,
      const Impl::GhostReach<Dim>& reach) const {
    using MemorySpace = typename Exec::memory_space;
    std::array<int, Dim> n;
    std::array<int, 3 * Dim> key;
    for (int d = 0; d < Dim; ++d) {
      key[d] = n[d]    = points(d, g[d]);
      key[Dim + d]     = reach.low[d];
      key[2 * Dim + d] = reach.high[d];
    }
    auto& all     = memory(exec).lists;
    const auto at = all.find(key);
    if (at != all.end()) return at->second;
    using Layout = typename MemorySpace::execution_space::array_layout;
    const Impl::GhostLists<Dim> made(
        grid(), state().blocks, comm().rank(), n, ghosts(), reach,
        std::is_same_v<Layout, Kokkos::LayoutLeft>);
    return all
        .emplace(key, Impl::ExchangeLists<MemorySpace>(exec, made.send,
                                                       made.receive))
        .first->second;
  }

  /// For the implementation.
  bool is_made() const { return m_state != nullptr; }
  /// For the implementation.
  const Impl::GridBlocks<Dim>& all_blocks() const { return state().blocks; }

 private:
  static constexpr const char* name = "Sporos::DistributedGrid";

  struct State {
    Communicator comm;
    grid_type grid;
    Impl::GridBlocks<Dim> blocks;
    std::array<int, Dim> block;
    int ghosts;
    /// of each memory space and device
    std::map<std::pair<std::type_index, int>, std::shared_ptr<void>> memory;

    State(const Communicator& comm_, const grid_type& grid_,
          const options_type& options)
        : comm(comm_), grid(grid_), ghosts(options.ghosts) {
      Impl::check(grid.cells(0) > 0, name, "grid", "a grid with cells", "none");
      Impl::check(ghosts > 0, name, "options.ghosts",
                  "at least one ghost layer", ghosts);
      blocks         = Impl::blocks_of(name, comm.size(), grid, options);
      double points  = 1;
      const bool any = comm.rank() < blocks.size();
      for (int d = 0; d < Dim; ++d) {
        block[d] = any ? blocks.number(comm.rank(), d) : 0;
        Impl::check(blocks.thinnest(d) >= ghosts, name, "options.ghosts",
                    Impl::text("at most ", blocks.thinnest(d),
                               ", the cells of the thinnest block in "
                               "direction ",
                               d),
                    ghosts);
        points *= double(cells(d) + 1) + 2. * ghosts;
      }
      Impl::check(points < double(std::numeric_limits<int>::max()), name,
                  "grid", "fewer than 2^31 grid points in each block", points);
    }
    int cells(int d) const {
      return blocks.cuts[d][block[d] + 1] - blocks.cuts[d][block[d]];
    }
  };

  State& state() const {
    Impl::check_handle(m_state != nullptr, name, "grid");
    return *m_state;
  }

  /// All ranks must have the same grid and ghost layers.
  void check_same(const grid_type& grid, const options_type& options) {
    std::vector<double> mine{double(options.ghosts)};
    std::string cuts = "blocks";
    for (int d = 0; d < Dim; ++d) {
      mine.insert(mine.end(),
                  {double(grid.cells(d)), double(grid.spacing(d)),
                   double(grid.origin(d)), double(int(grid.boundary(d))),
                   double(blocks(d))});
      cuts += "; cuts";
      for (const int cut : state().blocks.cuts[d])
        cuts += ' ' + std::to_string(cut);
    }
    std::vector<double> first = mine;
    Impl::check_mpi(
        MPI_Bcast(first.data(), int(first.size()), MPI_DOUBLE, 0, comm().mpi()),
        name, "MPI_Bcast");
    const Communicator ranks = comm();
    Impl::agree_on(
        ranks, name,
        [&] {
          Impl::check(mine == first, name, "grid, options",
                      "what rank 0 has, on all ranks",
                      "another grid, or options");
        },
        cuts);
  }

  std::shared_ptr<State> m_state;
};

namespace Impl {

/// Ghost layers of a window around the block at the lower (end 0) or upper
/// (end 1) end of direction d.
template <int Dim, class Real>
int layers_of(const DistributedGrid<Dim, Real>& grid,
              const GridWindow<Dim>& window, int d, int end) {
  const int below = grid.first(d) - window.first[d];
  return end == 0 ? below : window.cells[d] - below - grid.cells(d);
}

/// Shape of a field of a block.
template <class Exec, int Dim, class Real, class Field>
void check_block_field(const char* function,
                       const DistributedGrid<Dim, Real>& grid,
                       const Staggering& g, const Field& field,
                       const char* argument = "field") {
  static_assert(
      Kokkos::is_view<Field>::value &&
          (view_rank_v<Field> == Dim || view_rank_v<Field> == Dim + 1),
      "Sporos::DistributedGrid: a field must be a View whose rank is "
      "the dimension of the grid, plus one for components");
  static_assert(is_accessible_v<Exec, Field>,
                "Sporos::DistributedGrid: a field must be accessible to the "
                "execution space");
  check_staggering<Dim>(function, g);
  for (int d = 0; d < Dim; ++d) {
    const auto n = std::size_t(grid.extent(d, g[d]));
    check(field.extent(d) == n, function, argument,
          text("extent(", d, ") == ", n,
               ", the grid points of the block with ghost layers"),
          extents(field));
  }
  check_components<Dim>(function, argument, field);
  check_memory(function, argument, field);
}

/// A staggering as "(0, 0.5)".
template <int Dim>
std::string in_words(const Staggering& g) {
  std::ostringstream out;
  for (int d = 0; d < Dim; ++d) out << (d == 0 ? "(" : ", ") << g[d];
  out << ')';
  return out.str();
}

/// The part of an exchange that the innermost ghost layers of a field are.
template <bool Adds, class Exec, int Dim, class Real, class Field>
auto ghost_part(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                const Staggering& g, const GhostReach<Dim>& reach,
                const Field& field) {
  using T = RealPartOf<Field>;
  static_assert(!std::is_const<typename Field::value_type>::value,
                "Sporos::DistributedGrid: ghost layers of fields are written: "
                "the field must not be const");
  return copy_part<Adds>(grid.lists(exec, g, reach),
                         FieldEntries<T, Dim>(field),
                         real_components<Dim>(field));
}

/// The part of an exchange that all ghost layers of a field are.
template <bool Adds, class Exec, int Dim, class Real, class Field>
auto ghost_part(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                const Staggering& g, const Field& field) {
  return ghost_part<Adds>(exec, grid, g, grid.all_layers(), field);
}

/// What all ranks must have alike of a field: "2 x 8 bytes,
/// staggering (0, 0.5); ".
template <int Dim, class Field>
std::string kind_of_field(const Staggering& g, const Field& field) {
  return in_one_text(real_components<Dim>(field), " x ",
                     type_in_words<RealPartOf<Field>>(), ", staggering ",
                     in_words<Dim>(g), "; ");
}

/// Appends what tells the exchanges of parts apart.
template <class Key, class Part>
void append_key(Key& key, const Part& part) {
  key.push_back(std::size_t(Part::adds));
  key.push_back(reinterpret_cast<std::size_t>(part.lists.state().get()));
  key.push_back(sizeof(typename Part::value_type));
  key.push_back(std::size_t(part.components));
}

}  // namespace Impl
}  // namespace Sporos

#endif
