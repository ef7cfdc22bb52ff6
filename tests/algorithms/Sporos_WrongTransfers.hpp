// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Points, values and fields for wrong calls of particle-grid transfer, all of
/// them unmanaged, so that views without memory have the same types.

#ifndef SPOROS_WRONGTRANSFERS_HPP
#define SPOROS_WRONGTRANSFERS_HPP

#include "Sporos_WrongCalls.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Test {

using Right = Kokkos::LayoutRight;
using V1    = Kokkos::View<double*, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using V2 = Kokkos::View<double**, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using V3 = Kokkos::View<double***, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using TransferPlan = ParticleGridPlan<HostExec, 2, double, Cosine4>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity     = std::numeric_limits<double>::infinity();

/// Ten points on a grid of 8 x 6 cells, with walls in the first direction.
struct Points {
  std::vector<double> x_data = std::vector<double>(20), numbers;
  Grid<2> grid{{8, 6}, {{1., 1.}}, {{Boundary::wall, Boundary::periodic}}};
  HostExec exec{};
  V2 x{x_data.data(), 10, 2};

  Points() : numbers(600) {
    for (int i = 0; i < 10; ++i) {
      x(i, 0) = .73 * i;
      x(i, 1) = 1.1 * i;
    }
  }
  Points(const Points&)            = delete;
  Points& operator=(const Points&) = delete;

  /// Memory that nothing else uses; 600 numbers in all.
  double* take(std::size_t n) {
    used += n;
    return numbers.data() + used - n;
  }
  std::size_t used = 0;
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_WRONGTRANSFERS_HPP
