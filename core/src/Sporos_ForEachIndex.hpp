// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FOREACHINDEX_HPP
#define SPOROS_FOREACHINDEX_HPP

/// \file Sporos_ForEachIndex.hpp
/// parallel_for, parallel_scan and reductions over a range of indices. On hosts
/// all functors share one kernel of Kokkos for each, since compiling a kernel
/// takes longer than most functors themselves.

#include <Sporos_KokkosCompat.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Indices [begin, end) in pieces, and the functor to call for each of them.
struct IndexRange {
  const void* functor;
  std::int64_t begin, end;
  std::int64_t size;  ///< indices of a piece

  IndexRange(const void* functor_, std::int64_t begin_, std::int64_t end_,
             std::int64_t size_)
      : functor(functor_),
        begin(begin_),
        end(end_),
        size(std::max(size_, std::int64_t(1))) {}
  std::int64_t count() const { return ceil_div(end - begin, size); }
  std::int64_t first(std::int64_t piece) const { return begin + piece * size; }
  std::int64_t last(std::int64_t piece) const {
    return std::min(first(piece) + size, end);
  }
};

/// A loop over indices, piece by piece.
struct IndexPieces : IndexRange {
  using Call = void (*)(const void* functor, std::int64_t begin,
                        std::int64_t end);
  Call call;

  IndexPieces(const IndexRange& range, Call call_)
      : IndexRange(range), call(call_) {}
  void operator()(std::int64_t piece) const {
    call(functor, first(piece), last(piece));
  }
};

/// A scan of integers over indices, piece by piece.
struct ScanPieces : IndexRange {
  using Call = void (*)(const void* functor, std::int64_t begin,
                        std::int64_t end, std::int64_t& sum, bool final);
  Call call;

  ScanPieces(const IndexRange& range, Call call_)
      : IndexRange(range), call(call_) {}
  void operator()(std::int64_t piece, std::int64_t& sum, bool final) const {
    call(functor, first(piece), last(piece), sum, final);
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

template <class Tag, class Index, class Value, class Functor>
void scan_indices(const void* functor, std::int64_t begin, std::int64_t end,
                  std::int64_t& sum, bool final) {
  const auto& f = *static_cast<const Functor*>(functor);
  auto value    = Value(sum);
  for (auto i = Index(begin); i < Index(end); ++i)
    if constexpr (std::is_void<Tag>::value)
      f(i, value, final);
    else
      f(Tag(), i, value, final);
  sum = value;
}

/// A copy whose views are not counted, like that of a functor which Kokkos
/// launches: threads that copy views in kernels would share the counters.
/// Functors without views need no copy.
template <class Functor>
[[gnu::cold]] std::conditional_t<std::is_trivially_copyable<Functor>::value,
                                 const Functor&, Functor>
untracked(const Functor& functor) {
  if constexpr (std::is_trivially_copyable<Functor>::value) {
    return functor;
  } else {
    using Record = Kokkos::Impl::SharedAllocationRecord<void, void>;
    struct Guard {
      Guard() { Record::tracking_disable(); }
      ~Guard() { Record::tracking_enable(); }
    };
    [[maybe_unused]] const Guard guard;
    return functor;
  }
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
  if constexpr (is_host_space_v<Exec>) {
    using Schedule   = typename Policy::schedule_type;
    const Exec exec  = policy.space();
    const auto begin = std::int64_t(policy.begin());
    const auto end   = std::int64_t(policy.end());
    const bool shares =
        std::is_same<typename Schedule::type, Kokkos::Static>::value;
    const auto size =
        shares ? ceil_div(end - begin, std::int64_t(exec.concurrency()))
               : std::int64_t(policy.chunk_size());
    const auto& copy = untracked(functor);
    launch_pieces<Schedule>(
        label, exec,
        IndexPieces({&copy, begin, end, size},
                    call_indices<typename Policy::work_tag,
                                 typename Policy::index_type, Functor>));
  } else {
    Kokkos::parallel_for(std::string(label), policy, functor);
  }
}

template <class Exec>
void launch_scan(std::string_view label, const Exec& exec,
                 const ScanPieces& pieces) {
  Kokkos::parallel_scan(
      std::string(label),
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
          exec, 0, pieces.count(), Kokkos::ChunkSize(1)),
      pieces);
}

/// Kokkos::parallel_scan with a RangePolicy of a functor that sums integers of
/// type Value. In spaces that are not synchronous, Kokkos' scans overflow
/// near the largest index: take a wider type of index there.
template <class Value, class Policy, class Functor>
void scan_index(std::string_view label, const Policy& policy,
                const Functor& functor) {
  using Exec = typename Policy::execution_space;
  if constexpr (is_host_space_v<Exec>) {
    const Exec exec  = policy.space();
    const auto begin = std::int64_t(policy.begin());
    const auto end   = std::int64_t(policy.end());
    const auto& copy = untracked(functor);
    launch_scan(
        label, exec,
        ScanPieces({&copy, begin, end,
                    ceil_div(end - begin, std::int64_t(exec.concurrency()))},
                   scan_indices<typename Policy::work_tag,
                                typename Policy::index_type, Value, Functor>));
  } else {
    Kokkos::parallel_scan(std::string(label), policy, functor);
  }
}

/// Calls a functor of a reduction and joins what it finds.
template <class Functor, class Value>
struct JoinSmallest {
  static constexpr Value none = std::numeric_limits<Value>::max();
  Functor functor;
  Value* smallest;

  template <class Index>
  KOKKOS_FUNCTION void operator()(Index i) const {
    Value found = none;
    functor(i, found);
    if (found != none) Kokkos::atomic_fetch_min(smallest, found);
  }
};

/// Nothing was found yet.
template <class Value>
struct ResetSmallest {
  static constexpr Value none = std::numeric_limits<Value>::max();
  Value* smallest;

  KOKKOS_FUNCTION void operator()(int) const { *smallest = none; }
};

/// Kokkos::parallel_reduce with a RangePolicy of a functor without Views, which
/// seldom finds a number less than the largest Value; the smallest goes to
/// Memory. In memory of a device it is joined by atomics: a reduction needs
/// more registers and takes twice as long (measured on an H100).
template <class Memory, class Policy, class Functor, class Value>
void reduce_min(std::string_view label, const Policy& policy,
                const Functor& functor, Value* smallest) {
  using Exec = typename Policy::execution_space;
  if constexpr (is_host_space_v<Exec>) {
    *smallest = std::numeric_limits<Value>::max();
    for_each_index(label, policy,
                   JoinSmallest<const Functor&, Value>{functor, smallest});
  } else if constexpr (std::is_same<Memory,
                                    typename Exec::memory_space>::value) {
    for_each_index(
        label,
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(policy.space(), 0, 1),
        ResetSmallest<Value>{smallest});
    for_each_index(label, policy,
                   JoinSmallest<Functor, Value>{functor, smallest});
  } else {
    Kokkos::parallel_reduce(
        std::string(label), policy, functor,
        Kokkos::Min<Value, Memory>(
            make_view<Kokkos::View<Value, Memory>>(smallest)));
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
