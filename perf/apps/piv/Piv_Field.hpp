// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_FIELD_HPP
#define SPOROS_PIV_FIELD_HPP

/// \file Piv_Field.hpp
/// Images and vectors in the memory of the execution space.

#include "Piv_Vectors.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace PivApp {

using Exec   = Kokkos::DefaultExecutionSpace;
using Pixels = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;
/// Two numbers of each window.
using Couples = Kokkos::View<double* [2], Kokkos::LayoutRight, Exec>;
using Marks   = Kokkos::View<Status*, Kokkos::LayoutRight, Exec>;

template <class View, class... Extents>
View allocated(const char* name, Extents... extents) {
  return View(
      Kokkos::view_alloc(std::string(name), Kokkos::WithoutInitializing),
      extents...);
}

/// Calls functor(k) for k from 0 to count - 1.
template <class Functor>
void for_each(const char* label, const Exec& exec, std::int64_t count,
              const Functor& functor) {
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0,
                                                                 count),
      functor);
}

/// One displacement per window, see Vectors.
struct Field {
  explicit Field(const WindowGrid& g)
      : grid(g),
        moves(allocated<Couples>("piv::moves", g.size())),
        quality(allocated<Couples>("piv::quality", g.size())),
        status(allocated<Marks>("piv::status", g.size())) {}

  WindowGrid grid;
  Couples moves;    ///< (dy, dx), pixels
  Couples quality;  ///< height of the peak, ratio to the next one
  Marks status;
};

/// Waits for exec.
Vectors vectors_of(const Exec& exec, const Field& field);

}  // namespace PivApp

#endif
