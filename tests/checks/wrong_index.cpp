// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel that uses component 2 of 2: with SPOROS_ENABLE_CHECKS the program
// ends and says why.

#include <Sporos_ParLoop.hpp>

struct UsesTooMuch {
  int component;
  KOKKOS_FUNCTION void operator()(Sporos::ReadWrite<double, 2> a) const {
    a[component] += 1;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const Sporos::Set cells("cells", 5);
  const Sporos::Dat<double, 2, Kokkos::LayoutRight, Exec::memory_space> x(
      "x", cells);
  Sporos::par_loop("right", Exec{}, cells, UsesTooMuch{1}, Sporos::rw(x));
  Sporos::par_loop("wrong", Exec{}, cells, UsesTooMuch{2}, Sporos::rw(x));
}
