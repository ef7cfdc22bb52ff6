// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDPLAN_HPP
#define SPOROS_DISTRIBUTEDPLAN_HPP

/// \file Sporos_DistributedPlan.hpp
/// The plan of particle-grid transfer on many ranks. Users include
/// Sporos_DistributedParticleGrid.hpp.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_ParticleGrid.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <distributed/grids/Sporos_PointCopies.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace Sporos {

/// How points near the borders of blocks add to the blocks of other ranks.
enum class BorderMode {
  automatic,     ///< what sends fewer bytes from the rank that sends most;
                 ///< ghost_points with any_ranks
  ghost_points,  ///< copies of points travel at each update, their strengths at
                 ///< each spread; every rank sums its own grid points
  ghost_sums     ///< points add to ghost layers, whose sums travel
};

/// Options of a DistributedParticleGridPlan.
struct DistributedPlanOptions {
  /// As on one rank. any_ranks needs numbers of points: fields and values then
  /// have the same bits on any number of ranks.
  PlanOptions plan{};
  /// What travels at spread. interpolate fills ghost layers in both modes.
  BorderMode borders = BorderMode::automatic;
};

namespace Impl {

template <>
struct EnumNames<BorderMode> {
  using E                           = BorderMode;
  static constexpr NamedValue all[] = {{"automatic", E::automatic},
                                       {"ghost_points", E::ghost_points},
                                       {"ghost_sums", E::ghost_sums}};
};

/// The contents of a distributed plan, shared by its copies.
template <class Exec, int Dim, class Real, class Delta>
struct DistributedPlanState {
  static constexpr const char* name = "Sporos::DistributedParticleGridPlan";
  /// Points reach grid points of any staggering this far beyond a block.
  static constexpr int reach = Delta::support / 2 + 1;
  /// Points nearer to a border than this, in cells, touch grid points beyond
  /// it. What is more than half the support covers rounding.
  static constexpr Real touching = Real(Delta::support) / 2 + Real(0.0625);
  using Memory                   = typename Exec::memory_space;
  using Local                    = ParticleGridPlan<Exec, Dim, Real, Delta>;
  template <class T>
  using Space = WorkspaceView<T, Memory>;

  DistributedGrid<Dim, Real> grid;
  DistributedPlanOptions options;
  GridWindow<Dim> window;  ///< of the local plan
  Local local;
  PointCopies<Exec, Dim, Real> copies;
  BorderMode mode        = BorderMode::automatic;
  std::size_t own        = 0;
  std::int64_t my_copies = 0;  ///< copies of points of this rank for others
  /// of a rank, at most: copies of points, and grid points in ghost layers
  std::uint64_t most_copies = 0, most_ghosts = 0;
  std::uint64_t most_own = 0;      ///< points of a rank, at most
  bool all_ascend        = false;  ///< points of all ranks come by number
  bool whole             = false;  ///< the last update ran to its end
  /// Values of copies of points, and of all points by number
  struct CopiedValues {
    Space<double> received{"Sporos::plan::received_values"};
    Space<double> merged{"Sporos::plan::merged_values"};
  };
  CopiedValues values, more_values;  ///< more: of calls with two arrays
  /// of values of points, by bytes and components
  std::map<std::pair<std::size_t, int>, Exchange<Memory>> exchanges;
  AgreedKinds agreed;  ///< calls of spread and interpolate

  DistributedPlanState(const Exec& exec,
                       const DistributedGrid<Dim, Real>& grid_,
                       const Delta& delta,
                       const DistributedPlanOptions& options_)
      : grid(grid_), options(options_) {
    check_enum(name, "options.borders", options.borders);
    check(!options.plan.any_ranks || options.borders != BorderMode::ghost_sums,
          name, "options.borders",
          "ghost_points or automatic, since options.plan.any_ranks is set",
          "ghost_sums");
    check(grid.ghosts() >= reach, name, "grid",
          text("at least ", reach,
               " ghost layers for a delta function of "
               "support ",
               int(Delta::support)),
          grid.ghosts());
    for (int d = 0; d < Dim; ++d)
      check(grid.thinnest(d) >= reach, name, "grid",
            text("blocks of at least ", reach, " cells in direction ", d),
            grid.thinnest(d));
    window = window_of_block();
    check_rings();
    local = Local(exec, grid.grid(), delta,
                  Kokkos::View<Real**, Kokkos::LayoutRight, Memory>(
                      "Sporos::plan::no_points", 0, Dim),
                  window, options.plan);
  }

  /// A window that does not wrap has no point twice.
  void check_rings() const {
    const int least = grid.ghosts() + window_margin(Delta::support);
    for (int d = 0; d < Dim; ++d)
      check(grid.grid().boundary(d) == Boundary::wall || window.wraps[d] ||
                grid.grid().cells(d) >= least,
            name, "grid",
            text("at least ", least, " cells in the periodic direction ", d,
                 options.plan.any_ranks ? "" : ", which is cut into blocks",
                 ": ghost layers, half the support and 3 more"),
            grid.grid().cells(d));
  }

  /// The block with its ghost layers. In a periodic direction with one block
  /// fields wrap around instead, unless other bits would follow of that.
  GridWindow<Dim> window_of_block() const {
    GridWindow<Dim> w = grid.window();
    const auto cells =
        plan_cells<Exec, Dim, Real, Delta::support>(grid.grid(), options.plan);
    for (int k = 0; k < Dim; ++k) {
      const int d = cells.dir[k];
      w.wraps[d]  = grid.blocks(d) == 1 &&
                   grid.grid().boundary(d) == Boundary::periodic &&
                   (!options.plan.any_ranks || cells.wraps_alike(k));
      if (!w.wraps[d]) continue;
      w.first[d] = 0;
      w.cells[d] = grid.grid().cells(d);
    }
    return w;
  }

  /// Throws if positions are wrong; counts copies.
  template <class Positions>
  void check_points(const Exec& exec, const Positions& x) {
    const PositionFaults faults =
        copies.inspect(exec, grid, window, x, touching, my_copies);
    check_finite(name, faults);
    check(faults.elsewhere == PositionFaults::none, name, "positions",
          "points in the block of this rank (see migrate)",
          text("one of another rank at point ", faults.elsewhere));
  }

  /// Do points of one cell, own ones or copies, come from one rank, as they do
  /// if cells of the plan are those of the blocks?
  bool cells_are_of_blocks() const {
    const auto& cells = local.state().bins.cells;
    for (int k = 0; k < Dim; ++k)
      if (cells.offset[k] != 0 && !window.wraps[cells.dir[k]]) return false;
    return true;
  }

  /// The ghost layers of fields with staggering g that points of the block
  /// touch. Those of nodes and middles are known: a point in the node's cell c
  /// is in the cell c or, if cells lie half a cell higher or lower for its
  /// support, in c - 1 or c + 1.
  GhostReach<Dim> touched(const Staggering& g) const {
    constexpr int s        = Delta::support;
    GhostReach<Dim> layers = grid.all_layers();
    for (int d = 0; d < Dim; ++d) {
      if (window.wraps[d]) {
        layers.low[d] = layers.high[d] = 0;
        continue;
      }
      const double sorted = options.plan.staggering[d];
      const bool known    = (g[d] == 0 || g[d] == .5) &&
                         (sorted == g[d] || (s % 2 == 0 && sorted == 0));
      if (!known) continue;
      const double offset = g[d] - (s % 2 != 0 ? .5 : 0.);
      layers.low[d]       = (s - 1) / 2 + (offset > 0 ? 1 : 0);
      layers.high[d]      = s / 2 + (offset < 0 ? 1 : 0);
    }
    return layers;
  }

  /// Throws on all ranks if one has an error, and decides what travels.
  /// Collective.
  /// \param n points of this rank
  /// \param ascend do the points come by number?
  /// \param numbered are there numbers?
  void agree(const Exec& exec, const std::string& error, std::size_t n,
             bool ascend, bool numbered) {
    const Staggering& g = options.plan.staggering;
    const auto& ghosts  = grid.lists(exec, g, touched(g)).receive();
    Agreement agreement(grid.comm(), name, error,
                        numbered ? "numbers" : "no numbers",
                        {std::uint64_t(error.empty() ? my_copies : 0),
                         std::uint64_t(ghosts.size()), std::uint64_t(n),
                         std::uint64_t(ascend ? 0 : 1)});
    agreement.reduce();
    agreement.conclude();
    most_copies = agreement.most(0);
    most_ghosts = agreement.most(1);
    most_own    = agreement.most(2);
    all_ascend  = agreement.most(3) == 0;
    mode        = options.borders;
    if (mode != BorderMode::automatic) return;
    // positions and a strength against a sum
    mode = options.plan.any_ranks || most_copies * (Dim + 1) <= most_ghosts
               ? BorderMode::ghost_points
               : BorderMode::ghost_sums;
  }

  /// Could a rank have too many points with the copies of others?
  bool may_overflow() const {
    const int neighbours =
        Math::min(grid.comm().size(), int(Borders<Dim>::codes));
    return most_own + std::uint64_t(neighbours) * most_copies >= points_end;
  }

  template <class Positions>
  void update(const Exec& exec, const Positions& x, const std::int64_t* numbers,
              std::ptrdiff_t numbers_stride) {
    const ProfilingRegion region("Sporos::DistributedParticleGridPlan::update");
    whole = false;
    own   = x.extent(0);
    if (mode == BorderMode::ghost_sums) {
      local.update(exec, x);
    } else {
      // then the points of each cell come by number
      if (all_ascend && cells_are_of_blocks()) numbers = nullptr;
      copies.update(exec, grid, window, x, my_copies, may_overflow(), numbers,
                    numbers_stride, [&](const auto& all, const auto& images) {
                      auto& state = local.state();
                      state.update_sorted([&] {
                        state.bins.update(name, exec, all, images, all.own.n);
                      });
                    });
    }
    whole = true;
  }
};

}  // namespace Impl

/// The plan of particle-grid transfer on the blocks of a DistributedGrid. Each
/// rank gives the points of its block, which it has after migrate; points
/// beyond walls are those of the block at the wall.
///
/// A shallow handle: copies share everything. All calls are collective. Destroy
/// plans before MPI_Finalize and Kokkos::finalize.
template <class ExecSpace, int Dim, class Real, class Delta>
class DistributedParticleGridPlan {
 public:
  using execution_space = ExecSpace;                   ///< of transfers
  using grid_type       = DistributedGrid<Dim, Real>;  ///< of the blocks
  using delta_type      = Delta;  ///< of the delta function
  /// The plan of this rank's points.
  using local_type = ParticleGridPlan<ExecSpace, Dim, Real, Delta>;
  /// for the implementation
  using State = Impl::DistributedPlanState<ExecSpace, Dim, Real, Delta>;

  /// An empty handle, to be assigned to. Every other use throws.
  DistributedParticleGridPlan() = default;

  /// \param exec sorts the points; any instance may use the plan later
  /// \param grid the blocks; at least support / 2 + 1 ghost layers, and cells
  ///   in each block and direction
  /// \param delta the delta function
  /// \param positions of this rank's points, shape (n, Dim), in one dimension
  ///   also (n); they are copied
  /// \param options the same on all ranks
  /// \throws std::invalid_argument on all ranks for what ParticleGridPlan
  ///   refuses, blocks that are too thin, points of other ranks, and any_ranks
  ///   without numbers
  /// Complexity: O(n + copies of points), see ParticleGridPlan.
  template <class Positions>
  DistributedParticleGridPlan(const ExecSpace& exec, const grid_type& grid,
                              const Delta& delta, const Positions& positions,
                              const DistributedPlanOptions& options = {}) {
    make(exec, grid, delta, options);
    update(exec, positions);
    state().local.check(exec);  // waits: any instance may use the plan
  }

  /// Makes a plan for points with global numbers, in whose order contributions
  /// are added up.
  /// \param exec, grid, delta, positions, options as above
  /// \param numbers shape (n), std::int64_t; none is negative, and no two
  /// points
  ///   have the same
  template <class Positions, class Numbers>
  DistributedParticleGridPlan(const ExecSpace& exec, const grid_type& grid,
                              const Delta& delta, const Positions& positions,
                              const Numbers& numbers,
                              const DistributedPlanOptions& options) {
    make(exec, grid, delta, options);
    update(exec, positions, numbers);
    state().local.check(exec);
  }

  /// Takes new positions of this rank's points, whose number may change.
  /// Collective; exceptions as above, after which the plan is as before. After
  /// any other, as of memory or MPI, the plan is as before, or spread and
  /// interpolate throw until the next update.
  template <class Positions>
  void update(const ExecSpace& exec, const Positions& positions) {
    State& s                = state();
    const std::string error = Impl::thrown_text([&] {
      Impl::check(!s.options.plan.any_ranks, State::name, "numbers",
                  "numbers of points, since options.plan.any_ranks is set",
                  "none");
      local_type::check_positions(State::name, positions);
      s.check_points(exec, positions);
    });
    s.agree(exec, error, positions.extent(0), false, false);
    s.update(exec, positions, nullptr, 0);
  }
  /// Takes new positions of this rank's points, which have global numbers.
  /// Collective; exceptions as for update without numbers.
  template <class Positions, class Numbers>
  void update(const ExecSpace& exec, const Positions& positions,
              const Numbers& numbers) {
    static_assert(Impl::view_rank_v<Numbers> == 1 &&
                      std::is_same<typename Numbers::non_const_value_type,
                                   std::int64_t>::value &&
                      Impl::is_accessible_v<ExecSpace, Numbers>,
                  "Sporos::DistributedParticleGridPlan: numbers must be a View "
                  "of std::int64_t of rank 1, accessible to the execution "
                  "space");
    State& s                = state();
    bool ascend             = false;
    const std::string error = Impl::thrown_text([&] {
      local_type::check_positions(State::name, positions);
      Impl::check(numbers.extent(0) == positions.extent(0), State::name,
                  "numbers",
                  Impl::text("extent(0) == ", positions.extent(0),
                             ", the number of points"),
                  Impl::extents(numbers));
      Impl::check_memory(State::name, "numbers", numbers);
      s.check_points(exec, positions);
      ascend = Impl::check_numbers(exec, State::name, numbers);
    });
    s.agree(exec, error, positions.extent(0), ascend, true);
    s.update(exec, positions, numbers.data(),
             std::ptrdiff_t(numbers.stride(0)));
  }

  /// Number of points of this rank, without copies.
  std::size_t size() const { return state().own; }
  const grid_type& grid() const { return state().grid; }  ///< The blocks.
  /// What travels, after `automatic` has chosen.
  BorderMode borders() const { return state().mode; }
  /// The plan of this rank's points and of copies of others.
  const local_type& local() const { return state().local; }

  /// Text: this rank's plan, what travels and why.
  std::string describe(const ExecSpace& exec = ExecSpace{}) const {
    const State& s    = state();
    const bool points = s.mode == BorderMode::ghost_points;
    std::ostringstream out;
    out << s.grid.describe() << "Sporos::DistributedParticleGridPlan: " << s.own
        << " points of this rank and " << (points ? s.copies.copies : 0)
        << " copies of others\n  borders: " << Impl::name_of(s.mode);
    if (s.options.borders != BorderMode::automatic)
      out << ", as asked for";
    else if (s.options.plan.any_ranks)
      out << ", since any_ranks needs them";
    out << "; of a rank at most " << s.most_copies << " copies of points, of "
        << Dim + 1 << " numbers each, against " << s.most_ghosts
        << " grid points in ghost layers\n"
        << s.local.describe(exec);
    return out.str();
  }

  /// For the implementation.
  State& state(
      const char* function = "Sporos::DistributedParticleGridPlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

 private:
  void make(const ExecSpace& exec, const grid_type& grid, const Delta& delta,
            const DistributedPlanOptions& options) {
    Impl::check_handle(grid.is_made(), State::name, "grid");
    Impl::agree_on(
        grid.comm(), State::name,
        [&] { m_state = std::make_shared<State>(exec, grid, delta, options); },
        Impl::in_one_text(
            "support ", int(Delta::support), " of ", typeid(Delta).name(),
            ", borders ", Impl::name_of(options.borders),
            options.plan.any_ranks ? ", any_ranks" : "", ", contiguous ",
            int(options.plan.contiguous), ", staggering ",
            Impl::in_words<Dim>(options.plan.staggering)));
  }

  std::shared_ptr<State> m_state;
};

}  // namespace Sporos

#endif
