// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTICLEGRIDPLAN_HPP
#define SPOROS_PARTICLEGRIDPLAN_HPP

/// \file Sporos_ParticleGridPlan.hpp
/// The plan of particle-grid transfer. Users include Sporos_ParticleGrid.hpp.

#include <Sporos_Checks.hpp>
#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_Grid.hpp>
#include <Sporos_GridWindow.hpp>
#include <Sporos_Pack.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/sweep/Sporos_SpreadSweep.hpp>
#include <Sporos_TransferOptions.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>

namespace Sporos {

/// The direction of the grid along which points of a tile are sorted and, on
/// hosts, SIMD lanes run. Choose the one in which fields are contiguous.
enum class ContiguousDirection {
  automatic,  ///< last for spaces with the default LayoutRight, else first
  first,      ///< the first index of fields (LayoutLeft)
  last        ///< the last index of fields (LayoutRight)
};

/// Options of a ParticleGridPlan.
struct PlanOptions {
  /// Staggering for which points are sorted. A call may use another one at a
  /// small cost.
  Staggering staggering{{0., 0., 0.}};
  /// The direction of sorting and SIMD lanes.
  ContiguousDirection contiguous = ContiguousDirection::automatic;
  /// Check at some points that the weights of the delta function sum to 1, up
  /// to 1e-5. Use it while you develop your own. Always on with
  /// Sporos_ENABLE_CHECKS, unless a delta function says that they do not.
  bool check_delta = false;
  /// spread and interpolate give a grid point, or a point, the same bits
  /// whatever lies where it cannot touch it. The parts of a field that several
  /// plans compute, one for each window of the grid, then have the bits of a
  /// plan for a window with the whole grid. Takes `automatic` and `tiled` only,
  /// and delta functions of support up to 16, on devices up to 7. Tiles with
  /// few or very many points take longer.
  bool any_ranks = false;
};

namespace Impl {

template <>
struct EnumNames<ContiguousDirection> {
  using E                           = ContiguousDirection;
  static constexpr NamedValue all[] = {
      {"automatic", E::automatic}, {"first", E::first}, {"last", E::last}};
};

/// Throws unless the weights of a delta function sum to 1 at 17 points; runs on
/// the host.
template <class Real, class Delta>
void check_delta_sum(const char* function, const Delta& delta) {
  constexpr int n = 16;
  for (int k = 0; k <= n; ++k) {
    const Real r =
        Real(k) / Real(n) - (Delta::support % 2 ? Real(.5) : Real(0));
    Real w[Delta::support], sum = 0;
    scalar_weights(delta, r, w);
    for (const Real x : w) sum += x;
    check(sum - 1 < Real(1e-5) && sum - 1 > Real(-1e-5), function, "delta",
          "weights that sum to 1", text(sum, " at r = ", r));
  }
}

/// The widest support whose tiles have images.
template <class Exec>
constexpr int most_images_v =
    is_host_space_v<Exec> ? max_tiled_support : max_team_support;
/// The widest support for which spread takes tiles.
template <class Exec>
constexpr int most_tiled_v =
    is_host_space_v<Exec> ? max_direct_support : max_team_support;

/// Are there images of tiles for the delta function?
template <class Exec, class Delta>
constexpr bool has_tiles_v = Delta::support <= most_images_v<Exec>;

/// The choice of `automatic`.
template <class Exec, class Delta>
constexpr SpreadAlgorithm automatic_spread =
    Delta::support <= most_tiled_v<Exec> ? SpreadAlgorithm::tiled
                                         : SpreadAlgorithm::sweep_buffered;
/// The choice of `automatic` for sorted points. Devices copy tiles of the field
/// if they hold enough points, on average over all tiles of the grid; with
/// any_ranks the choice must not depend on this.
template <class Exec, class Delta, class Bins>
InterpolateAlgorithm automatic_interpolate(const Bins& bins) {
  constexpr int least = least_points_to_copy_tiles;
  const bool tiled =
      has_tiles_v<Exec, Delta> &&
      (is_host_space_v<Exec> || (!bins.any_ranks && bins.n >= least &&
                                 bins.n / least >= bins.tile_bound()));
  return tiled ? InterpolateAlgorithm::tiled : InterpolateAlgorithm::sorted;
}

/// The cells of a plan for a whole grid.
template <class Exec, int Dim, class Real, int Support>
TiledCells<Dim, Real, Support> plan_cells(const Grid<Dim, Real>& grid,
                                          const PlanOptions& options) {
  constexpr bool right =
      std::is_same<typename Exec::array_layout, Kokkos::LayoutRight>::value;
  const bool last = options.contiguous == ContiguousDirection::automatic
                        ? right
                        : options.contiguous == ContiguousDirection::last;
  return {grid, options.staggering, last};
}

/// The contents of a plan, shared by its copies.
template <class Exec, int Dim, class Real, class Delta>
struct PlanState {
  using Bins = ParticleBins<Exec, Dim, Real, Delta::support>;
  Grid<Dim, Real> grid;
  Delta delta;
  PlanOptions options;
  std::optional<GridWindow<Dim>> window;
  Bins bins;
  WorkspaceView<double, typename Exec::memory_space> slots{
      "Sporos::spread::tiled_parts"};
  std::unique_ptr<SweepMemory> sweep;  ///< of the first call that sweeps
  /// instead of `automatic`
  const SpreadAlgorithm spread           = spread_of_environment();
  const InterpolateAlgorithm interpolate = interpolate_of_environment();

  PlanState(const Grid<Dim, Real>& grid_, const Delta& delta_,
            const std::optional<GridWindow<Dim>>& window_,
            const PlanOptions& options_)
      : grid(grid_), delta(delta_), options(options_), window(window_) {
    auto cells = plan_cells<Exec, Dim, Real, Delta::support>(grid, options);
    if (window) cells.restrict_to(*window);
    bins.set_cells(cells);
    bins.any_ranks = options.any_ranks;
  }

  SweepWorkspace<Exec, Dim, Real, Delta::support>& sweep_workspace() {
    using Workspace = SweepWorkspace<Exec, Dim, Real, Delta::support>;
    if (!sweep) sweep = std::make_unique<Workspace>();
    return static_cast<Workspace&>(*sweep);
  }

  /// Grid points in direction d of a field with staggering g there
  int points(int d, double g) const {
    return window ? window->points(grid, d, g) : grid.points(d, g);
  }
};

/// Checks all arguments of a plan but the positions, see ParticleGridPlan.
/// Lanes: a program links Sporos::compiled only if both have the same packs.
template <class Exec, int Dim, class Real, class Delta,
          int Lanes = native_pack_width<float>>
[[gnu::cold]] std::shared_ptr<PlanState<Exec, Dim, Real, Delta>>
make_plan_state(const Grid<Dim, Real>& grid, const Delta& delta,
                const std::optional<GridWindow<Dim>>& window,
                const PlanOptions& options) {
  const char* const name = "Sporos::ParticleGridPlan";
  check_staggering<Dim>(name, options.staggering);
  check_enum(name, "options.contiguous", options.contiguous);
  for (int d = 0; d < Dim; ++d)
    check(grid.cells(d) > 0, name, "grid", text("cells in direction ", d),
          grid.cells(d));
  if (window) check_window(name, grid, *window, int(Delta::support));
  check(
      !options.any_ranks || has_tiles_v<Exec, Delta>, name, "options.any_ranks",
      text("false for delta functions of support above ", most_images_v<Exec>),
      int(Delta::support));
  if (window && options.any_ranks) {
    const auto cells =
        plan_cells<Exec, Dim, Real, Delta::support>(grid, options);
    for (int k = 0; k < Dim; ++k) {
      const int d = cells.dir[k];
      check(!window->wraps[d] || cells.wraps_alike(k), name, "window",
            text("more cells in direction ", d, ", where wraps[", d,
                 "] is set, since options.any_ranks is"),
            grid.cells(d));
    }
  }
  if (options.check_delta || (checks_enabled && sums_to_one_v<Delta>))
    check_delta_sum<Real>(name, delta);
  auto state = std::make_shared<PlanState<Exec, Dim, Real, Delta>>(
      grid, delta, window, options);
  using Cells = std::decay_t<decltype(state->bins.cells)>;
  // sweeps may have four times as many
  check(state->bins.cells.tile_count() < std::uint64_t(1) << 29, name, "grid",
        text("fewer than 2^29 tiles of ", 1 << Cells::Shape::log2_cells,
             " cells"),
        state->bins.cells.tile_count(), " or more");
  return state;
}

}  // namespace Impl

/// The plan of particle-grid transfer: points sorted by cell, cells grouped by
/// tile, tiles by colour, and the workspaces of all algorithms.
///
/// A shallow handle: copies share everything. The plan copies the positions;
/// update it when points move. spread and interpolate use workspaces of the
/// plan: two calls at the same time need two plans. Destroy plans before
/// Kokkos::finalize.
///
/// \tparam Delta a delta function of Sporos_DeltaFunctions.hpp, or your own
template <class ExecSpace, int Dim, class Real, class Delta>
class ParticleGridPlan {
  static_assert(Delta::support >= 1,
                "Sporos::ParticleGridPlan: a delta function has support >= 1");

 public:
  using execution_space = ExecSpace;        ///< where transfers run
  using grid_type       = Grid<Dim, Real>;  ///< of the grid
  using delta_type      = Delta;            ///< of the delta function
  /// for the implementation
  using State = Impl::PlanState<ExecSpace, Dim, Real, Delta>;

  /// An empty handle, to be assigned to. Every other use throws.
  ParticleGridPlan() = default;

  /// Sorts points and waits for the result.
  /// \param exec sorts the points; any instance may use the plan later
  /// \param grid the grid, in the units of the positions
  /// \param delta the delta function
  /// \param options staggering and direction of sorting
  /// \param positions coordinates, shape (n, Dim), in one dimension also (n);
  ///   any layout, accessible to ExecSpace
  /// \throws std::invalid_argument for wrong extents, positions without memory,
  ///   2^31 - 2^16 points or 2^29 tiles or more, a staggering outside [0, 1), a
  ///   grid without cells, a coordinate that is NaN or infinite (with the index
  ///   of the first such point), options.any_ranks with a support above 16
  ///   (on devices 7), an invalid options.contiguous and, if
  ///   options.check_delta is set, weights that do not sum to 1
  /// Complexity: O(n + tiles with points + cells of the longest direction), a
  /// few passes of a radix sort.
  template <class Positions>
  ParticleGridPlan(const ExecSpace& exec, const Grid<Dim, Real>& grid,
                   const Delta& delta, const Positions& positions,
                   const PlanOptions& options = {})
      : m_state(Impl::make_plan_state<ExecSpace, Dim, Real, Delta>(
            grid, delta, std::nullopt, options)) {
    sort("Sporos::ParticleGridPlan", exec, positions);
    check(exec);
  }

  /// Sorts points for fields on a window of the grid, and waits for the result.
  /// Points add to, and read, the grid points of the window alone; the others
  /// do not exist, as beyond walls. Points may lie anywhere. In a periodic
  /// direction a point of the grid's last cell touches the end of a window that
  /// ends with the grid, but not the beginning of one that begins below 0; see
  /// the images of update(). Where window.wraps is set, fields wrap around as
  /// without a window.
  /// \throws std::invalid_argument also for a window with fewer cells than the
  ///   support, beyond a wall, or, in a periodic direction, that leaves the
  ///   grid by almost a period; for a part of a periodic direction of 2^29
  ///   cells or more; with options.any_ranks also for a window that wraps in a
  ///   direction of few cells, whose sums would not be those of others
  template <class Positions>
  ParticleGridPlan(const ExecSpace& exec, const Grid<Dim, Real>& grid,
                   const Delta& delta, const Positions& positions,
                   const GridWindow<Dim>& window,
                   const PlanOptions& options = {})
      : m_state(Impl::make_plan_state<ExecSpace, Dim, Real, Delta>(
            grid, delta, window, options)) {
    sort("Sporos::ParticleGridPlan", exec, positions);
    check(exec);
  }

  /// Puts points in order again, after they moved; their number may change. The
  /// result is that of a new plan. On hosts, if at most an eighth of the points
  /// left their cells, these are merged with the others: O(n) without a sort of
  /// all. Asynchronous in exec; allocates only if there are more points, or
  /// denser crowds of points, than ever before. On hosts a coordinate that is
  /// not finite throws and leaves the plan as it was. On devices such a point
  /// contributes nothing, and check() throws. The stream of exec must exist
  /// until the next update, because check() and describe() wait for it.
  template <class Positions>
  void update(const ExecSpace& exec, const Positions& positions) {
    sort(update_name, exec, positions);
  }

  /// Sorts points anew for a plan on a window, with periodic images of points.
  /// \param exec, positions as above
  /// \param images shape (n), see Impl::PointImages: point i is moved by images
  ///   of it periods of the grid, so that the positions are not rounded
  template <class Positions, class Images>
  void update(const ExecSpace& exec, const Positions& positions,
              const Images& images) {
    Impl::check(images.extent(0) == positions.extent(0), update_name, "images",
                Impl::text("extent(0) == ", positions.extent(0)),
                images.extent(0));
    Impl::check_memory(update_name, "images", images);
    Impl::check(images.extent(0) < 2 || images.stride(0) == 1, update_name,
                "images", "stride(0) == 1", images.stride(0));
    Impl::check(state(update_name).window.has_value(), update_name, "images",
                "a plan on a window of the grid", "none");
    sort(update_name, exec, positions, images.data());
  }

  /// Sorts points anew in the default instance. Waits, and throws for bad
  /// coordinates.
  template <class Positions>
  void update(const Positions& positions) {
    const ExecSpace exec{};
    update(exec, positions);
    check(exec);
  }

  /// Waits for the last update, whatever instance it ran in, and for exec.
  /// Throws std::invalid_argument with the index of the first point whose
  /// coordinates were not finite.
  void check(const ExecSpace& exec) const { state().bins.check(exec); }

  /// Number of points.
  std::size_t size() const { return std::size_t(state().bins.n); }
  const grid_type& grid() const { return state().grid; }  ///< The grid.
  /// The delta function.
  const delta_type& delta() const { return state().delta; }
  /// The options, as given.
  const PlanOptions& options() const { return state().options; }

  /// permutation()(i) is the index of the i-th point in the plan's order. Valid
  /// until the next update, and as long as a copy of the plan exists: the view
  /// does not own its memory. Throws std::invalid_argument after an update that
  /// ended with an exception.
  Kokkos::View<const int*, typename ExecSpace::memory_space,
               Kokkos::MemoryTraits<Kokkos::Unmanaged>>
  permutation() const {
    state().bins.check_whole("Sporos::ParticleGridPlan::permutation");
    return state().bins.permutation;
  }

  /// Bytes of memory of the plan and its workspaces.
  std::size_t bytes() const {
    const auto& s = state();
    return s.bins.bytes() + s.slots.bytes() + (s.sweep ? s.sweep->bytes() : 0);
  }

  /// Text: what the plan found, and the choices of `automatic`. Waits for the
  /// last update and for exec.
  [[gnu::cold]] std::string describe(const ExecSpace& exec = ExecSpace{}) const;

  /// For the implementation.
  State& state(const char* function = "Sporos::ParticleGridPlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

  /// Checks shape and memory space of positions.
  template <class Positions>
  static void check_positions(const char* function, const Positions& x) {
    static_assert(Kokkos::is_view<Positions>::value &&
                      (Impl::view_rank_v<Positions> == 2 ||
                       (Impl::view_rank_v<Positions> == 1 && Dim == 1)),
                  "Sporos::ParticleGridPlan: positions must be a View of rank "
                  "2, (n, Dim); in one dimension also of rank 1");
    static_assert(Impl::is_accessible_v<ExecSpace, Positions>,
                  "Sporos::ParticleGridPlan: positions must be accessible to "
                  "the execution space of the plan");
    static_assert(
        std::is_floating_point<typename Positions::non_const_value_type>::value,
        "Sporos::ParticleGridPlan: positions must hold floating "
        "point numbers");
    static_assert(Impl::has_columns_v<Positions, Dim>,
                  "Sporos::ParticleGridPlan: positions must have as many "
                  "coordinates as the grid has dimensions: View<Real* [Dim]>");
    if constexpr (Impl::view_rank_v<Positions> == 2)
      Impl::check(x.extent(1) == std::size_t(Dim), function, "positions",
                  Impl::text("extents (n, ", Dim, ")"), Impl::extents(x));
    Impl::check(x.extent(0) < Impl::points_end, function, "positions",
                Impl::text("fewer than ", Impl::points_end, " points"),
                x.extent(0));
    Impl::check_memory(function, "positions", x);
  }

 private:
  static constexpr const char* update_name = "Sporos::ParticleGridPlan::update";

  /// function: named in messages
  template <class Positions>
  void sort(const char* function, const ExecSpace& exec,
            const Positions& positions, const std::uint8_t* images = nullptr) {
    check_positions(function, positions);
    Impl::update_bins(function, exec, state(function).bins,
                      point_positions(positions), images);
  }

  template <class Positions>
  static auto point_positions(const Positions& x) {
    return Impl::PointPositions<typename Positions::const_value_type, Dim>(x);
  }

  std::shared_ptr<State> m_state;
};

template <class ExecSpace, int Dim, class Real, class Delta>
std::string ParticleGridPlan<ExecSpace, Dim, Real, Delta>::describe(
    const ExecSpace& exec) const {
  const State& plan            = state();
  const auto& bins             = plan.bins;
  const Impl::BinCounts counts = bins.host_counts(exec);
  constexpr int used_colors    = std::decay_t<decltype(bins.cells)>::colors;
  int colors                   = 0;
  for (int c = 0; c < used_colors; ++c)
    colors += counts.color_begin[c] < counts.color_begin[c + 1] ? 1 : 0;
  std::uint64_t tiles = 1;
  for (const int along : bins.cells.tiles) tiles *= std::uint64_t(along);
  std::ostringstream out;
  out << "Sporos::ParticleGridPlan: " << bins.n << " points on ";
  for (int d = 0; d < Dim; ++d)
    out << (d > 0 ? " x " : "") << grid().cells(d)
        << (grid().boundary(d) == Boundary::wall ? " (wall)" : "");
  if (plan.window) {
    out << " cells, window";
    for (int d = 0; d < Dim; ++d)
      out << (d > 0 ? " x [" : " [") << plan.window->first[d] << ", "
          << plan.window->first[d] + plan.window->cells[d]
          << (plan.window->wraps[d] ? ") (wraps)" : ")");
  }
  out << " cells, support " << int(Delta::support)
      << (plan.options.any_ranks ? ", same bits on any ranks" : "")
      << "\n  outside the grid: " << bins.n - counts.inside << " points\n  "
      << (bins.cells.wide_keys()
              ? "sorted by keys of 64 bits (32 cannot number the cells)"
              : "sorted by keys of 32 bits")
      << "; " << counts.tiles << " of " << tiles << " tiles hold points, "
      << colors << " colours, " << counts.parts
      << " parts of tiles\n  memory: " << bytes()
      << " bytes\n  automatic: spread ";
  if (plan.spread != SpreadAlgorithm::automatic)
    out << "by SPOROS_SPREAD in the environment";
  else
    out << (Impl::automatic_spread<ExecSpace, Delta> == SpreadAlgorithm::tiled
                ? "tiled (each tile is summed in cache; cost follows the "
                  "points)"
                : "sweep_buffered (the support is too wide for tiles)");
  out << ", interpolate ";
  if (plan.interpolate != InterpolateAlgorithm::automatic)
    out << "by SPOROS_INTERPOLATE in the environment";
  else
    out << (Impl::automatic_interpolate<ExecSpace, Delta>(bins) ==
                    InterpolateAlgorithm::tiled
                ? "tiled"
                : "sorted");
  out << '\n';
  return out.str();
}

}  // namespace Sporos

#endif
