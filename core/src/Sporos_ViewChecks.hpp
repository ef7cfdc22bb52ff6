// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_VIEWCHECKS_HPP
#define SPOROS_VIEWCHECKS_HPP

/// \file Sporos_ViewChecks.hpp
/// Checks of the memory of views: a view has memory, and an output does not
/// overlap an input. They use pointers, extents and strides on the host; their
/// time does not depend on the extents.

#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// The memory of the elements of a view, in bytes.
struct Footprint {
  std::uintptr_t begin = 0;
  std::size_t element  = 0;      ///< size of an element
  bool empty           = false;  ///< no elements
  int rank             = 0;      ///< of count and step: extents above 1 only
  std::size_t count[8] = {};     ///< extents
  std::size_t step[8]  = {};     ///< strides

  /// Bytes from the first to the end of the last element. Ignores steps that
  /// are multiples of `period`; with 0 none.
  std::size_t width(std::size_t period) const {
    std::size_t sum = element;
    for (int d = 0; d < rank; ++d)
      if (period == 0 || step[d] % period != 0) sum += (count[d] - 1) * step[d];
    return sum;
  }
  bool operator==(const Footprint& o) const {
    return begin == o.begin && element == o.element && empty == o.empty &&
           rank == o.rank && std::equal(count, count + rank, o.count) &&
           std::equal(step, step + rank, o.step);
  }
};

/// May a View of rank 2 have so many columns? Not if its type has others.
template <class View, int Columns>
constexpr bool has_columns_v = view_rank_v<View> != 2 ||
                               View::static_extent(1) == 0 ||
                               View::static_extent(1) == std::size_t(Columns);

/// Not by size(), which is 0 in Kokkos 5 for views without memory.
template <class View>
bool has_elements(const View& view) {
  for (int d = 0; d < view_rank_v<View>; ++d)
    if (view.extent(d) == 0) return false;
  return true;
}

template <class View>
Footprint footprint(const View& view) {
  Footprint f;
  f.begin   = reinterpret_cast<std::uintptr_t>(view.data());
  f.element = sizeof(typename View::value_type);
  f.empty   = !has_elements(view);
  for (int d = 0; d < view_rank_v<View>; ++d) {
    const std::size_t extent = view.extent(d);
    if (extent < 2) continue;
    f.count[f.rank]  = extent;
    f.step[f.rank++] = std::size_t(view.stride(d)) * f.element;
  }
  return f;
}

/// Do a and b occupy separate ranges modulo `period`, as columns of one array
/// or blocks of columns do?
[[gnu::cold]] inline bool lie_beside(const Footprint& a, const Footprint& b,
                                     std::size_t period) {
  const std::size_t wa = a.width(period), wb = b.width(period);
  if (period == 0 || wa > period || wb > period) return false;
  const std::size_t shift =
      b.begin >= a.begin ? std::size_t(b.begin - a.begin) % period
                         : period - std::size_t(a.begin - b.begin) % period;
  return shift % period >= wa && shift % period + wb <= period;
}

/// May a and b share an element? Returns true if the strides leave it open.
inline bool may_overlap(const Footprint& a, const Footprint& b) {
  if (a.empty || b.empty || a.begin + a.width(0) <= b.begin ||
      b.begin + b.width(0) <= a.begin)
    return false;
  for (const Footprint* f : {&a, &b})
    for (int d = 0; d < f->rank; ++d)
      if (lie_beside(a, b, f->step[d])) return false;
  return true;
}

/// Throws for a view with elements but without memory.
template <class View>
void check_memory(const char* function, const char* argument,
                  const View& view) {
  check(view.data() != nullptr || !has_elements(view), function, argument,
        text("memory for extents ", extents(view)), "a null pointer");
}

/// Throws if an input and an output share memory.
template <class View, class Written>
void check_apart(const char* function, const char* argument,
                 const Written& written, const char* other, const View& view) {
  check(!may_overlap(footprint(written), footprint(view)), function, argument,
        text("memory separate from that of ", other),
        "memory that overlaps it");
}

/// Throws unless an output has memory and a separate element for each index:
/// each stride is beyond all that the dimensions of smaller strides reach.
template <class View>
void check_written(const char* function, const char* argument,
                   const View& view) {
  constexpr int rank = view_rank_v<View>;
  check_memory(function, argument, view);
  if (!has_elements(view)) return;
  for (int d = 0; d < rank; ++d) {
    const auto stride = std::size_t(view.stride(d));
    std::size_t reach = 0;
    for (int e = 0; e < rank; ++e) {
      const auto other = std::size_t(view.stride(e));
      if (other < stride || (other == stride && e < d))
        reach += (view.extent(e) - 1) * other;
    }
    check(view.extent(d) < 2 || stride > reach, function, argument,
          "a separate element for each index",
          text("stride(", d, ") == ", stride, " for extents ", extents(view)));
  }
}

/// Throws unless an instance is on the device that has the memory of a plan.
template <class Exec>
void check_device(const char* function, const Exec& exec, int device) {
  check(device_of(exec) == device, function, "exec",
        text("an instance on device ", device, ", as the plan is"),
        text("one on device ", device_of(exec)));
}

}  // namespace Impl
}  // namespace Sporos

#endif
