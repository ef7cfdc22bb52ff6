// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_POINTCOPIES_HPP
#define SPOROS_POINTCOPIES_HPP

/// \file Sporos_PointCopies.hpp
/// Copies of points whose supports reach into the blocks of other ranks.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_SortByKey.hpp>
#include <Sporos_Workspace.hpp>
#include <distributed/Sporos_NearBorders.hpp>
#include <distributed/Sporos_SparseMessages.hpp>
#include <particle_grid/bins/Sporos_CellWindow.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/plan/Sporos_Plan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Positions of own points, converted.
template <class Positions, class Real, int Dim>
struct CopyPositions {
  Positions from;
  Real* to;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int d = 0; d < Dim; ++d)
      to[std::ptrdiff_t(i) * Dim + d] = Real(coordinate(from, i, d));
  }
};

/// Positions and images in the order of numbers.
template <class Real, int Dim>
struct OrderPoints {
  const Real* x;
  const std::uint8_t* image;
  const int* order;
  Real* to_x;
  std::uint8_t* to_image;

  KOKKOS_FUNCTION void operator()(int i) const {
    const std::ptrdiff_t from = order[i];
    for (int d = 0; d < Dim; ++d)
      to_x[std::ptrdiff_t(i) * Dim + d] = x[from * Dim + d];
    to_image[i] = image[from];
  }
};

/// Values of points that are merged by number, in the order of a plan, and
/// back.
template <class T>
struct MergedValues {
  TwoArrays<T> values;
  const int* order;  ///< merged point -> row
  const int* plan_order;
  T* buffer;
  int components;
  struct Load {};
  struct Store {};

  KOKKOS_FORCEINLINE_FUNCTION int row(int i) const {
    return order[plan_order[i]];
  }
  KOKKOS_FUNCTION void operator()(Load, int i) const {
    const int from = row(i);
    T* const to    = buffer + std::ptrdiff_t(i) * components;
    for (int c = 0; c < components; ++c) to[c] = values(from, c);
  }
  /// To the rows of own points alone.
  KOKKOS_FUNCTION void operator()(Store, int i) const {
    const int to = row(i);
    if (to >= values.split) return;
    const T* const from = buffer + std::ptrdiff_t(i) * components;
    for (int c = 0; c < components; ++c) values(to, c) = from[c];
  }
};

/// Own points, followed by the copies from other ranks: rows. By number if
/// there are numbers.
template <class Exec, int Dim, class Real>
class PointCopies {
 public:
  using Memory    = typename Exec::memory_space;
  using Positions = Kokkos::View<Real**, Kokkos::LayoutRight, Memory,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Images    = Kokkos::View<std::uint8_t*, Memory>;
  using Lists     = ExchangeLists<Memory>;

  int own = 0, copies = 0;
  Lists lists;  ///< rows of own points -> rows after them

  int size() const { return own + copies; }
  /// Merged point -> row; null without numbers
  const int* order() const { return m_ordered ? m_order.data() : nullptr; }
  Positions positions() const { return m_positions; }
  Images images() const { return m_used_images; }

  /// Inspects own points; counts the copies that this rank would send.
  template <class X>
  PositionFaults inspect(const Exec& exec,
                         const DistributedGrid<Dim, Real>& grid, const X& x,
                         Real reach, int& count) {
    std::uint8_t* const near = m_near.require(exec, x.extent(0)).data();
    return find_borders(exec, grid, x, reach, near, count);
  }

  /// Sends copies of all points that reach the blocks of others. Collective.
  /// \param x the positions that inspect() saw last
  /// \param sent what it counted
  /// \param numbers of own points; null: none
  template <class X>
  void update(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
              const X& x, int sent, const std::int64_t* numbers,
              std::ptrdiff_t numbers_stride) {
    own                     = int(x.extent(0));
    const auto image_lists  = make_lists(exec, grid, sent);
    const std::size_t n     = std::size_t(size());
    Real* const merged      = m_x.require(exec, n * Dim).data();
    const auto merged_image = m_images.require(exec, n);
    Kokkos::deep_copy(exec, merged_image, std::uint8_t(0));
    Kokkos::parallel_for("Sporos::plan::copy_positions", Range(exec, 0, own),
                         CopyPositions<X, Real, Dim>{x, merged});
    const auto points = copy_part(lists, packed_rows(merged, Dim), Dim);
    const auto images =
        copy_part(image_lists,
                  TwoArrays<std::uint8_t>{
                      RowEntries<const std::uint8_t>(m_sent_images),
                      packed_rows(merged_image.data() + own, 1), sent},
                  1);
    m_ordered = numbers != nullptr;
    if (!m_ordered) {
      m_exchange_of(grid).start(exec, points, images);
      m_exchange_of(grid).finish(exec, points, images);
      m_positions   = Positions(merged, n, Dim);
      m_used_images = merged_image;
      return;
    }
    const auto keys = m_keys.require(exec, n);
    RowEntries<const std::int64_t> given;
    given.data       = numbers;
    given.row_stride = numbers_stride;
    Kokkos::parallel_for(
        "Sporos::plan::numbers", Range(exec, 0, own),
        RowsAsTheyAre<std::uint64_t>{reinterpreted(given),
                                     packed_rows(keys.data(), 1), 1});
    const auto by = copy_part(lists, packed_rows(keys.data(), 1), 1);
    m_exchange_of(grid).start(exec, points, images, by);
    m_exchange_of(grid).finish(exec, points, images, by);
    sort(exec, keys, merged, merged_image);
  }

 private:
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  using Ints  = Kokkos::View<int*, Memory>;

  /// Numbers are not negative.
  static RowEntries<const std::uint64_t> reinterpreted(
      const RowEntries<const std::int64_t>& from) {
    RowEntries<const std::uint64_t> to;
    to.data       = reinterpret_cast<const std::uint64_t*>(from.data);
    to.row_stride = from.row_stride;
    return to;
  }

  const Exchange<Memory>& m_exchange_of(
      const DistributedGrid<Dim, Real>& grid) {
    if (!m_exchange_made) m_exchange = Exchange<Memory>(grid.comm());
    m_exchange_made = true;
    return m_exchange;
  }

  /// Makes `lists` and the images of what is sent; returns the lists of these.
  Lists make_lists(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                   int sent) {
    const Ints points = m_points.require(exec, std::size_t(sent));
    const Ints codes  = m_codes.require(exec, std::size_t(sent));
    const std::uint8_t* const near =
        m_near.require(exec, std::size_t(own)).data();
    Kokkos::parallel_scan(
        "Sporos::plan::list_copies",
        Range(exec, 0, ceil_div(own, ListCopies<Dim>::block)),
        ListCopies<Dim>{near, own, points.data(), codes.data()});
    const auto host_points = to_host(exec, points);
    const auto host_codes  = to_host(exec, codes);
    RankLists send, send_images;
    std::array<Target, Borders<Dim>::codes> targets;
    for (int code = 0; code < Borders<Dim>::codes; ++code)
      targets[std::size_t(code)] = target(grid, code, send, send_images);
    std::vector<std::uint8_t> images(std::size_t(sent), 0);
    for (int k = 0; k < sent; ++k) {
      const Target& to       = targets[std::size_t(host_codes(k))];
      images[std::size_t(k)] = to.images;
      to.points->push_back(host_points(k));
      to.places->push_back(k);
    }
    std::map<int, std::vector<int>> counts;
    for (const auto& [to, list] : send)
      if (!list.empty()) counts[to] = {int(list.size())};
    RankLists receive, receive_images;
    copies = 0;
    for (const auto& [from, count] : sparse_messages(grid.comm(), counts))
      for (int k = 0; k < count[0]; ++k) {
        receive[from].push_back(own + copies);
        receive_images[from].push_back(sent + copies);
        ++copies;
      }
    agree_on(grid.comm(), "Sporos::DistributedParticleGridPlan", [&] {
      check(std::size_t(own) + std::size_t(copies) < points_end,
            "Sporos::DistributedParticleGridPlan", "positions",
            text("fewer than ", points_end,
                 " points with the copies from other ranks"),
            std::size_t(own) + std::size_t(copies));
    });
    m_sent_images = m_out_images.require(exec, images.size());
    Kokkos::deep_copy(exec, m_sent_images,
                      Kokkos::View<const std::uint8_t*, Kokkos::HostSpace,
                                   Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                          images.data(), images.size()));
    fence(exec, "Sporos::plan::images");
    lists = Lists(send, receive);
    return Lists(send_images, receive_images);
  }

  /// Where the copies of points near a block go.
  struct Target {
    std::uint8_t images;               ///< of the points near it
    std::vector<int>*points, *places;  ///< of its rank
  };
  /// The block in the direction `code`; none if that is beyond a wall.
  static Target target(const DistributedGrid<Dim, Real>& grid, int code,
                       RankLists& points, RankLists& places) {
    std::array<int, Dim> number;
    std::uint8_t images = 0;
    for (int d = 0; d < Dim; ++d, code /= 3) {
      const int n = grid.blocks(d), to = grid.block(d) + code % 3 - 1;
      if (code % 3 != 1 && grid.layers(d, code % 3 / 2) == 0)
        return {0, nullptr, nullptr};
      number[d] = (to + n) % n;
      images    = std::uint8_t(images | PointImages::bits(to < 0    ? 1
                                                          : to >= n ? -1
                                                                    : 0,
                                                          d));
    }
    const int rank = grid.all_blocks().rank(number);
    return {images, &points[rank], &places[rank]};
  }

  auto to_host(const Exec& exec, const Ints& from) const {
    const auto host = Kokkos::create_mirror_view(from);
    Kokkos::deep_copy(exec, host, from);
    fence(exec, "Sporos::plan::copies_to_host");
    return host;
  }

  template <class Keys>
  void sort(const Exec& exec, const Keys& keys, const Real* merged,
            const Images& merged_image) {
    const std::size_t n = std::size_t(size());
    m_order             = m_order_space.require(exec, n);
    if (n > 0) sort_by_key(exec, m_sort, keys, m_order, 63);
    Real* const sorted = m_sorted_x.require(exec, n * Dim).data();
    m_used_images      = m_sorted_images.require(exec, n);
    Kokkos::parallel_for(
        "Sporos::plan::order_points", Range(exec, 0, int(n)),
        OrderPoints<Real, Dim>{merged, merged_image.data(), m_order.data(),
                               sorted, m_used_images.data()});
    m_positions = Positions(sorted, n, Dim);
  }

  bool m_ordered = false, m_exchange_made = false;
  Exchange<Memory> m_exchange;
  Positions m_positions;
  Images m_used_images, m_sent_images;
  Ints m_order;
  template <class T>
  using Space = WorkspaceView<T, Memory>;
  Space<Real> m_x{"Sporos::plan::merged_positions"};
  Space<Real> m_sorted_x{"Sporos::plan::sorted_positions"};
  Space<std::uint8_t> m_images{"Sporos::plan::images"};
  Space<std::uint8_t> m_sorted_images{"Sporos::plan::sorted_images"};
  Space<std::uint8_t> m_out_images{"Sporos::plan::sent_images"};
  Space<std::uint64_t> m_keys{"Sporos::plan::numbers"};
  Space<std::uint8_t> m_near{"Sporos::plan::near_borders"};
  Space<int> m_points{"Sporos::plan::copied_points"};
  Space<int> m_codes{"Sporos::plan::copied_codes"};
  Space<int> m_order_space{"Sporos::plan::order"};
  SortWorkspace<std::uint64_t, Memory> m_sort;
};

}  // namespace Impl
}  // namespace Sporos

#endif
