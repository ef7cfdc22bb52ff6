// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// parallel_for over a range of indices. On hosts all functors share one kernel
/// of Kokkos, since compiling a kernel for each takes longer than most functors
/// themselves.

#ifndef SPOROS_FOREACHINDEX_HPP
#define SPOROS_FOREACHINDEX_HPP

#include "Sporos_KokkosCompat.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Indices [begin, end) in pieces, and the functor to call for each of them.
struct IndexPieces {
  void (*call)(const void* functor, std::int64_t begin, std::int64_t end);
  const void* functor;
  std::int64_t begin, end;
  std::int64_t size;  ///< indices of a piece

  std::int64_t count() const { return ceil_div(end - begin, size); }
  void operator()(std::int64_t piece) const {
    const std::int64_t first = begin + piece * size;
    call(functor, first, std::min(first + size, end));
  }
};

template <class Tag, class Index, class Functor>
void call_indices(const void* functor, std::int64_t begin, std::int64_t end) {
  const auto& f = *static_cast<const Functor*>(functor);
  for (auto i = Index(begin); i < Index(end); ++i)
    if constexpr (std::is_void<Tag>::value)
      f(i);
    else
      f(Tag(), i);
}

/// A copy whose views are not counted, like that of a functor which Kokkos
/// launches: threads that copy views in kernels would share the counters.
template <class Functor>
[[gnu::cold]] Functor untracked(const Functor& functor) {
  using Record = Kokkos::Impl::SharedAllocationRecord<void, void>;
  struct Guard {
    Guard() { Record::tracking_disable(); }
    ~Guard() { Record::tracking_enable(); }
  };
  [[maybe_unused]] const Guard guard;
  return functor;
}

template <class Schedule, class Exec>
void launch_pieces(std::string_view label, const Exec& exec,
                   const IndexPieces& pieces) {
  Kokkos::parallel_for(
      std::string(label),
      Kokkos::RangePolicy<Exec, Schedule, Kokkos::IndexType<std::int64_t>>(
          exec, 0, pieces.count(), Kokkos::ChunkSize(1)),
      pieces);
}

/// Kokkos::parallel_for with a RangePolicy. Hosts cut the range as its schedule
/// says: static ones into one piece for each thread.
template <class Policy, class Functor>
void for_each_index(std::string_view label, const Policy& policy,
                    const Functor& functor) {
  using Exec = typename Policy::execution_space;
  if constexpr (is_synchronous_space_v<Exec>) {
    using Schedule   = typename Policy::schedule_type;
    const Exec exec  = policy.space();
    const auto begin = std::int64_t(policy.begin());
    const auto end   = std::int64_t(policy.end());
    const bool shares =
        std::is_same<typename Schedule::type, Kokkos::Static>::value;
    const auto size =
        shares ? ceil_div(end - begin, std::int64_t(exec.concurrency()))
               : std::int64_t(policy.chunk_size());
    const Functor copy = untracked(functor);
    launch_pieces<Schedule>(
        label, exec,
        IndexPieces{call_indices<typename Policy::work_tag,
                                 typename Policy::index_type, Functor>,
                    &copy, begin, end, std::max(size, std::int64_t(1))});
  } else {
    Kokkos::parallel_for(std::string(label), policy, functor);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_FOREACHINDEX_HPP
