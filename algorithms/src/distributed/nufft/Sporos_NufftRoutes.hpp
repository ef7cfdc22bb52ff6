// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTROUTES_HPP
#define SPOROS_NUFFTROUTES_HPP

/// \file Sporos_NufftRoutes.hpp
/// Points of a rank that lie in slabs of any ranks, and the way of their values
/// there and back.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_Migrate.hpp>
#include <Sporos_Workspace.hpp>
#include <distributed/messages/Sporos_Exchange.hpp>
#include <distributed/messages/Sporos_SparseMessages.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Which rank has which point. T: of coordinates and values
template <class Exec, int Dim, class T>
class NufftRoutes {
  using Memory  = typename Exec::memory_space;
  using Complex = Kokkos::complex<T>;
  using Ints    = Kokkos::View<int*, Memory>;

 public:
  using Positions = Kokkos::View<T**, Kokkos::LayoutRight, Memory>;
  using Numbers   = Kokkos::View<std::int64_t*, Memory>;
  using Values =
      Kokkos::View<Complex*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// Points of the slab of this rank
  struct Points {
    Positions positions;
    Numbers numbers;  ///< none if none were given
  };

  /// Sends points to the ranks that own them. Collective; waits.
  /// \param numbers of the points; null: none, points come by rank
  /// \throws std::invalid_argument on all ranks if one has a point that is not
  ///   finite, or a negative number
  template <class Given, class GivenNumbers>
  Points find(const char* function, const Exec& exec,
              const DistributedGrid<Dim>& blocks, const Given& points,
              const GivenNumbers* numbers) {
    const auto n = points.extent(0);
    Points p;
    p.positions =
        new_view<Positions>(exec, "Sporos::nufft::points", n, std::size_t(Dim));
    Kokkos::deep_copy(exec, p.positions, points);
    Ints index = new_view<Ints>(exec, "Sporos::nufft::index", n),
         from  = new_view<Ints>(exec, "Sporos::nufft::from", n);
    Kokkos::deep_copy(exec, from, blocks.comm().rank());
    fence(exec, function);
    for (std::size_t i = 0; i < n; ++i) index(i) = int(i);
    Migration<Exec, Dim, double> call(function, exec, blocks, {});
    if (numbers == nullptr) {
      call.inspect([] {}, p.positions, index, from);
      call.plan();
      std::tie(p.positions, index, from) = call.moved(p.positions, index, from);
    } else {
      p.numbers = new_view<Numbers>(exec, "Sporos::nufft::numbers", n);
      Kokkos::deep_copy(exec, p.numbers, *numbers);
      fence(exec, function);
      call.inspect([&] { call.check_numbers(p.numbers); }, p.positions,
                   p.numbers, index, from);
      call.plan();
      std::tie(p.numbers, p.positions, index, from) =
          call.moved(p.numbers, p.positions, index, from);
    }
    list(exec, blocks.comm(), int(n), index, from);
    return p;
  }

  std::size_t own() const { return std::size_t(m_own); }  ///< Given points.
  std::size_t here() const { return m_here; }  ///< Points of the slab.
  std::size_t bytes() const {
    return m_values.bytes() + m_there.bytes() + m_back.bytes();
  }

  /// Values of the points of the slab, from all ranks.
  template <class Given>
  Values bring(const Exec& exec, const Given& values) {
    const Values here = slab(exec);
    move(exec, m_there, m_exchange_there,
         TwoArrays<T>{RowEntries<const T>(values), RowEntries<T>(here), m_own});
    return here;
  }
  /// Memory for values of the points of the slab, to be sent by give().
  Values slab(const Exec& exec) { return m_values.require(exec, m_here); }
  /// Sends the values of the slab to the ranks that gave the points.
  template <class Given>
  void give(const Exec& exec, const Given& values) {
    const Values here = slab(exec);
    move(exec, m_back, m_exchange_back,
         TwoArrays<T>{RowEntries<const T>(here), RowEntries<T>(values),
                      int(m_here)});
  }

 private:
  using Lists = ExchangeLists<Memory>;

  /// Row r of the slab is point index(r) of the rank from(r).
  void list(const Exec& exec, const Communicator& comm, int own,
            const Ints& index, const Ints& from) {
    RankLists rows, points;
    for (std::size_t r = 0; r < index.extent(0); ++r) {
      rows[from(r)].push_back(int(r));
      points[from(r)].push_back(index(r));
    }
    const RankLists sent = sparse_messages(comm, points);
    m_own                = own;
    m_here               = index.extent(0);
    m_there              = Lists(exec, sent, behind(rows, own));
    m_back               = Lists(exec, rows, behind(sent, int(m_here)));
    m_exchange_there     = Exchange<Memory>(comm);
    m_exchange_back      = Exchange<Memory>(comm);
  }
  static RankLists behind(RankLists lists, int first) {
    for (auto& [rank, entries] : lists)
      for (int& entry : entries) entry += first;
    return lists;
  }
  void move(const Exec& exec, const Lists& lists,
            const Exchange<Memory>& exchange, const TwoArrays<T>& arrays) {
    const auto part = copy_part(lists, arrays, 2);
    exchange.start(exec, part);
    exchange.finish(exec, part);
  }

  int m_own          = 0;
  std::size_t m_here = 0;
  Lists m_there, m_back;
  Exchange<Memory> m_exchange_there, m_exchange_back;
  WorkspaceView<Complex, Memory> m_values{"Sporos::nufft::values"};
};

}  // namespace Impl
}  // namespace Sporos

#endif
