// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices of blocks, and with missing entries, whose positions are searched
// for.

#include "Sporos_SearchCases.hpp"

namespace MatrixSearchBlocks {

using namespace Sporos;
using namespace Sporos::Test;

TEMPLATE_LIST_TEST_CASE("searched positions of missing entries, all strategies",
                        "[matrix]", Spaces) {
  check_strategies<TestType, float, 2, 3, 3, 2, true>(500, 40, 90, 9);
}

TEMPLATE_LIST_TEST_CASE("searched positions of blocks, subsets and ranges",
                        "[matrix]", Spaces) {
  check_blocks<TestType, double, 2, 3, 6, 6>(50, 30, 11, 4);
  check_blocks<TestType, float, 1, 2, 5, 1>(90, 30, 1, 5);
  check_blocks<TestType, Kokkos::complex<double>, 3, 1, 1, 4, true>(70, 9, 20,
                                                                    3);
  for (const int n : {0, 1, 2, 700})
    check_blocks<TestType, double, 3, 3, 1, 1>(n, n / 3 + 1, n / 2 + 1, 6);
  check_blocks<TestType, double, 3, 3, 1, 1>(900, 1, 1, 7);  // one entry
}

}  // namespace MatrixSearchBlocks
