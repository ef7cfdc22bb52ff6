// expects: Sporos::Grid: Dim must be 1, 2 or 3
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Grid.hpp>

void refused() { Sporos::Grid<4>({8, 8, 8, 8}, 1.); }
