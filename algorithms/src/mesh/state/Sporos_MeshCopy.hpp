// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHCOPY_HPP
#define SPOROS_MESHCOPY_HPP

/// \file Sporos_MeshCopy.hpp
/// Copies of entries and values between host arrays and views of any layout,
/// strides and memory space. Users include Sporos_Mesh.hpp.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Has View the strides of a packed array of its layout?
template <class View>
bool is_packed(const View& view) {
  using Layout = typename View::array_layout;
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>)
    return view.stride(1) == 1 &&
           (view.extent(0) < 2 || view.stride(0) == view.extent(1));
  else if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>)
    return view.stride(0) == 1;
  else
    return true;
}

/// Shape (n, columns) of a source of values: a rank-1 view counts as one
/// column.
template <class View>
std::size_t column_count(const View& view) {
  if constexpr (view_rank_v<View> == 1)
    return 1;
  else
    return view.extent(1);
}

template <class View>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) entry(const View& view,
                                                 std::size_t i, std::size_t c) {
  if constexpr (view_rank_v<View> == 1)
    return view(i);
  else
    return view(i, c);
}

template <class View>
constexpr bool is_on_host_v =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                               typename View::memory_space>::accessible;

/// target(i, c) = source(i, c)
template <class Target, class Source>
struct CopyEntries {
  Target target;
  Source source;
  std::size_t columns;

  KOKKOS_FUNCTION void operator()(int i) const {
    using Value = typename Target::non_const_value_type;
    for (std::size_t c = 0; c < columns; ++c)
      entry(target, std::size_t(i), c) =
          static_cast<Value>(entry(source, std::size_t(i), c));
  }
};

/// The type of contiguous views with the values and rank of Like.
template <class Like, class Layout, class Memory>
using PackedLike =
    Kokkos::View<std::conditional_t<view_rank_v<Like> == 1,
                                    typename Like::non_const_value_type*,
                                    typename Like::non_const_value_type**>,
                 Layout, Memory>;

/// A new view with all of `n` rows on the device of exec; what it holds is not
/// set.
template <class View, class Exec>
[[gnu::cold, gnu::noinline]] View new_rows(const Exec& exec,
                                           const std::string& label,
                                           std::size_t n, std::size_t columns) {
  using Value = typename View::value_type;
  if constexpr (std::is_same_v<typename View::data_type, Value**>)
    return new_view<View>(exec, label, n, columns);
  else  // rank 1, or a constant number of columns
    return new_view<View>(exec, label, n);
}

/// `view` itself if it is a Packed, else a new one of its shape.
template <class Packed, class Exec, class View>
[[gnu::cold]] Packed itself_or_new(const Exec& exec, const View& view) {
  if constexpr (std::is_same_v<typename View::value_type,
                               typename Packed::value_type> &&
                std::is_same_v<typename View::array_layout,
                               typename Packed::array_layout> &&
                view_rank_v<View> == view_rank_v<Packed>)
    if (view.span_is_contiguous()) return Packed(view);
  return new_rows<Packed>(exec, "Sporos::Mesh::packed", view.extent(0),
                          column_count(view));
}

/// Copies source(i, c) to target(i, c): in exec, asynchronously, if kernels of
/// it reach both; else it waits, for exec first. Between memories that no
/// kernel reaches both of go contiguous copies, packed and unpacked by kernels
/// on either side: in exec on the side that it reaches, in the default instance
/// on the other.
template <class Exec, class Target, class Source>
void copy_entries(const Exec& exec, const Target& target,
                  const Source& source) {
  constexpr const char* label = "Sporos::Mesh::copy_entries";
  if constexpr (is_accessible_v<Exec, Target> &&
                is_accessible_v<Exec, Source>) {
    for_each_index(
        label,
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
            exec, 0, int(source.extent(0))),
        CopyEntries<Target, Source>{target, source, column_count(source)});
  } else {
    using Layout = std::conditional_t<
        std::is_same_v<typename Target::array_layout, Kokkos::LayoutStride>,
        Kokkos::LayoutRight, typename Target::array_layout>;
    const auto from_exec = instance_for<Source>(exec);
    const auto to_exec   = instance_for<Target>(exec);
    const auto from      = itself_or_new<
        PackedLike<Target, Layout, typename Source::memory_space>>(from_exec,
                                                                   source);
    const auto to = itself_or_new<
        PackedLike<Target, Layout, typename Target::memory_space>>(to_exec,
                                                                   target);
    fence(exec, label);
    if (static_cast<const void*>(from.data()) != source.data())
      copy_entries(from_exec, from, source);
    fence(from_exec, label);
    if constexpr (is_on_host_v<Target>) {
      Kokkos::deep_copy(from_exec, to, from);
      fence(from_exec, label);
    } else {
      Kokkos::deep_copy(to_exec, to, from);
    }
    if (to.data() != target.data()) copy_entries(to_exec, target, to);
    fence(to_exec, label);
  }
}

/// What the host can read of view: itself or a copy, made in exec; waits for
/// exec.
template <class Exec, class View>
auto on_host(const Exec& exec, const View& view) {
  fence(exec, "Sporos::on_host");
  if constexpr (is_on_host_v<View>) {
    return view;
  } else {
    using Layout = std::conditional_t<
        std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>,
        Kokkos::LayoutRight, typename View::array_layout>;
    const auto space = instance_for<View>(exec);
    const auto host  = new_rows<PackedLike<View, Layout, Kokkos::HostSpace>>(
        space, "Sporos::on_host", view.extent(0), column_count(view));
    copy_entries(space, host, view);
    return host;
  }
}
/// What the host can read of view: itself or a copy, made in the default
/// instance, for which it waits.
template <class View>
auto on_host(const View& view) {
  return on_host(typename View::execution_space{}, view);
}

/// The default instance in which Target is filled from a source: a View, for
/// whose default instance this waits first, or a host array.
template <class Target, class Source>
typename Target::execution_space default_instance(const Source&) {
  if constexpr (Kokkos::is_view<Source>::value)
    fence(typename Source::execution_space{}, "Sporos::Mesh::default_instance");
  return {};
}

/// An array of n rows in memory of the host.
template <class T>
struct RowTable {
  T* data;
  std::ptrdiff_t row_stride, column_stride;
  std::size_t n, columns;
};
template <class View>
auto row_table(const View& view) {
  using Table = RowTable<typename View::value_type>;
  return Table{view.data(), std::ptrdiff_t(view.stride(0)),
               std::ptrdiff_t(view.stride(1)), view.extent(0), view.extent(1)};
}

/// Copies values row by row to a table.
template <class T, class Iterator>
[[gnu::noinline]] void fill_table(const RowTable<T>& to, Iterator value) {
  for (std::size_t i = 0; i < to.n; ++i)
    for (std::size_t c = 0; c < to.columns; ++c)
      to.data[std::ptrdiff_t(i) * to.row_stride +
              std::ptrdiff_t(c) * to.column_stride] = T(*value++);
}

/// Copies a table to values row by row.
template <class T>
[[gnu::noinline]] std::vector<std::remove_const_t<T>> rows_of(
    const RowTable<T>& from) {
  std::vector<std::remove_const_t<T>> rows(from.n * from.columns);
  auto to = rows.begin();
  for (std::size_t i = 0; i < from.n; ++i)
    for (std::size_t c = 0; c < from.columns; ++c)
      *to++ = from.data[std::ptrdiff_t(i) * from.row_stride +
                        std::ptrdiff_t(c) * from.column_stride];
  return rows;
}

/// Copies a host array, row by row, to a View of rank 2, in exec, for which it
/// waits first.
template <class Exec, class View, class T>
[[gnu::cold]] void fill_from_host(const Exec& exec, const View& target,
                                  const std::vector<T>& rows) {
  const auto space = instance_for<View>(exec);
  fence(space, "Sporos::fill_from_host");
  if constexpr (is_on_host_v<View>) {
    fill_table(row_table(target), rows.begin());
  } else {
    const auto host = new_rows<
        PackedLike<View, typename View::array_layout, Kokkos::HostSpace>>(
        space, "Sporos::fill_from_host", target.extent(0), target.extent(1));
    fill_table(row_table(host), rows.begin());
    copy_entries(space, target, host);
  }
}

/// A new view on the device of exec with values from a host array, row by row.
template <class View, class Exec, class T>
[[gnu::cold]] View view_of_rows(const Exec& exec, const std::string& label,
                                std::size_t n, std::size_t columns,
                                const std::vector<T>& rows) {
  const View view = new_rows<View>(exec, label, n, columns);
  fill_from_host(exec, view, rows);
  return view;
}

/// Can a Target stand for the same memory as a Source with the same extents?
/// Kokkos says so of some other layouts and spaces, too, and then ends the
/// program, or does not compile.
template <class Target, class Source>
constexpr bool can_share_v =
    std::is_constructible_v<Target, const Source&>&& std::is_same_v<
        typename Target::array_layout, typename Source::array_layout>&&
        Kokkos::SpaceAccessibility<typename Target::memory_space,
                                   typename Source::memory_space>::assignable;

/// `source` itself where that is possible, else a copy in Target's layout and
/// memory, made as copy_entries does.
template <class Target, class Exec, class Source>
[[gnu::cold]] Target adopt_view(const Exec& exec, const std::string& label,
                                const Source& source) {
  if constexpr (can_share_v<Target, Source>) {
    const Target same(source);
    if (is_packed(same)) return same;
  }
  const Target target =
      new_rows<Target>(exec, label, source.extent(0), column_count(source));
  copy_entries(exec, target, source);
  return target;
}

/// Lets a target of one column stand for a packed source of rank 1, whose
/// memory `owner` keeps then. Returns whether it does.
template <class Target, class Source>
bool share_column(const Source& source, Target& target,
                  std::shared_ptr<const void>& owner) {
  if constexpr (view_rank_v<Source> == 1 &&
                std::is_same_v<typename Target::value_type,
                               typename Source::value_type> &&
                Kokkos::SpaceAccessibility<
                    typename Target::memory_space,
                    typename Source::memory_space>::assignable) {
    if (source.extent(0) > 1 && source.stride(0) != 1) return false;
    owner       = std::make_shared<Source>(source);
    using Value = typename Target::value_type;
    if constexpr (std::is_same_v<typename Target::data_type, Value**>)
      target = Target(source.data(), source.extent(0), 1);
    else
      target = Target(source.data(), source.extent(0));
    return true;
  }
  return false;
}

}  // namespace Impl
}  // namespace Sporos

#endif
