// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Options.hpp"
#include "Piv_Run.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  try {
    const PivApp::Options options = PivApp::parse_options(argc, argv);
    if (options.help) {
      PivApp::print_help(std::cout);
      return 0;
    }
    Kokkos::ScopeGuard kokkos(argc, argv);
    const PivApp::Report report = PivApp::run(options, std::cout);
    PivApp::print(report, std::cout);
    const auto checks = PivApp::checks(report);
    const bool ok     = std::all_of(checks.begin(), checks.end(),
                                    [](const auto& c) { return c.ok; });
    return options.check && !ok ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
