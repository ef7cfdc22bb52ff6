// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Options.hpp"
#include "Plasma_Run.hpp"

#include <App_Main.hpp>

int main(int argc, char** argv) {
  using namespace PlasmaApp;
  return AppCommon::run_main(
      argc, argv, parse_options, print_help, [](const Options& options) {
        const auto world = make_world_of_one(Setup(options));
        return AppCommon::print_and_check(run(*world, options));
      });
}
