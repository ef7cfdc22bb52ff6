// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MIGRATE_HPP
#define SPOROS_MIGRATE_HPP

/// \file Sporos_Migrate.hpp
/// Sends points that moved to the ranks that own them.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_HostCopy.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_SortByKey.hpp>
#include <distributed/grids/Sporos_MigrateKernels.hpp>
#include <distributed/messages/Sporos_SparseMessages.hpp>
#include <mesh/state/Sporos_MeshCopy.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace Sporos {

/// Options of migrate.
struct MigrateOptions {
  /// Forget points beyond walls; else they belong to the block at the wall.
  bool drop_beyond_walls = false;
};

/// What migrate found on this rank.
struct MigrateReport {
  std::size_t sent         = 0;  ///< points to other ranks
  std::size_t received     = 0;  ///< points from other ranks
  std::size_t beyond_walls = 0;  ///< points outside the domain
  /// Index before the call of the first point beyond a wall; -1: none.
  std::int64_t first_beyond_walls = -1;
};

namespace Impl {

/// Positions and values that migrate together.
template <class Exec, class View>
void check_migrating(const char* function, const char* argument,
                     const View& view, std::size_t n) {
  static_assert(Kokkos::is_view<View>::value &&
                    (view_rank_v<View> == 1 || view_rank_v<View> == 2),
                "Sporos::migrate: Views must have rank 1, (n), or 2, (n, c)");
  static_assert(
      std::is_same<typename View::array_layout, Kokkos::LayoutRight>::value ||
          std::is_same<typename View::array_layout, Kokkos::LayoutLeft>::value,
      "Sporos::migrate: Views are made anew: the layout must be LayoutRight or "
      "LayoutLeft");
  static_assert(!std::is_const<typename View::value_type>::value,
                "Sporos::migrate: Views must not be const");
  static_assert(is_accessible_v<Exec, View>,
                "Sporos::migrate: Views must be accessible to the execution "
                "space");
  check(view.extent(0) == n, function, argument,
        text("extent(0) == ", n, ", the number of points"), extents(view));
  check_components<1>(function, argument, view);
  check_memory(function, argument, view);
}

/// A View with n rows that is like another one, on the device of exec.
template <class Exec, class View>
View with_rows(const Exec& exec, const View& like, std::size_t n) {
  return new_rows<View>(exec, like.label(), n, column_count(like));
}

/// What all ranks must have alike of a View: "2 x 8 bytes ".
template <class View>
std::string row_in_words(const View& view) {
  return in_one_text(view_rank_v<View> == 2 ? view.extent(1) : 1, " x ",
                     type_in_words<typename View::value_type>(), " ");
}

/// One call of migrate.
template <class Exec, int Dim, class Real>
class Migration {
  using Memory = typename Exec::memory_space;
  using Ints   = Kokkos::View<int*, Memory>;
  using Range  = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

 public:
  Migration(const char* function, const Exec& exec,
            const DistributedGrid<Dim, Real>& grid,
            const MigrateOptions& options)
      : m_function(function),
        m_region(function),
        m_exec(exec),
        m_grid(grid),
        m_options(options) {}

  /// Finds owners, and tells receivers how much comes; throws on all ranks if
  /// arguments are wrong on one, or if `more` throws.
  template <class More, class Positions, class... Others>
  void inspect(const More& more, const Positions& positions,
               const Others&... others) {
    const ProfilingRegion region("Sporos::migrate::inspect");
    static_assert(view_rank_v<Positions> == 2 || Dim == 1,
                  "Sporos::migrate: positions must have rank 2, (n, Dim); in "
                  "one dimension also rank 1");
    static_assert(has_columns_v<Positions, Dim>,
                  "Sporos::migrate: positions must have as many coordinates as "
                  "the grid has dimensions");
    const std::string error = thrown_text([&] {
      check_all(positions, others...);
      more();
      list_leaving(owners(positions));
    });
    std::map<int, std::vector<int>> counts;
    if (error.empty())
      for (const auto& [to, points] : m_send) counts[to] = {int(points.size())};
    Agreement agreement(
        m_grid.comm(), m_function, error,
        (row_in_words(positions) + ... + row_in_words(others)) +
            (m_options.drop_beyond_walls ? "points beyond walls are dropped"
                                         : ""),
        {std::uint64_t(m_n), std::uint64_t(m_left)});
    m_coming = sparse_messages(m_grid.comm(), counts, agreement.words());
    agreement.conclude();
    m_most_points = agreement.most(0);
    m_most_left   = agreement.most(1);
  }

  /// Makes the lists of what travels.
  void plan() {
    const ProfilingRegion region("Sporos::migrate::plan");
    const std::size_t stays = std::size_t(m_n) - m_left;
    for (const auto& from : m_coming)
      m_report.received += std::size_t(from.second[0]);
    m_new = stays + m_report.received;
    check_number();
    RankLists receive;
    int row = m_n;
    for (const auto& [from, count] : m_coming) {
      const bool before_own = from < m_grid.comm().rank();
      if (before_own) m_first_kept += count[0];
      for (int k = 0; k < count[0]; ++k)
        receive[from].push_back(row++ + (before_own ? 0 : int(stays)));
    }
    m_lists = ExchangeLists<Memory>(m_exec, m_send, receive);
  }

  /// New Views with the rows that this rank then has; the same ones if none
  /// moves.
  template <class... Views>
  std::tuple<Views...> moved(const Views&... views) {
    if (m_left == 0 && m_coming.empty()) return {views...};
    const ProfilingRegion region("Sporos::migrate::move");
    std::tuple<Views...> rows{with_rows(m_exec, views, m_new)...};
    auto& memory = m_grid.memory(m_exec);
    if (memory.migration == nullptr)
      memory.migration = std::make_shared<Exchange<Memory>>(m_grid.comm());
    std::apply(
        [&](const Views&... to) {
          (keep(views, to), ...);
          memory.migration->start(m_exec, part(views, to)...);
          memory.migration->finish(m_exec, part(views, to)...);
        },
        rows);
    fence(m_exec, "Sporos::migrate");  // before what is old goes
    return rows;
  }

  /// New Views with the rows sorted by number.
  template <class Numbers, class... Views>
  std::tuple<Numbers, Views...> sorted(const Numbers& numbers,
                                       const Views&... views) const {
    using N     = typename Numbers::non_const_value_type;
    const int n = int(numbers.extent(0));
    if (n == 0) return {numbers, views...};
    const ProfilingRegion region("Sporos::migrate::sort");
    std::tuple<Numbers, Views...> rows{with_rows(m_exec, numbers, n),
                                       with_rows(m_exec, views, n)...};
    const auto keys = new_view<Kokkos::View<std::uint64_t*, Memory>>(
        m_exec, "Sporos::migrate::keys", n);
    const auto order = new_view<Ints>(m_exec, "Sporos::migrate::order", n);
    move_rows("Sporos::migrate::keys", m_exec, n, RowEntries<const N>(numbers),
              packed_rows(keys.data(), 1), SameOrder{}, 1);
    SortWorkspace<std::uint64_t, Memory> workspace;
    sort_by_key(m_exec, workspace, keys, order, 64);
    std::apply(
        [&](const Numbers& to_numbers, const Views&... to) {
          order_rows(order, numbers, to_numbers);
          (order_rows(order, views, to), ...);
        },
        rows);
    fence(m_exec, "Sporos::migrate");
    return rows;
  }

  /// Throws if a number is negative.
  template <class Numbers>
  void check_numbers(const Numbers& numbers) const {
    static_assert(view_rank_v<Numbers> == 1 &&
                      std::is_integral<typename Numbers::value_type>::value,
                  "Sporos::migrate_by_number: numbers must be a View of rank 1 "
                  "of integers");
    Impl::check_numbers(m_exec, m_function, numbers);
  }

  const MigrateReport& report() const { return m_report; }

 private:
  template <class Positions, class... Others>
  void check_all(const Positions& positions, const Others&... others) {
    check(positions.extent(0) < std::size_t(PositionFaults::none), m_function,
          "positions", "fewer than 2^31 points", positions.extent(0));
    m_n = int(positions.extent(0));
    check_migrating<Exec>(m_function, "positions", positions,
                          positions.extent(0));
    if constexpr (view_rank_v<Positions> == 2)
      check(positions.extent(1) == std::size_t(Dim), m_function, "positions",
            text("extents (n, ", Dim, ")"), extents(positions));
    (check_migrating<Exec>(m_function, "others", others, positions.extent(0)),
     ...);
  }

  /// Throws on all ranks if one would have too many points. All know if that
  /// is possible: a rank gets no more than the others lose.
  void check_number() const {
    const std::uint64_t others = std::uint64_t(m_grid.comm().size() - 1);
    if (2 * m_most_points + others * m_most_left <
        std::uint64_t(PositionFaults::none))
      return;
    agree_on(m_grid.comm(), m_function, [&] {
      check(m_new + std::size_t(m_n) < std::size_t(PositionFaults::none),
            m_function, "positions",
            "fewer than 2^31 points before and after together",
            m_new + std::size_t(m_n));
    });
  }

  template <class Positions>
  Ints owners(const Positions& positions) {
    const auto& locator = m_grid.memory(m_exec).locator;
    const auto owner = new_view<Ints>(m_exec, "Sporos::migrate::owners", m_n);
    using Points = PointPositions<typename Positions::const_value_type, Dim>;
    PositionFaults faults;
    Kokkos::parallel_reduce(
        "Sporos::migrate::owners", Range(m_exec, 0, m_n),
        FindOwners<std::decay_t<decltype(locator)>, Points, Ints, Dim>{
            locator, Points(positions), owner, m_options.drop_beyond_walls},
        Kokkos::Min<int>(faults.not_finite), Kokkos::Min<int>(faults.beyond),
        Kokkos::Sum<int>(faults.beyond_count));
    fence(m_exec, "Sporos::migrate::owners");
    check_finite(m_function, faults);
    m_report.beyond_walls = std::size_t(faults.beyond_count);
    if (faults.beyond_count > 0) m_report.first_beyond_walls = faults.beyond;
    return owner;
  }

  void list_leaving(const Ints& owner) {
    using Leavers = Kokkos::View<Leaver*, Memory>;
    m_staying     = new_view<Ints>(m_exec, "Sporos::migrate::staying", m_n);
    const auto leaving =
        new_view<Leavers>(m_exec, "Sporos::migrate::leaving", m_n);
    int count = 0;
    // an int as the index of Kokkos' scans overflows near 2^31
    Kokkos::parallel_scan("Sporos::migrate::leaving",
                          Kokkos::RangePolicy<Exec>(m_exec, 0, m_n),
                          ListLeaving<Ints, Leavers>{owner, m_staying, leaving,
                                                     m_grid.comm().rank()},
                          count);
    fence(m_exec, m_function);
    m_left = std::size_t(count);
    std::vector<Leaver> list(m_left);
    copy_values<Kokkos::HostSpace, Memory>(m_exec, list.data(), leaving.data(),
                                           m_left, m_function);
    for (const Leaver& one : list) {
      if (one.owner < 0) continue;  // dropped
      m_send[one.owner].push_back(one.point);
      ++m_report.sent;
    }
  }

  template <class View>
  void keep(const View& from, const View& to) const {
    using T = RealPartOf<View>;
    RowEntries<T> kept(to);
    kept.data += m_first_kept * kept.row_stride;
    move_rows("Sporos::migrate::keep", m_exec, m_n - int(m_left),
              RowEntries<const T>(from), kept, m_staying,
              real_components<1>(from));
  }

  template <class View>
  auto part(const View& from, const View& to) const {
    using T = RealPartOf<View>;
    return copy_part(
        m_lists,
        TwoArrays<T>{RowEntries<const T>(from), RowEntries<T>(to), m_n},
        real_components<1>(from));
  }

  template <class View>
  void order_rows(const Ints& order, const View& from, const View& to) const {
    using T = RealPartOf<View>;
    move_rows("Sporos::migrate::sort", m_exec, int(from.extent(0)),
              RowEntries<const T>(from), RowEntries<T>(to), order,
              real_components<1>(from));
  }

  const char* m_function;
  ProfilingRegion m_region;
  const Exec& m_exec;
  const DistributedGrid<Dim, Real>& m_grid;
  MigrateOptions m_options;
  MigrateReport m_report;
  int m_n = 0, m_first_kept = 0;
  std::size_t m_new = 0, m_left = 0;  ///< points afterwards, and that leave
  std::uint64_t m_most_points = 0, m_most_left = 0;  ///< of all ranks
  std::map<int, std::vector<int>> m_coming;          ///< from each rank
  Ints m_staying;
  RankLists m_send;
  ExchangeLists<Memory> m_lists;
};

}  // namespace Impl

/// Sends points to the ranks whose blocks they are in, together with any number
/// of values. Collective.
///
/// The Views are made anew, with as many rows as the rank then owns: points
/// come in the order of the ranks that had them, those of a rank in their old
/// order. None is lost or doubled.
/// \param exec the execution-space instance in which it packs and unpacks
/// \param grid the blocks
/// \param options what happens to points beyond walls
/// \param positions shape (n, Dim), in one dimension also (n); LayoutRight or
///   LayoutLeft; periodic directions wrap, coordinates stay as they are
/// \param others shape (n) or (n, c), of any trivially copyable type
/// \returns what moved, and how many points lie beyond walls
/// \throws std::invalid_argument on all ranks for wrong extents and for
///   coordinates that are not finite; nothing moved then. After any other
///   exception, as of memory or MPI, the Views of this rank are what they were:
///   it has all points that it had. (Other ranks may wait for its messages.)
/// Waits for the result. Costs one message with a count and one with all arrays
/// for each pair of ranks between which points move, O(log ranks) for the
/// counts, and O(n) for the copies.
template <class Exec, int Dim, class Real, class Positions, class... Others>
MigrateReport migrate(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                      const MigrateOptions& options, Positions& positions,
                      Others&... others) {
  Impl::check_handle(grid.is_made(), "Sporos::migrate", "grid");
  Impl::Migration<Exec, Dim, Real> call("Sporos::migrate", exec, grid, options);
  call.inspect([] {}, positions, others...);
  call.plan();
  std::tie(positions, others...) = call.moved(positions, others...);
  return call.report();
}

/// Moves points like migrate with options; points beyond walls belong to the
/// block at the wall.
template <class Exec, int Dim, class Real, class Positions, class... Others>
std::enable_if_t<Kokkos::is_view<Positions>::value, MigrateReport> migrate(
    const Exec& exec, const DistributedGrid<Dim, Real>& grid,
    Positions& positions, Others&... others) {
  return migrate(exec, grid, MigrateOptions(), positions, others...);
}

/// Moves points that have global numbers: each rank has its points in the order
/// of their numbers, so that the order does not depend on which ranks had them.
/// \param exec, grid, options, positions, others as above
/// \param numbers shape (n), of an integer type; none is negative, and no two
///   points have the same. (DistributedParticleGridPlan takes std::int64_t.)
/// \throws std::invalid_argument also for numbers below 0. If memory runs out
///   for the sort, the Views hold the points as migrate leaves them.
template <class Exec, int Dim, class Real, class Numbers, class Positions,
          class... Others>
MigrateReport migrate_by_number(const Exec& exec,
                                const DistributedGrid<Dim, Real>& grid,
                                const MigrateOptions& options, Numbers& numbers,
                                Positions& positions, Others&... others) {
  constexpr const char* name = "Sporos::migrate_by_number";
  Impl::check_handle(grid.is_made(), name, "grid");
  Impl::Migration<Exec, Dim, Real> call(name, exec, grid, options);
  call.inspect([&] { call.check_numbers(numbers); }, positions, numbers,
               others...);
  call.plan();
  // what is old goes before the sort, which takes as much memory again
  std::tie(numbers, positions, others...) =
      call.moved(numbers, positions, others...);
  std::tie(numbers, positions, others...) =
      call.sorted(numbers, positions, others...);
  return call.report();
}

}  // namespace Sporos

#endif
