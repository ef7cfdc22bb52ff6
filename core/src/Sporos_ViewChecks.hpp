// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Preconditions on the memory of views: that there is some, and that what is
/// written lies apart from what is read. From pointers, extents and strides
/// alone, on the host, in a time that does not depend on the extents.

#ifndef SPOROS_VIEWCHECKS_HPP
#define SPOROS_VIEWCHECKS_HPP

#include "Sporos_Error.hpp"
#include "Sporos_KokkosCompat.hpp"

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Where the elements of a view lie, in bytes.
struct Footprint {
  std::uintptr_t begin = 0;
  std::size_t element  = 0;      ///< size of an element
  bool empty           = false;  ///< no elements
  int rank             = 0;      ///< of what follows: extents above 1 only
  std::size_t count[8] = {};     ///< extents
  std::size_t step[8]  = {};     ///< strides

  /// From the first byte to the end of the last element; steps that are whole
  /// multiples of `period` count as none, with 0 all count.
  std::size_t width(std::size_t period) const {
    std::size_t sum = element;
    for (int d = 0; d < rank; ++d)
      if (period == 0 || step[d] % period != 0) sum += (count[d] - 1) * step[d];
    return sum;
  }
};

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

/// Modulo `period`, do a and b keep to ranges of their own? So do columns of
/// one array, and blocks of columns.
inline bool lie_beside(const Footprint& a, const Footprint& b,
                       std::size_t period) {
  const std::size_t wa = a.width(period), wb = b.width(period);
  if (period == 0 || wa > period || wb > period) return false;
  const std::size_t shift =
      b.begin >= a.begin ? std::size_t(b.begin - a.begin) % period
                         : period - std::size_t(a.begin - b.begin) % period;
  return shift % period >= wa && shift % period + wb <= period;
}

/// Can an element of a be one of b? Says yes where strides do not tell.
inline bool may_overlap(const Footprint& a, const Footprint& b) {
  if (a.empty || b.empty || a.begin + a.width(0) <= b.begin ||
      b.begin + b.width(0) <= a.begin)
    return false;
  for (const Footprint* f : {&a, &b})
    for (int d = 0; d < f->rank; ++d)
      if (lie_beside(a, b, f->step[d])) return false;
  return true;
}

/// Throws unless a view that has elements has memory for them.
template <class View>
void check_memory(const char* function, const char* argument,
                  const View& view) {
  check(view.data() != nullptr || !has_elements(view), function, argument,
        text("memory for extents ", extents(view)), "a null pointer");
}

/// Throws if a view and what is written share memory.
template <class View, class Written>
void check_apart(const char* function, const char* argument,
                 const Written& written, const char* other, const View& view) {
  check(!may_overlap(footprint(written), footprint(view)), function, argument,
        text("memory apart from that of ", other), "memory that overlaps it");
}

/// Throws unless a view that is written has memory, an element for each index.
template <class View>
void check_written(const char* function, const char* argument,
                   const View& view) {
  check_memory(function, argument, view);
  for (int d = 0; d < view_rank_v<View>; ++d)
    check(view.extent(d) < 2 || view.stride(d) > 0 || !has_elements(view),
          function, argument, "an element of its own for each index",
          text("stride(", d, ") == 0 for extents ", extents(view)));
}

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_VIEWCHECKS_HPP
