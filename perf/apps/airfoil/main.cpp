// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Options.hpp"
#include "Airfoil_Run.hpp"

#include <App_Main.hpp>

int main(int argc, char** argv) {
  using namespace AirfoilApp;
  return AppCommon::run_main(
      argc, argv, parse_options, print_help,
      [](const Options& options) { return run(options, std::cout); });
}
