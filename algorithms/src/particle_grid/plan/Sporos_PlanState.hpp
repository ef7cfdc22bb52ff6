// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANSTATE_HPP
#define SPOROS_PLANSTATE_HPP

/// \file Sporos_PlanState.hpp
/// The contents of a plan of particle-grid transfer, and the choices of
/// `automatic`.

#include <Sporos_Checks.hpp>
#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_Grid.hpp>
#include <Sporos_GridWindow.hpp>
#include <Sporos_Pack.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/given/Sporos_GivenOrder.hpp>
#include <particle_grid/sweep/Sporos_SpreadSweep.hpp>
#include <Sporos_TransferOptions.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Throws unless the weights of a delta function sum to 1 at 17 points; runs on
/// the host.
template <class Real, class Delta>
void check_delta_sum(const char* function, const Delta& delta, int directions) {
  constexpr int n = 16;
  for (int k = 0; k < (n + 1) * directions; ++k) {
    const Real r =
        Real(k % (n + 1)) / Real(n) - (Delta::support % 2 ? Real(.5) : Real(0));
    Real w[Delta::support], sum = 0;
    scalar_weights(delta, 0, k / (n + 1), r, w);
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
    is_host_space_v<Exec> ? max_direct_support : max_tiled_support;

/// Are there images of tiles for the delta function?
template <class Exec, class Delta>
constexpr bool has_tiles_v = Delta::support <= most_images_v<Exec>;

/// The choice of `automatic` for sorted points.
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

/// May `automatic` take the points in the given order?
template <class Exec, class Delta>
constexpr bool has_given_order_v =
    is_host_space_v<Exec>&& Delta::support <= most_given_support;

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

/// Devices keep no points in the given order.
template <class Exec, int Dim, class Real, int Support>
struct NoGivenOrder {
  struct Held {};
  static constexpr bool kept() { return false; }
  static constexpr bool holds() { return false; }
  static constexpr std::size_t bytes() { return 0; }
  static constexpr int size() { return 0; }
  static constexpr int outside() { return 0; }
  static constexpr int chunk_count() { return 0; }
  static void forget(int) {}
  template <class Values>
  static void check_not_written(const char*, const char*, const Values&) {}
};
template <class Exec, int Dim, class Real, int Support>
using GivenOrderOf = std::conditional_t<is_host_space_v<Exec>,
                                        GivenOrder<Exec, Dim, Real, Support>,
                                        NoGivenOrder<Exec, Dim, Real, Support>>;

/// The contents of a plan, shared by its copies.
///
/// Devices sort points in each update. Hosts do so only where an algorithm that
/// takes sorted points is expected. Else an update copies positions, and the
/// first call that needs the order sorts them.
template <class Exec, int Dim, class Real, class Delta>
struct PlanState {
  using Bins = ParticleBins<Exec, Dim, Real, Delta::support>;
  Grid<Dim, Real> grid;
  Delta delta;
  PlanOptions options;
  std::optional<GridWindow<Dim>> window;
  Bins bins;
  GivenOrderOf<Exec, Dim, Real, Delta::support> given;
  using Held      = typename decltype(given)::Held;
  bool replicates = false;  ///< does `automatic` take the given order?
  /// where plan.sort puts rows of arrays
  WorkspaceView<std::uint64_t, typename Exec::memory_space> rows{
      "Sporos::ParticleGridPlan::rows"};
  WorkspaceView<double, typename Exec::memory_space> slots{
      "Sporos::spread::tiled_parts"};
  std::unique_ptr<SweepMemory> sweep;  ///< of the first call that sweeps
  /// instead of `automatic`
  const SpreadAlgorithm spread           = spread_of_environment();
  const InterpolateAlgorithm interpolate = interpolate_of_environment();

  PlanState(const Grid<Dim, Real>& grid_, const Delta& delta_,
            const std::optional<GridWindow<Dim>>& window_,
            const PlanOptions& options_)
      : grid(grid_),
        delta(oriented(
            delta_,
            plan_cells<Exec, Dim, Real, Delta::support>(grid_, options_).dir)),
        options(options_),
        window(window_) {
    auto cells = plan_cells<Exec, Dim, Real, Delta::support>(grid, options);
    if (window) cells.restrict_to(*window);
    bins.set_cells(cells);
    bins.any_ranks = options.any_ranks;
  }

  /// See ParticleGridPlan::update, GivenOrder::keep
  template <class P>
  void update(const char* function, const Exec& exec,
              const PointPositions<P, Dim>& positions,
              [[maybe_unused]] const Held& held) {
    [[maybe_unused]] const bool may_keep = !window && !options.any_ranks;
    bool prefers                         = false;
    if constexpr (has_given_order_v<Exec, Delta>)
      prefers = may_keep && given.prefers(bins.cells, positions);
    if constexpr (is_host_space_v<Exec>) {
      if (may_keep && (m_given_used || (prefers && !m_order_used))) {
        const ProfilingRegion region("Sporos::ParticleGridPlan::update");
        m_lost = given.holds();
        given.keep(function, exec, bins.cells, positions, held);
        m_sorted = m_order_used = m_given_used = m_lost = false;
        replicates                                      = prefers;
        return;
      }
    }
    update_sorted(
        [&] { update_bins(function, exec, bins, positions, nullptr); });
    replicates = prefers;
  }
  /// Sorts at once. update: sorts the bins
  template <class Update>
  void update_sorted(const Update& update) {
    m_lost   = given.holds();
    m_sorted = !given.kept();  // an exception may leave bins of no use
    update();
    given.forget(bins.n);
    m_sorted     = true;
    m_order_used = m_given_used = m_lost = false;
  }
  /// The points come in the plan's order from now on. Tells nothing of what the
  /// next update prepares.
  void take_order(const Exec& exec) {
    bins.take_order(exec);
    given.forget(bins.n);
  }

  /// Before a call that takes the points in the plan's order
  void sort(const Exec& exec) {
    m_order_used = true;
    sort_now(exec);
  }
  void sort_now(const Exec& exec) {
    if (m_sorted) return;
    if constexpr (is_host_space_v<Exec>) {
      given.check_unchanged(exec, bins.cells);
      update_bins("Sporos::ParticleGridPlan::update", exec, bins,
                  given.positions(), nullptr);
    }
    m_sorted = true;
  }
  bool is_sorted() const { return m_sorted; }
  /// Before a call that takes them in the given order
  void use_given(const Exec& exec, bool in_plan_order) {
    if (in_plan_order) sort(exec);
    if constexpr (is_host_space_v<Exec>)
      given.check_unchanged(exec, bins.cells);
    m_given_used = true;
  }

  int size() const { return given.kept() ? given.size() : bins.n; }
  std::size_t bytes() const {
    return bins.bytes() + given.bytes() + slots.bytes() + rows.bytes() +
           (sweep ? sweep->bytes() : 0);
  }
  /// See ParticleBins. An update that keeps points has checked them.
  void check_whole(const char* function) const {
    if (given.kept())
      check_updated(function, !m_lost);
    else
      bins.check_whole(function);
  }
  void check(const Exec& exec) const {
    if (given.kept())
      fence(exec, "Sporos::ParticleGridPlan::check");
    else
      bins.check(exec);
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

 private:
  bool m_sorted = true;  ///< are the bins those of the last update?
  /// Did an update throw that came after one which held the caller's View?
  bool m_lost = false;
  /// by calls since the last update
  bool m_order_used = false, m_given_used = false;
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
  check_enum(name, "options.positions", options.positions);
  for (int d = 0; d < Dim; ++d)
    check(grid.cells(d) > 0, name, "grid", text("cells in direction ", d),
          grid.cells(d));
  if (window) check_window(name, grid, *window, int(Delta::support));
  check(!options.any_ranks || Delta::support <= max_tiled_support, name,
        "options.any_ranks",
        text("false for delta functions of support above ", max_tiled_support),
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
    check_delta_sum<Real>(name, delta, Dim);
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
}  // namespace Sporos

#endif
