// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Options.hpp"
#include "Membrane_Run.hpp"

#include <App_Main.hpp>

int main(int argc, char** argv) {
  using namespace MembraneApp;
  return AppCommon::run_main(
      argc, argv, parse_options, print_help, [](const Options& options) {
        return AppCommon::print_and_check(run(options, std::cout));
      });
}
