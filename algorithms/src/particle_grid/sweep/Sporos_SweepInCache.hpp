// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SWEEPINCACHE_HPP
#define SPOROS_SWEEPINCACHE_HPP

/// \file Sporos_SweepInCache.hpp
/// Sweeps on hosts, column of tiles by column of tiles.
/// What: one thread takes a batch of the sorted points of a column, computes
///   their weights once and runs all sweeps over the batch; columns of one
///   colour run in parallel, colours one after another.
/// Cost: as sweeps one after another, but what they read and write comes from
///   memory once instead of at each sweep.
/// Wins: always, where there are columns enough for many threads.

#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/sweep/Sporos_SweepBuffer.hpp>
#include <particle_grid/sweep/Sporos_SweepColumns.hpp>
#include <particle_grid/sweep/Sporos_SweepWeights.hpp>

#include <algorithm>
#include <cstddef>

namespace Sporos {
namespace Impl {

/// All sweeps over one column. write(component, a, b, c) makes the functor that
/// takes the sums of the box of shifts at (a, b, c); values(weights, strengths,
/// a, b, c) the one that gives the values of points. Both are copied in the
/// kernel: what they hold, they hold by value, so that Views are not counted
/// there. Serves `components` from number `component` on.
template <class Box, class Weigh, class Strengths, class Values, class Write>
struct SweepColumn {
  using Weights                = typename Weigh::Weights;
  using T                      = typename Weights::value_type;
  static constexpr int Support = Weigh::Support;
  static constexpr int dim     = Weigh::dim;
  static constexpr int batch   = Weigh::block;
  using Boxes                  = SupportBoxes<Box, dim, Support>;

  Weigh weigh;
  Strengths strengths;
  int component, components;
  Values values;
  Write write;
  const int* starts;
  const int* order;

  void operator()(int i) const {
    const auto& offsets = weigh.points.offsets;
    alignas(64) T memory[Weights::size(batch)];
    const Weights weights{memory, batch};
    const int end = offsets(starts[order[i] + 1]);
    int q         = starts[order[i]];
    for (int p = offsets(q); p < end; p += batch) {
      const int stop = std::min(p + batch, end);
      for (int j = stop; j < std::min(stop + batch, end); ++j)
        strengths.prefetch(j);
      weigh.fill(weights, p, stop);
      const Segments segments(*this, q, p, stop);
      for (int c = component; c < component + components; ++c) {
        alignas(64) T sorted[batch];
        for (int j = p; j < stop; ++j) sorted[j - p] = strengths(c, j);
        for_each_box(weights, sorted, c, segments);
      }
      q += segments.count - (stop < offsets(q + segments.count) ? 1 : 0);
    }
  }

 private:
  /// The segments of a batch, from number q on; the first and the last may lie
  /// in it in part.
  struct Segments {
    int q, count = 0;
    int begin[batch + 1];         ///< first point, counted from the batch's
    std::ptrdiff_t place[batch];  ///< see Write::place

    Segments(const SweepColumn& column, int q_, int p, int stop) : q(q_) {
      const auto& offsets = column.weigh.points.offsets;
      const auto first    = column.write(column.component, 0, 0, 0);
      for (int at = p; at < stop; ++count) {
        begin[count] = at - p;
        place[count] = first.place(q + count);
        at           = std::min(offsets(q + count + 1), stop);
      }
      begin[count] = stop - p;
    }
  };

  void for_each_box(const Weights& weights, const T* sorted, int number,
                    const Segments& segments) const {
    const auto values_at = [&](int a, int b, int c) {
      return values(weights, sorted, a, b, c);
    };
    const auto write_at = [&](int a, int b, int c) {
      return write(number, a, b, c);
    };
    for (int n = 0; n < Boxes::count; ++n)
      sweep(Boxes::at(n, values_at), Boxes::at(n, write_at),
            Boxes::at(n + 1 < Boxes::count ? n + 1 : n, write_at), segments);
  }

  /// Values of one column are computed for all points first, in registers.
  template <class Value, class Add>
  static void sweep(const Value& value, const Add& add, const Add& next,
                    const Segments& segments) {
    if constexpr (Box::columns == 1) {
      alignas(64) T at_points[batch];
      const int points = segments.begin[segments.count];
      for (int i = 0; i < points; ++i) at_points[i] = value(i)[0];
      add_sums([&](int i) { return SmallArray<T, 1>{{at_points[i]}}; }, add,
               next, segments);
    } else {
      add_sums(value, add, next, segments);
    }
  }

  /// next: the functor after add
  template <class Value, class Add>
  static void add_sums(const Value& value, const Add& add, const Add& next,
                       const Segments& segments) {
    constexpr int ahead = 16;
    for (int s = 0; s < segments.count; ++s) {
      if (s + ahead < segments.count)
        SPOROS_PREFETCH(add.at(segments.place[s + ahead]));
      else
        SPOROS_PREFETCH(next.at(segments.place[s]));
      int i    = segments.begin[s];
      auto sum = value(i);
      while (++i < segments.begin[s + 1]) sum += value(i);
      if (segments.place[s] != Add::no_place)
        add.add_at(segments.place[s], sum);
      else
        add(segments.q + s, sum);
    }
  }
};

template <class Box, class Exec, class Weigh, class Strengths, class Values,
          class Write>
void sweep_columns(const Exec& exec, const SweepColumns<Exec>& columns,
                   const Weigh& weigh, const Strengths& strengths,
                   int component, int components, const Values& values,
                   const Write& write) {
  for (int c = 0; c < SweepColumns<Exec>::colors; ++c)
    if (columns.color_begin(c) < columns.color_begin(c + 1))
      for_each_index(
          "Sporos::spread::sweep_columns",
          Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                              Kokkos::IndexType<int>>(
              exec, columns.color_begin(c), columns.color_begin(c + 1),
              Kokkos::ChunkSize(1)),
          SweepColumn<Box, Weigh, Strengths, Values, Write>{
              weigh, strengths, component, components, values, write,
              columns.starts(), columns.order()});
}

}  // namespace Impl
}  // namespace Sporos

#endif
