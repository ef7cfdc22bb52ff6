// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTICLEGRIDPLAN_HPP
#define SPOROS_PARTICLEGRIDPLAN_HPP

/// \file Sporos_ParticleGridPlan.hpp
/// The plan of particle-grid transfer. Users include Sporos_ParticleGrid.hpp.

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_Grid.hpp>
#include <Sporos_GridWindow.hpp>
#include <Sporos_ViewChecks.hpp>
#include <particle_grid/plan/Sporos_PlanState.hpp>
#include <particle_grid/plan/Sporos_SortArrays.hpp>
#include <Sporos_TransferOptions.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>

namespace Sporos {

/// The plan of particle-grid transfer: points sorted by cell, cells grouped by
/// tile, tiles by colour; on hosts points in the given order where no call
/// needs more; and the workspaces of all algorithms.
///
/// A shallow handle: copies share everything. The plan copies the positions, or
/// keeps the View of them (PlanOptions::positions); update it when points move.
/// spread and interpolate use workspaces of the plan: two calls at the same
/// time need two plans. Destroy plans before Kokkos::finalize.
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

  /// Sorts points, or keeps a copy of them, see update(); waits for the result.
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
    inspect("Sporos::ParticleGridPlan", exec, positions);
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
    inspect("Sporos::ParticleGridPlan", exec, positions);
    check(exec);
  }

  /// Takes points again, after they moved; their number may change. The result
  /// is that of a new plan. Devices sort them. Hosts sort them now if the calls
  /// since the last update needed that alone, or `automatic` will; else they
  /// copy them and sort when a call needs that. On hosts, if at most an eighth
  /// of the points left their cells, these are merged with the others: O(n)
  /// without a sort of all. Asynchronous in exec; allocates only if there are
  /// more points, or denser crowds of points, than ever before. On hosts a
  /// coordinate that is not finite throws and leaves the plan as it was. On
  /// devices such a point contributes nothing, and check() throws. The stream
  /// of exec must exist until the next update, because check() and describe()
  /// wait for it.
  template <class Positions>
  void update(const ExecSpace& exec, const Positions& positions) {
    inspect(update_name, exec, positions);
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
    inspect(update_name, exec, positions, images.data());
  }

  /// Sorts points anew in the default instance. Waits, and throws for bad
  /// coordinates.
  template <class Positions>
  void update(const Positions& positions) {
    const ExecSpace exec{};
    update(exec, positions);
    check(exec);
  }

  /// Sorts the caller's arrays, in place: row i of an array becomes the row of
  /// point permutation()(i), for the points of the last update. Then the order
  /// of the points is that of the plan: its permutation is the identity, until
  /// an update takes points that moved to other cells. Spread and interpolate
  /// read and write rows one after another, and an update sorts again only what
  /// moved. Give all arrays of the points in one call: positions, velocities,
  /// numbers.
  /// \param exec the execution-space instance in which it runs
  /// \param arrays shape (n) or (n, c), any layout and strides, accessible to
  ///   ExecSpace; elements of any trivially copyable type, aligned to at most
  ///   16 bytes
  /// \throws std::invalid_argument for wrong extents, Views without memory, and
  ///   arrays that share memory with each other or with themselves; nothing is
  ///   written
  /// Asynchronous in exec; allocates only if an array is larger than ever
  /// before, and where the plan never sorted. Complexity: O(n) for each array:
  /// two passes.
  template <class... Arrays>
  void sort(const ExecSpace& exec, const Arrays&... arrays) const {
    Impl::sort_arrays(exec, state("Sporos::ParticleGridPlan::sort"), arrays...);
  }

  /// Waits for the last update, whatever instance it ran in, and for exec.
  /// Throws std::invalid_argument with the index of the first point whose
  /// coordinates were not finite.
  void check(const ExecSpace& exec) const { state().check(exec); }

  /// Number of points.
  std::size_t size() const { return std::size_t(state().size()); }
  const grid_type& grid() const { return state().grid; }  ///< The grid.
  /// The delta function.
  const delta_type& delta() const { return state().delta; }
  /// The options, as given.
  const PlanOptions& options() const { return state().options; }

  /// permutation()(i) is the index of the i-th point in the plan's order. Valid
  /// until the next update, and as long as a copy of the plan exists: the view
  /// does not own its memory. Hosts sort the points first, if they are not yet.
  /// Throws std::invalid_argument after an update that
  /// ended with an exception.
  Kokkos::View<const int*, typename ExecSpace::memory_space,
               Kokkos::MemoryTraits<Kokkos::Unmanaged>>
  permutation() const {
    state().check_whole("Sporos::ParticleGridPlan::permutation");
    if constexpr (Impl::is_host_space_v<ExecSpace>) state().sort(ExecSpace());
    return state().bins.permutation;
  }

  /// Bytes of memory of the plan and its workspaces.
  std::size_t bytes() const { return state().bytes(); }

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
  void inspect(const char* function, const ExecSpace& exec,
               const Positions& positions,
               const std::uint8_t* images = nullptr) {
    check_positions(function, positions);
    auto& plan = state(function);
    if (images == nullptr)
      return plan.update(function, exec, point_positions(positions),
                         Impl::hold_positions(plan, positions));
    plan.update_sorted([&] {
      Impl::update_bins(function, exec, plan.bins, point_positions(positions),
                        images);
    });
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
  const bool sorted            = plan.is_sorted();
  const Impl::BinCounts counts = bins.host_counts(exec);
  constexpr int used_colors    = std::decay_t<decltype(bins.cells)>::colors;
  int colors                   = 0;
  for (int c = 0; c < used_colors; ++c)
    colors += counts.color_begin[c] < counts.color_end[c] ? 1 : 0;
  std::uint64_t tiles = 1;
  for (const int along : bins.cells.tiles) tiles *= std::uint64_t(along);
  std::ostringstream out;
  out << "Sporos::ParticleGridPlan: " << size() << " points on ";
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
      << "\n  outside the grid: "
      << (sorted ? bins.n - counts.inside : plan.given.outside())
      << " points\n  ";
  if (sorted)
    out << (bins.cells.wide_keys()
                ? "sorted by keys of 64 bits (32 cannot number the cells)"
                : "sorted by keys of 32 bits")
        << "; " << counts.tiles << " of " << tiles << " tiles hold points, "
        << colors << " colours, " << counts.parts << " parts of tiles";
  else
    out << "in the given order, sorted when a call needs that; "
        << plan.given.chunk_count() << " chunks"
        << (plan.given.holds() ? "; positions are the caller's" : "");
  out << "\n  memory: " << bytes() << " bytes\n  automatic: spread ";
  if (plan.spread != SpreadAlgorithm::automatic)
    out << "by SPOROS_SPREAD in the environment";
  else if (plan.replicates)
    out << "replicated (points in the given order, each chunk into a copy of "
           "the grid points that it touches)";
  else
    out << (Impl::automatic_spread<ExecSpace, Delta> == SpreadAlgorithm::tiled
                ? "tiled (each tile is summed in cache; cost follows the "
                  "points)"
                : "sweep_buffered (the support is too wide for tiles)");
  out << ", interpolate ";
  if (plan.interpolate != InterpolateAlgorithm::automatic)
    out << "by SPOROS_INTERPOLATE in the environment";
  else if (plan.replicates)
    out << "unsorted";
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
