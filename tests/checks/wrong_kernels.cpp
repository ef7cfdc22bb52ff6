// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that do what they must not: with SPOROS_ENABLE_CHECKS the program
// ends and says why. The argument chooses the kernel.

#include <Sporos_ParLoop.hpp>

#include <cmath>
#include <cstring>

struct UsesComponent {
  int component;
  KOKKOS_FUNCTION void operator()(Sporos::ReadWrite<double, 2> a) const {
    a[component] += 1;
  }
};

/// 4 - e or e - 4 for elements 0, 1, ...: each is less than those before it.
struct Assigns {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::ElementIndex<Real> e,
                                  Sporos::Reduce<Real> least,
                                  Sporos::Reduce<Real> most,
                                  Sporos::GlobalRead<Real> sign) const {
    least[0] = (Real(4) - Sporos::index_as<Real>(e)) * sign[0];
    most[0]  = Sporos::max(most[0], least[0]);
  }
};

/// Loses a NaN that an earlier element has brought.
struct LosesNan {
  KOKKOS_FUNCTION void operator()(Sporos::Read<double, 2> a,
                                  Sporos::Reduce<double> most) const {
    most[0] = a[0] < most[0] ? most[0] : a[0];
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Exec = Kokkos::DefaultHostExecutionSpace;
  using Sporos::par_loop;
  const Exec exec{};
  const Sporos::Set cells("cells", 60);
  const Sporos::Dat<double, 2, Kokkos::LayoutRight, Exec::memory_space> x(
      "x", cells);
  const auto asked = [&](const char* name) {
    return argc > 1 && std::strcmp(argv[1], name) == 0;
  };
  double least = 9, most = -9;
  par_loop("right", exec, cells, UsesComponent{1}, Sporos::rw(x));
  if (asked("component"))
    par_loop("wrong", exec, cells, UsesComponent{2}, Sporos::rw(x));
  Sporos::LoopOptions packs;
  for (const bool with : {true, false}) {
    packs.packs = with && !asked("assign_numbers");
    par_loop("right", exec, cells, packs, Assigns{}, Sporos::element_index(),
             Sporos::min(least), Sporos::max(most), Sporos::read(1.));
    if (asked("assign") || asked("assign_numbers"))
      par_loop("wrong", exec, cells, packs, Assigns{}, Sporos::element_index(),
               Sporos::min(least), Sporos::max(most), Sporos::read(-1.));
  }
  x.view()(3, 0) = std::nan("");
  if (asked("nan"))
    par_loop("wrong", exec, cells, LosesNan{}, Sporos::read(x),
             Sporos::max(most));
  return asked("nothing") && least == -55 && most == 4 ? 0 : 1;
}
