// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_Options.hpp"
#include "Nufft_Run.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  try {
    const NufftApp::Options options = NufftApp::parse_options(argc, argv);
    if (options.help) {
      NufftApp::print_help(std::cout);
      return 0;
    }
    Kokkos::ScopeGuard kokkos(argc, argv);
    const NufftApp::Report report = NufftApp::run(options, std::cout);
    NufftApp::print(report, std::cout);
    const auto checks = NufftApp::checks(report);
    const bool ok     = std::all_of(checks.begin(), checks.end(),
                                    [](const auto& c) { return c.ok; });
    return options.check && !ok ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
