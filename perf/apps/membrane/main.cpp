// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Options.hpp"
#include "Membrane_Run.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  try {
    const MembraneApp::Options options = MembraneApp::parse_options(argc, argv);
    if (options.help) {
      MembraneApp::print_help(std::cout);
      return 0;
    }
    Kokkos::ScopeGuard kokkos(argc, argv);
    const MembraneApp::Report report = MembraneApp::run(options, std::cout);
    MembraneApp::print(report, std::cout);
    const auto checks = MembraneApp::checks(report);
    const bool ok     = std::all_of(checks.begin(), checks.end(),
                                    [](const auto& c) { return c.ok; });
    return options.check && !ok ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
