// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANGROUPS_HPP
#define SPOROS_PLANGROUPS_HPP

/// \file Sporos_PlanGroups.hpp
/// Groups of values in the order in which items bring them: elements of the
/// blocks that they reach, increments of their targets. All threads of the host
/// work, and their number does not change the result.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_HostCopy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Inspectors run on all threads of the host.
using PlanExec  = Kokkos::DefaultHostExecutionSpace;
using PlanRange = Kokkos::RangePolicy<PlanExec, Kokkos::IndexType<int>>;

using HostInts = Kokkos::View<int*, Kokkos::HostSpace>;

/// Group g has values(offsets(g)), ..., values(offsets(g + 1) - 1).
struct Groups {
  HostInts offsets, values;
};

/// visit(k, f) calls f(group, value) for what item k of n brings; with `once`
/// an item brings no value, all of which are at least 0, twice to a group.
/// Makes none if there are more than `most`. O(values); takes 2 n integers.
template <class Visit>
Groups group_values(const char* label, int n, int n_groups, bool once,
                    const Visit& visit,
                    std::int64_t most = std::numeric_limits<int>::max()) {
  const PlanExec host{};
  const auto width  = std::size_t(n_groups);
  const auto fit    = 2 * std::int64_t(n) / std::max(n_groups, 1);
  const int threads = int(host.concurrency());
  const int chunks  = int(std::clamp<std::int64_t>(threads, 1, fit + 1));
  // of each chunk and group: number of values, then the place of the next one
  std::vector<int> next(std::size_t(chunks) * width, 0);
  Groups groups{host_array<int>(label, width + 1), {}};
  const auto run = [&](int chunk) {
    int* const mine = next.data() + std::size_t(chunk) * width;
    int* const to   = groups.values.data();
    std::vector<int> last(once ? width : 0, -1);
    const int end = int(std::int64_t(n) * (chunk + 1) / chunks);
    for (int k = int(std::int64_t(n) * chunk / chunks); k < end; ++k)
      visit(k, [&](int group, int value) {
        if (once && last[std::size_t(group)] == value) return;
        if (once) last[std::size_t(group)] = value;
        const int place = mine[group]++;
        if (to != nullptr) to[place] = value;
      });
  };
  for_each_index(label, PlanRange(host, 0, chunks), run);
  std::int64_t total = 0;
  scan_index<std::int64_t>(
      label, PlanRange(host, 0, n_groups + 1),
      [&](int g, std::int64_t& sum, bool final) {
        if (final) groups.offsets.data()[g] = int(sum);
        if (final && g == n_groups) total = sum;
        for (int c = 0; g < n_groups && c < chunks; ++c) {
          int& here       = next[std::size_t(c) * width + std::size_t(g)];
          const int count = here;
          if (final) here = int(sum);
          sum += count;
        }
      });
  fence(host, label);
  if (total > most) return {};
  groups.values = host_array<int>(label, std::size_t(total));
  for_each_index(label, PlanRange(host, 0, chunks), run);
  fence(host, label);
  return groups;
}

}  // namespace Impl
}  // namespace Sporos

#endif
