// expects: Sporos: Dim of a non-uniform FFT must be 1, 2 or 3
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_NufftType3.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

constexpr auto refused =
    sizeof(Sporos::NufftType3Plan<Exec, 4, double, Sporos::NufftWidths<4>>);
