// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_POINTCOPIES_HPP
#define SPOROS_POINTCOPIES_HPP

/// \file Sporos_PointCopies.hpp
/// Copies of points whose supports reach into the blocks of other ranks.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_SortByKey.hpp>
#include <Sporos_Workspace.hpp>
#include <distributed/grids/Sporos_CopyLists.hpp>
#include <distributed/grids/Sporos_MigrateKernels.hpp>
#include <distributed/grids/Sporos_NearBorders.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <Sporos_ParticleGridPlan.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Positions of own points, as the caller has them, followed by those of
/// copies. Stands in for PointPositions.
template <class Real, int Dim>
struct SplitPositions {
  PointPositions<const Real, Dim> own, copies;
  int n;

  template <class Own, class Copies>
  SplitPositions(const Own& own_, const Copies& copies_)
      : own(own_), copies(copies_), n(own.n + copies.n) {}

  KOKKOS_FORCEINLINE_FUNCTION const Real& operator()(int i, int d) const {
    return i < own.n ? own(i, d) : copies(i - own.n, d);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(int i) const {
    if (i < own.n)
      own.prefetch(i);
    else
      copies.prefetch(i - own.n);
  }
};
template <class Real, int Dim, int Block>
KOKKOS_FORCEINLINE_FUNCTION void load_coordinates(
    const SplitPositions<Real, Dim>& x, int begin, int count,
    Real (&out)[Dim][Block]) {
  if (begin + count <= x.own.n)
    return load_coordinates(x.own, begin, count, out);
  if (begin >= x.own.n)
    return load_coordinates(x.copies, begin - x.own.n, count, out);
  for (int d = 0; d < Dim; ++d)
    for (int i = 0; i < count; ++i) out[d][i] = x(begin + i, d);
}

/// Positions and images in the order of numbers.
template <class Real, int Dim>
struct OrderPoints {
  SplitPositions<Real, Dim> x;
  ImagesOfPoints image;
  const int* order;
  Real* to_x;
  std::uint8_t* to_image;

  KOKKOS_FUNCTION void operator()(int i) const {
    const int from = order[i];
    for (int d = 0; d < Dim; ++d)
      to_x[std::ptrdiff_t(i) * Dim + d] = x(from, d);
    to_image[i] = image(from);
  }
};

/// The row of point i of a plan whose points are merged by number.
struct MergedOrder {
  const int* order;  ///< merged point -> row
  const int* plan_order;

  KOKKOS_FORCEINLINE_FUNCTION int operator()(int i) const {
    return order[plan_order[i]];
  }
};

/// Values in the order of a plan to the rows of own points.
template <class T>
struct StoreMerged {
  RowEntries<T> from, to;
  MergedOrder row;
  int own, components;

  KOKKOS_FUNCTION void operator()(int i) const {
    const int r = row(i);
    if (r < own)
      for (int c = 0; c < components; ++c) to(r, c) = from(i, c);
  }
};

/// Own points, followed by the copies from other ranks: rows. By number if
/// there are numbers.
template <class Exec, int Dim, class Real>
class PointCopies {
 public:
  using Memory = typename Exec::memory_space;
  using Images = Kokkos::View<std::uint8_t*, Memory>;
  using Lists  = ExchangeLists<Memory>;

  int own = 0, copies = 0;
  Lists lists;  ///< rows of own points -> rows after them

  int size() const { return own + copies; }
  /// Merged point -> row; null without numbers
  const int* order() const { return m_ordered ? m_order.data() : nullptr; }

  /// Finds out what is wrong with own points, which of them are near borders,
  /// and how many copies of them other blocks need. Waits.
  /// \param window of the rank's plan
  /// \param reach points touch grid points less than this many cells away, as
  ///   computed with rounding
  template <class X>
  PositionFaults inspect(const Exec& exec,
                         const DistributedGrid<Dim, Real>& grid,
                         const GridWindow<Dim>& window, const X& x, Real reach,
                         std::int64_t& count) {
    using Points        = PointPositions<typename X::const_value_type, Dim>;
    constexpr int block = is_host_space_v<Exec> ? inspected_points : 1;
    constexpr Real none = std::numeric_limits<Real>::max();
    const auto& locator = grid.memory(exec).locator;
    FindBorders<std::decay_t<decltype(locator)>, Points, Dim, block> find{
        locator,
        Points(x),
        m_near.require_data(exec, x.extent(0)),
        int(x.extent(0)),
        grid.comm().rank(),
        {},
        {},
        {},
        {}};
    for (int d = 0; d < Dim; ++d) {
      const bool below = layers_of(grid, window, d, 0) > 0;
      const bool above = layers_of(grid, window, d, 1) > 0;
      find.begin[d]    = Real(grid.first(d));
      find.end[d]      = Real(grid.first(d) + grid.cells(d));
      find.low[d]      = below ? find.begin[d] + reach : -none;
      find.high[d]     = above ? find.end[d] - reach : none;
    }
    PositionFaults faults;
    count = 0;
    Kokkos::parallel_reduce(
        "Sporos::plan::borders", Range(exec, 0, ceil_div(find.n, block)), find,
        Kokkos::Min<int>(faults.not_finite), Kokkos::Min<int>(faults.elsewhere),
        Kokkos::Sum<std::int64_t>(count));
    fence(exec, "Sporos::plan::borders");
    return faults;
  }

  /// Sends copies of all points that reach the blocks of others, and calls
  /// use(positions, images) with own points and copies. Collective.
  /// \param window, x: what inspect() saw last
  /// \param sent what it counted
  /// \param may_overflow could a rank get too many copies?
  /// \param numbers of own points; null: none
  template <class X, class Use>
  void update(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
              const GridWindow<Dim>& window, const X& x, std::int64_t sent,
              bool may_overflow, const std::int64_t* numbers,
              std::ptrdiff_t numbers_stride, const Use& use) {
    if (!m_exchange.is_made()) m_exchange = Exchange<Memory>(grid.comm());
    own       = int(x.extent(0));
    m_ordered = numbers != nullptr;
    if (may_overflow)
      check_number(grid.comm(), " copies for other ranks", std::size_t(sent));
    const auto images = make_lists(exec, grid, window, int(sent), may_overflow);
    const auto own_x  = converted(exec, x);
    const auto copied = make_view<Rows>(
        m_x.require_data(exec, std::size_t(copies) * Dim), copies, Dim);
    const TwoArrays<Real> rows{RowEntries<const Real>(own_x),
                               packed_rows(copied.data(), Dim), own};
    const auto points = copy_part(lists, rows, Dim);
    const SplitPositions<Real, Dim> all(own_x, copied);
    if (!m_ordered) {
      m_exchange.start(exec, points);
      m_exchange.finish(exec, points);
      return use(all, images);
    }
    const auto keys = m_keys.require(exec, std::size_t(size()));
    RowEntries<const std::int64_t> given;
    given.data       = numbers;
    given.row_stride = numbers_stride;
    move_rows("Sporos::plan::numbers", exec, own, given,
              packed_rows(keys.data(), 1), SameOrder{}, 1);
    const auto by = copy_part(lists, packed_rows(keys.data(), 1), 1);
    m_exchange.start(exec, points, by);
    m_exchange.finish(exec, points, by);
    sort(exec, keys, all, images, use);
  }

 private:
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  template <class Tag>
  using TaggedRange = Kokkos::RangePolicy<Exec, Tag, Kokkos::IndexType<int>>;
  using Ints        = Kokkos::View<int*, Memory>;
  using Rows        = Kokkos::View<Real**, Kokkos::LayoutRight, Memory,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// Own positions as Real; without a copy if they are.
  template <class X>
  auto converted(const Exec& exec, const X& x) {
    using P = typename X::non_const_value_type;
    if constexpr (std::is_same_v<P, Real>) {
      return x;
    } else {
      const auto n = std::size_t(own);
      const auto to =
          make_view<Rows>(m_own_x.require_data(exec, n * Dim), n, Dim);
      move_rows("Sporos::plan::copy_positions", exec, own,
                RowEntries<const P>(x), packed_rows(to.data(), Dim),
                SameOrder{}, Dim);
      return to;
    }
  }

  /// Makes `lists`; returns the images of copies.
  ImagesOfPoints make_lists(const Exec& exec,
                            const DistributedGrid<Dim, Real>& grid,
                            const GridWindow<Dim>& window, int sent,
                            bool may_overflow) {
    typename Lists::Side send, receive;
    send.entries = m_send.require(exec, std::size_t(sent));
    send.message = m_send_message.require(exec, std::size_t(sent));
    CopyLists<Dim, Real> made(grid, window);
    made.swap(list_copies(exec, made.keys(), send.entries));
    if (may_overflow)
      check_number(grid.comm(), " points with the copies from other ranks",
                   std::size_t(own) + made.coming());
    copies              = int(made.coming());
    receive.entries     = m_receive.require(exec, std::size_t(copies));
    receive.message     = m_receive_message.require(exec, std::size_t(copies));
    const Images images = m_images.require(exec, std::size_t(copies));
    for_each_index("Sporos::plan::sent_messages", Range(exec, 0, sent),
                   ListCopies<Dim>{made.send(send), send.message.data()});
    for_each_index(
        "Sporos::plan::received_copies", Range(exec, 0, copies),
        ListCopies<Dim>{made.receive(receive), receive.message.data(), own,
                        receive.entries.data(), images.data()});
    lists = Lists(std::move(send), std::move(receive));
    return {images.data(), own};
  }

  /// Lists the copies of own points by key; returns where those of each key
  /// begin, on the host.
  auto list_copies(const Exec& exec, const CopyKeys<Dim>& keys,
                   const Ints& entries) {
    using Sort = SortCopies<Exec, Dim>;
    if (m_begins.extent(0) == 0) {
      m_begins      = new_view<Ints>(exec, "Sporos::plan::copies_begin",
                                Borders<Dim>::codes);
      m_host_begins = Kokkos::create_mirror_view(m_begins);
    }
    const int blocks = Math::max(1, ceil_div(own, Sort::block));
    const int counts = keys.n * blocks + 1;
    const Sort sort{m_near.require_data(exec, std::size_t(own)),
                    keys,
                    own,
                    blocks,
                    m_counts.require_data(exec, std::size_t(counts)),
                    m_begins.data(),
                    entries.data()};
    for_each_index("Sporos::plan::count_copies",
                   TaggedRange<typename Sort::Count>(exec, 0, blocks), sort);
    scan_index<int>("Sporos::plan::add_copies",
                    TaggedRange<typename Sort::Add>(exec, 0, counts), sort);
    for_each_index("Sporos::plan::list_copies",
                   TaggedRange<typename Sort::List>(exec, 0, blocks), sort);
    Kokkos::deep_copy(exec, m_host_begins, m_begins);
    fence(exec, "Sporos::plan::copies_begin");
    return m_host_begins;
  }

  /// Throws on all ranks if one has too many points or copies.
  static void check_number(const Communicator& comm, const char* what,
                           std::size_t n) {
    constexpr const char* name = "Sporos::DistributedParticleGridPlan";
    agree_on(comm, name, [&] {
      check(n < points_end, name, "positions",
            text("fewer than ", points_end, what), n);
    });
  }

  template <class Keys, class Use>
  void sort(const Exec& exec, const Keys& keys,
            const SplitPositions<Real, Dim>& all, const ImagesOfPoints& images,
            const Use& use) {
    const std::size_t n = std::size_t(size());
    m_order             = m_order_space.require(exec, n);
    if (n > 0) sort_by_key(exec, m_sort, keys, m_order, 63);
    const auto sorted =
        make_view<Rows>(m_sorted_x.require_data(exec, n * Dim), n, Dim);
    const Images sorted_images = m_sorted_images.require(exec, n);
    for_each_index("Sporos::plan::order_points", Range(exec, 0, int(n)),
                   OrderPoints<Real, Dim>{all, images, m_order.data(),
                                          sorted.data(), sorted_images.data()});
    const Rows none(nullptr, 0, Dim);
    use(SplitPositions<Real, Dim>(sorted, none),
        ImagesOfPoints{sorted_images.data(), 0});
  }

  bool m_ordered = false;
  Ints m_begins;  ///< of the copies of each key
  decltype(Kokkos::create_mirror_view(
      std::declval<const Ints&>())) m_host_begins;
  Exchange<Memory> m_exchange;
  Ints m_order;
  template <class T>
  using Space = WorkspaceView<T, Memory>;
  Space<Real> m_own_x{"Sporos::plan::own_positions"};
  Space<Real> m_x{"Sporos::plan::copied_positions"};
  Space<Real> m_sorted_x{"Sporos::plan::sorted_positions"};
  Space<std::uint8_t> m_images{"Sporos::plan::images"};
  Space<std::uint8_t> m_sorted_images{"Sporos::plan::sorted_images"};
  Space<std::uint64_t> m_keys{"Sporos::plan::numbers"};
  Space<std::uint8_t> m_near{"Sporos::plan::near_borders"};
  Space<int> m_counts{"Sporos::plan::counts_of_copies"};
  Space<int> m_send{"Sporos::plan::sent_copies"};
  Space<int> m_send_message{"Sporos::plan::sent_messages"};
  Space<int> m_receive{"Sporos::plan::received_copies"};
  Space<int> m_receive_message{"Sporos::plan::received_messages"};
  Space<int> m_order_space{"Sporos::plan::order"};
  SortWorkspace<std::uint64_t, Memory> m_sort;
};

}  // namespace Impl
}  // namespace Sporos

#endif
