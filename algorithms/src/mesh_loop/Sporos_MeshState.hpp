// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHSTATE_HPP
#define SPOROS_MESHSTATE_HPP

/// \file Sporos_MeshState.hpp
/// What handles of sets and maps share, copies between host arrays and device
/// views, and the range check of maps. Users include Sporos_Mesh.hpp.

#include <Sporos_Error.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Plans of loops over a set, whatever their execution space.
struct CachedPlan {
  virtual ~CachedPlan() = default;
};

struct SetState {
  std::string name;
  int size = 0;
  /// Plans of loops over this set (see LoopPlan): they live as long as the set
  std::vector<std::shared_ptr<CachedPlan>> plans;
};

/// A map's name, sizes and version, whatever its memory space.
struct MapState {
  std::string name;
  std::shared_ptr<SetState> from, to;
  int arity             = 0;
  std::uint64_t version = 1;
};

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

template <class View, class I>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) entry(const View& view, I i, I c) {
  if constexpr (view_rank_v<View> == 1)
    return view(i);
  else
    return view(i, c);
}

template <class View>
constexpr bool is_on_host_v =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                               typename View::memory_space>::accessible;

/// What the host can read of view: itself or a copy; waits for it.
template <class View>
auto on_host(const View& view) {
  const typename View::execution_space exec{};
  if constexpr (is_on_host_v<View>) {
    fence(exec, "Sporos::on_host");
    return view;
  } else {
    auto host = Kokkos::create_mirror(view);
    Kokkos::deep_copy(exec, host, view);
    fence(exec, "Sporos::on_host");
    return host;
  }
}

/// Copies value(i, c), a function of the host, to target(i, c); waits for it.
template <class View, class Value>
void fill_from_host(const View& target, const Value& value) {
  const typename View::execution_space exec{};
  const auto fill = [&](const auto& host) {
    for (std::size_t i = 0; i < target.extent(0); ++i)
      for (std::size_t c = 0; c < target.extent(1); ++c)
        host(i, c) = value(i, c);
  };
  fence(exec, "Sporos::fill_from_host");
  if constexpr (is_on_host_v<View>) {
    fill(target);
  } else {
    const auto host = Kokkos::create_mirror(target);
    fill(host);
    Kokkos::deep_copy(exec, target, host);
    fence(exec, "Sporos::fill_from_host");
  }
}

/// A new view with values from a host array, row by row.
template <class View, class T>
View view_of_rows(const std::string& label, std::size_t n, std::size_t columns,
                  const std::vector<T>& rows) {
  View view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n, columns);
  fill_from_host(view, [&](std::size_t i, std::size_t c) {
    return rows[i * columns + c];
  });
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
/// memory.
template <class Target, class Source>
Target adopt_view(const std::string& label, const Source& source) {
  if constexpr (can_share_v<Target, Source>) {
    const Target same(source);
    if (is_packed(same)) return same;
  }
  using Value         = typename Target::value_type;
  const auto labels   = Kokkos::view_alloc(Kokkos::WithoutInitializing, label);
  const Target target = [&] {
    if constexpr (std::is_same_v<typename Target::data_type, Value**>)
      return Target(labels, source.extent(0), column_count(source));
    else  // a constant number of columns
      return Target(labels, source.extent(0));
  }();
  const auto host = on_host(source);
  fill_from_host(
      target, [&](std::size_t i, std::size_t c) { return entry(host, i, c); });
  return target;
}

/// The first entry of a map that is out of range, in row-major order.
template <class Entries>
struct FirstOutOfRange {
  Entries entries;
  int size;
  using value_type = std::int64_t;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& first) const {
    const auto arity = std::int64_t(entries.extent(1));
    const int t      = entries(k / arity, k % arity);
    if ((t < 0 || t >= size) && k < first) first = k;
  }
};

/// Throws std::invalid_argument that names the first entry out of [0, size).
template <class Entries>
void check_map_range(const std::string& name, const Entries& entries,
                     const SetState& from, const SetState& to) {
  using Exec       = typename Entries::execution_space;
  using Range      = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  const auto arity = std::int64_t(entries.extent(1));
  const auto n     = std::int64_t(entries.extent(0)) * arity;
  if (n == 0) return;
  const Exec exec{};
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  Kokkos::parallel_reduce("Sporos::Map::check_range", Range(exec, 0, n),
                          FirstOutOfRange<Entries>{entries, to.size},
                          Kokkos::Min<std::int64_t>(first));
  fence(exec, "Sporos::Map::check_range");
  if (first >= n) return;
  const auto e    = first / arity;
  const auto i    = first % arity;
  const auto host = on_host(entries);
  throw_invalid("Sporos::Map", name.c_str(),
                text("entries in [0, ", to.size, ") of the set ", to.name),
                host(e, i), " at element ", e, " of ", from.name, ", index ",
                i);
}

}  // namespace Impl
}  // namespace Sporos

#endif
