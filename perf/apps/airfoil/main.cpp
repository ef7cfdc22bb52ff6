// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Options.hpp"
#include "Airfoil_Run.hpp"

#include <Kokkos_Core.hpp>

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  try {
    const AirfoilApp::Options options = AirfoilApp::parse_options(argc, argv);
    if (options.help) {
      AirfoilApp::print_help(std::cout);
      return 0;
    }
    Kokkos::ScopeGuard kokkos(argc, argv);
    const bool ok = AirfoilApp::run(options, std::cout);
    return options.check && !ok ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
