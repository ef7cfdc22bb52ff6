// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that is compiled without Sporos::mpi.
#undef SPOROS_HAVE_MPI
#include <Sporos_ParLoop.hpp>

struct TakeLargest {
  KOKKOS_FUNCTION void operator()(Sporos::GlobalRead<double> value,
                                  Sporos::Reduce<double> largest) const {
    largest[0] = Sporos::max(largest[0], value[0]);
  }
};

double loop_in_one_process(const Sporos::Set& set) {
  double largest = 1;
  Sporos::par_loop("largest", set, TakeLargest{}, Sporos::read(2.),
                   Sporos::max(largest));
  return largest;
}
