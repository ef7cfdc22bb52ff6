// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SEGMENTEDREDUCE_HPP
#define SPOROS_SEGMENTEDREDUCE_HPP

/// \file Sporos_SegmentedReduce.hpp
/// Sums over segments of an array (reduce by key) with a fixed order of
/// additions: the same bits on every run and with any number of threads.
///
/// The elements are cut into chunks of a fixed number. A chunk is summed in
/// element order; on devices, where it is that of a team, so are its pieces of
/// a fixed number, and then the pieces of each segment. Segments inside of a
/// chunk are written at once. For a segment over several chunks, each chunk
/// writes its part to its own slot, and the parts are added in chunk order. The
/// work is linear in the elements, and as balanced for one large segment as for
/// many small ones.

#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_SegmentLaunch.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace Sporos {

/// N numbers, added one by one: a value type for segmented_reduce.
template <class T, int N>
struct SmallArray {
  static_assert(N > 0, "Sporos::SmallArray: at least one element");
  using value_type = T;  ///< of each number

  T m_value[N] = {};  ///< the numbers

  /// The number of numbers.
  KOKKOS_FUNCTION static constexpr int size() { return N; }

  /// Number i.
  KOKKOS_INLINE_FUNCTION T& operator[](int i) { return m_value[i]; }
  /// Number i.
  KOKKOS_INLINE_FUNCTION const T& operator[](int i) const { return m_value[i]; }

  /// Adds number by number.
  KOKKOS_INLINE_FUNCTION SmallArray& operator+=(const SmallArray& other) {
    SPOROS_UNROLL
    for (int i = 0; i < N; ++i) m_value[i] += other.m_value[i];
    return *this;
  }
};

/// Scratch memory of the functions below; it only grows. Only one of them at a
/// time may use it.
template <class MemorySpace>
struct ReduceWorkspace {
  /// partial sums of chunks
  WorkspaceView<std::uint64_t, MemorySpace> parts{
      "Sporos::segmented_reduce::parts"};
  /// where segments begin
  WorkspaceView<int, MemorySpace> offsets{"Sporos::reduce_by_key::offsets"};

  /// Bytes of memory.
  std::size_t bytes() const { return parts.bytes() + offsets.bytes(); }
};

namespace Impl {

/// The columns that one pass of reduce_by_key adds up: first to first + Width,
/// in the type of the sums.
template <class Columns, class Sum, int Width>
struct ColumnValues {
  using value_type = SmallArray<Sum, Width>;
  Columns m_columns;
  int m_first;

  KOKKOS_INLINE_FUNCTION value_type operator()(int i) const {
    value_type value;
    if constexpr (view_rank_v<Columns> == 1) {
      value[0] = static_cast<Sum>(m_columns(std::size_t(i)));
    } else {
      SPOROS_UNROLL
      for (int c = 0; c < Width; ++c)
        value[c] = static_cast<Sum>(
            m_columns(std::size_t(i), std::size_t(m_first + c)));
    }
    return value;
  }
};

template <class Sums, int Width>
struct ColumnSums {
  using value_type = SmallArray<typename Sums::non_const_value_type, Width>;
  Sums m_sums;
  int m_first;

  KOKKOS_INLINE_FUNCTION void operator()(int q, const value_type& sum) const {
    if constexpr (view_rank_v<Sums> == 1) {
      m_sums(std::size_t(q)) = sum[0];
    } else {
      SPOROS_UNROLL
      for (int c = 0; c < Width; ++c)
        m_sums(std::size_t(q), std::size_t(m_first + c)) = sum[c];
    }
  }
};

template <int Width, class Exec, class MemorySpace, class Offsets, class Count,
          class Columns, class Sums>
void reduce_columns(const Exec& exec, ReduceWorkspace<MemorySpace>& workspace,
                    const Offsets& offsets, const Count& count,
                    const Columns& columns, const Sums& sums, int& first,
                    int end) {
  using Sum = typename Sums::non_const_value_type;
  for (; first + Width <= end; first += Width)
    segmented_reduce_tuned<ReduceTuning<Exec>>(
        "Sporos::reduce_by_key", exec, workspace, columns.extent(0), offsets,
        count, ColumnValues<Columns, Sum, Width>{columns, first},
        ColumnSums<Sums, Width>{sums, first});
}

}  // namespace Impl

/// Finds the segments of equal neighbours in sorted keys.
///
/// sorted_keys(n): any type with !=; equal keys must be neighbours.
/// offsets(>= n + 1), int: offsets(q) becomes the first element of segment q
///   for q = 0 ... count - 1, and offsets(count) = n. Later entries are not
///   written.
/// count(), int, rank 0: becomes the number of segments. The host does not wait
///   for it.
///
/// Asynchronous in exec. Throws std::invalid_argument if offsets is too short,
/// n is above 2^31 - 1, a view has no memory, or an output shares memory with
/// another view.
template <class Exec, class MemorySpace, class Keys, class Offsets, class Count>
void find_segments(const Exec& exec, ReduceWorkspace<MemorySpace>& workspace,
                   const Keys& sorted_keys, const Offsets& offsets,
                   const Count& count) {
  static_assert(Impl::view_rank_v<Keys> == 1 &&
                    Impl::view_rank_v<Offsets> == 1 &&
                    Impl::view_rank_v<Count> == 0,
                "Sporos::find_segments: sorted_keys and offsets must have rank "
                "1, count rank 0");
  static_assert(std::is_same<typename Offsets::value_type, int>::value &&
                    std::is_same<typename Count::value_type, int>::value,
                "Sporos::find_segments: offsets and count must hold int, and "
                "not const");
  static_assert(Impl::is_accessible_v<Exec, Keys> &&
                    Impl::is_accessible_v<Exec, Offsets> &&
                    Impl::is_accessible_v<Exec, Count> &&
                    Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible,
                "Sporos::find_segments: the execution space must reach "
                "sorted_keys, offsets, count and workspace");
  const std::size_t n        = sorted_keys.extent(0);
  constexpr const char* name = "Sporos::find_segments";
  Impl::check(n <= std::size_t(std::numeric_limits<int>::max()), name,
              "sorted_keys", "at most 2^31 - 1 entries", n);
  Impl::check(offsets.extent(0) >= n + 1, name, "offsets",
              Impl::text("extent(0) >= ", n + 1), offsets.extent(0));
  Impl::check_memory(name, "sorted_keys", sorted_keys);
  Impl::check_written(name, "offsets", offsets);
  Impl::check_written(name, "count", count);
  Impl::check_apart(name, "offsets", offsets, "sorted_keys", sorted_keys);
  Impl::check_apart(name, "count", count, "sorted_keys", sorted_keys);
  Impl::check_apart(name, "count", count, "offsets", offsets);
  Impl::find_segments(exec, workspace, sorted_keys, offsets, count,
                      Impl::NoView{});
}

/// Sums value(i) over the elements i of each segment.
///
/// label: the kernels are called label::elements, label::heads, label::owners.
/// n: number of elements, at most 2^31 - 1; all belong to a segment.
/// offsets, count: segment q = 0 ... count() - 1 is offsets(q) <= i <
///   offsets(q + 1), from 0 to n without gaps, as find_segments returns them.
///   Empty segments are allowed and not written.
/// value(int i) -> V: called exactly once for each element. V is any trivially
///   copyable type with +=: a number, Kokkos::complex, SmallArray.
/// write(int q, V sum): called exactly once for each segment that is not empty.
///
/// The order of additions depends only on offsets and on the kind of back end.
/// Linear work; asynchronous in exec; allocates only if the workspace grows.
/// Throws std::invalid_argument if n is too large, or offsets or count has no
/// memory or too few entries.
template <class Exec, class MemorySpace, class Offsets, class Count,
          class Value, class Write>
void segmented_reduce(const std::string& label, const Exec& exec,
                      ReduceWorkspace<MemorySpace>& workspace, std::size_t n,
                      const Offsets& offsets, const Count& count,
                      const Value& value, const Write& write) {
  static_assert(
      Impl::view_rank_v<Offsets> == 1 && Impl::view_rank_v<Count> == 0,
      "Sporos::segmented_reduce: offsets must have rank 1, count rank 0");
  static_assert(
      std::is_same<typename Offsets::non_const_value_type, int>::value &&
          std::is_same<typename Count::non_const_value_type, int>::value,
      "Sporos::segmented_reduce: offsets and count must hold int");
  static_assert(Impl::is_accessible_v<Exec, Offsets> &&
                    Impl::is_accessible_v<Exec, Count> &&
                    Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible,
                "Sporos::segmented_reduce: the execution space must reach "
                "offsets, count and workspace");
  constexpr const char* name = "Sporos::segmented_reduce";
  Impl::check(n <= std::size_t(std::numeric_limits<int>::max()), name, "n",
              "at most 2^31 - 1", n);
  Impl::check(n == 0 || offsets.extent(0) >= 2, name, "offsets",
              "extent(0) >= 2, begin and end of a segment", offsets.extent(0));
  Impl::check_memory(name, "offsets", offsets);
  Impl::check_memory(name, "count", count);
  Impl::segmented_reduce_tuned<Impl::ReduceTuning<Exec>>(
      label, exec, workspace, n, offsets, count, value, write);
}

/// Sums the rows of columns that have equal keys.
///
/// sorted_keys(n): equal keys are neighbours. columns(n) or columns(n, c).
/// unique(>= n): becomes the different keys, in order. sums(>= n) or (>= n, c):
///   becomes the sums of their rows, accumulated in the type of sums. count(),
///   rank 0: becomes their number. Entries of unique and sums from count on are
///   not written.
///
/// Order of additions, cost and asynchrony are those of segmented_reduce;
/// columns are read once, eight at a time. Throws std::invalid_argument if
/// extents do not fit, a view has no memory, or an output shares memory with
/// another view.
template <class Exec, class MemorySpace, class Keys, class Columns,
          class Unique, class Sums, class Count>
void reduce_by_key(const Exec& exec, ReduceWorkspace<MemorySpace>& workspace,
                   const Keys& sorted_keys, const Columns& columns,
                   const Unique& unique, const Sums& sums, const Count& count) {
  constexpr int rank = Impl::view_rank_v<Columns>;
  static_assert((rank == 1 || rank == 2) && Impl::view_rank_v<Sums> == rank,
                "Sporos::reduce_by_key: columns and sums must both have rank 1 "
                "or both rank 2");
  static_assert(std::is_same<typename Count::value_type, int>::value,
                "Sporos::reduce_by_key: count must hold int, and not const");
  static_assert(!std::is_const<typename Unique::value_type>::value &&
                    !std::is_const<typename Sums::value_type>::value,
                "Sporos::reduce_by_key: unique and sums must not be const");
  static_assert(
      Impl::is_accessible_v<Exec, Keys> &&
          Impl::is_accessible_v<Exec, Columns> &&
          Impl::is_accessible_v<Exec, Unique> &&
          Impl::is_accessible_v<Exec, Sums> &&
          Impl::is_accessible_v<Exec, Count> &&
          Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible,
      "Sporos::reduce_by_key: the execution space must reach all views and "
      "workspace");
  const std::size_t n        = sorted_keys.extent(0);
  constexpr const char* name = "Sporos::reduce_by_key";
  Impl::check(n < std::size_t(std::numeric_limits<int>::max()), name,
              "sorted_keys", "less than 2^31 - 1 entries", n);
  Impl::check(columns.extent(0) == n, name, "columns",
              Impl::text("extent(0) == ", n), columns.extent(0));
  Impl::check(unique.extent(0) >= n, name, "unique",
              Impl::text("extent(0) >= ", n), unique.extent(0));
  Impl::check(sums.extent(0) >= n, name, "sums", Impl::text("extent(0) >= ", n),
              sums.extent(0));
  Impl::check(sums.extent(1) == columns.extent(1), name, "sums",
              Impl::text("extent(1) == ", columns.extent(1)), sums.extent(1));
  Impl::check_memory(name, "sorted_keys", sorted_keys);
  Impl::check_memory(name, "columns", columns);
  Impl::check_written(name, "unique", unique);
  Impl::check_written(name, "sums", sums);
  Impl::check_written(name, "count", count);
  Impl::check_apart(name, "unique", unique, "sorted_keys", sorted_keys);
  Impl::check_apart(name, "unique", unique, "columns", columns);
  Impl::check_apart(name, "sums", sums, "sorted_keys", sorted_keys);
  Impl::check_apart(name, "sums", sums, "columns", columns);
  Impl::check_apart(name, "sums", sums, "unique", unique);
  Impl::check_apart(name, "count", count, "sorted_keys", sorted_keys);
  Impl::check_apart(name, "count", count, "columns", columns);
  Impl::check_apart(name, "count", count, "unique", unique);
  Impl::check_apart(name, "count", count, "sums", sums);
  const auto offsets = workspace.offsets.require(exec, n + 1);
  Impl::find_segments(exec, workspace, sorted_keys, offsets, count, unique);
  int first     = 0;
  const int end = rank == 1 ? 1 : static_cast<int>(columns.extent(1));
  if constexpr (rank == 2) {
    Impl::reduce_columns<8>(exec, workspace, offsets, count, columns, sums,
                            first, end);
    Impl::reduce_columns<4>(exec, workspace, offsets, count, columns, sums,
                            first, end);
    Impl::reduce_columns<2>(exec, workspace, offsets, count, columns, sums,
                            first, end);
  }
  Impl::reduce_columns<1>(exec, workspace, offsets, count, columns, sums, first,
                          end);
}

}  // namespace Sporos

#endif
