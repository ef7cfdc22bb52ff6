// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Options.hpp"
#include "Plasma_Run.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  try {
    const PlasmaApp::Options options = PlasmaApp::parse_options(argc, argv);
    if (options.help) {
      PlasmaApp::print_help(std::cout);
      return 0;
    }
    Kokkos::ScopeGuard kokkos(argc, argv);
    const auto world = PlasmaApp::make_world_of_one(PlasmaApp::Setup(options));
    const PlasmaApp::Report report = PlasmaApp::run(*world, options);
    PlasmaApp::print(report, std::cout);
    const auto checks = PlasmaApp::checks(report);
    const bool ok     = std::all_of(checks.begin(), checks.end(),
                                    [](const auto& c) { return c.ok; });
    return options.check && !ok ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
