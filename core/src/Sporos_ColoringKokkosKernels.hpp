// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Kokkos Kernels' bipartite colouring as an alternative to color_items, where
/// SPOROS_HAVE_KOKKOSKERNELS is defined (and Kokkos::kokkoskernels is linked).

#ifndef SPOROS_COLORINGKOKKOSKERNELS_HPP
#define SPOROS_COLORINGKOKKOSKERNELS_HPP

#include "Sporos_Coloring.hpp"

#include <Kokkos_Core.hpp>

#ifdef SPOROS_HAVE_KOKKOSKERNELS
#if defined(__GNUC__) && !defined(__clang__)  // it warns of copies in there
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <KokkosGraph_Distance2Color.hpp>
#include <KokkosKernels_Handle.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

/// Files of one program may have Kokkos Kernels or not: see
/// Sporos_OrderingBlocks.hpp.
#ifdef SPOROS_HAVE_KOKKOSKERNELS
#define SPOROS_IMPL_KOKKOSKERNELS with_kokkos_kernels
#else
#define SPOROS_IMPL_KOKKOSKERNELS without_kokkos_kernels
#endif

namespace Sporos {

#ifdef SPOROS_HAVE_KOKKOSKERNELS
namespace Impl {

/// Items are the rows of a bipartite graph, targets its columns.
struct BipartiteColoring {
#ifdef KOKKOS_ENABLE_SERIAL
  using Exec = Kokkos::Serial;
#else
  using Exec = Kokkos::DefaultHostExecutionSpace;
#endif
  using Ints   = Kokkos::View<int*, Exec>;
  using Handle = KokkosKernels::Experimental::KokkosKernelsHandle<
      int, int, double, Exec, typename Exec::memory_space,
      typename Exec::memory_space>;

  Ints offsets, columns;

  template <class Targets>
  BipartiteColoring(const char* function, int n_items, int n_targets,
                    const Targets& targets)
      : offsets("Sporos::color_items::offsets", std::size_t(n_items) + 1) {
    std::vector<int> all, row;
    for (int i = 0; i < n_items; ++i) {
      row.clear();
      targets.for_each(i, [&](int target) {
        check_target(function, target, n_targets, i);
        row.push_back(target);
      });
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      all.insert(all.end(), row.begin(), row.end());
      check(all.size() <= std::size_t(std::numeric_limits<int>::max()),
            function, "targets", "fewer than 2^31 pairs of items and targets",
            all.size());
      offsets(i + 1) = int(all.size());
    }
    columns = Ints(Kokkos::view_alloc("Sporos::color_items::columns",
                                      Kokkos::WithoutInitializing),
                   all.size());
    std::copy(all.begin(), all.end(), columns.data());
  }

  Coloring color(int n_items, int n_targets) {
    Handle handle;
    // The parallel algorithms guess and mend, and differ from run to run.
    handle.create_distance2_graph_coloring_handle(
        KokkosGraph::COLORING_D2_SERIAL);
    KokkosGraph::Experimental::bipartite_color_rows(
        &handle, n_items, n_targets, Kokkos::View<const int*, Exec>(offsets),
        Kokkos::View<const int*, Exec>(columns));
    const auto from_one =
        handle.get_distance2_graph_coloring_handle()->get_vertex_colors();
    Coloring result;
    result.color.resize(std::size_t(n_items));
    for (int i = 0; i < n_items; ++i) {
      const int color              = int(from_one(i)) - 1;
      result.color[std::size_t(i)] = color;
      result.n_colors              = std::max(result.n_colors, color + 1);
    }
    handle.destroy_distance2_graph_coloring_handle();
    return result;
  }
};

}  // namespace Impl
#endif

inline namespace SPOROS_IMPL_KOKKOSKERNELS {

/// Is Kokkos Kernels there?
constexpr bool have_kokkos_kernels_coloring() {
#ifdef SPOROS_HAVE_KOKKOSKERNELS
  return true;
#else
  return false;
#endif
}

/// The colouring of the rows of a bipartite graph by Kokkos Kernels, with its
/// serial algorithm, which gives the same colours on every run. Throws
/// std::invalid_argument for negative numbers, targets out of range and 2^31
/// pairs of items and targets or more, and where Kokkos Kernels is missing.
template <class Targets>
Coloring kokkos_kernels_coloring(int n_items, int n_targets,
                                 [[maybe_unused]] const Targets& targets) {
  constexpr const char* function = "Sporos::kokkos_kernels_coloring";
  Impl::check_sizes(function, n_items, n_targets);
  Impl::check(have_kokkos_kernels_coloring(), function, "library",
              "a program linked with Sporos::kokkoskernels", "none");
#ifdef SPOROS_HAVE_KOKKOSKERNELS
  if (n_items > 0)
    return Impl::BipartiteColoring(function, n_items, n_targets, targets)
        .color(n_items, n_targets);
#endif
  return Coloring{};
}

}  // namespace SPOROS_IMPL_KOKKOSKERNELS
}  // namespace Sporos

#endif  // SPOROS_COLORINGKOKKOSKERNELS_HPP
