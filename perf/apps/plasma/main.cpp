// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Options.hpp"
#include "Plasma_Run.hpp"

#include <App_Main.hpp>

#include <memory>
#include <stdexcept>

#ifdef SPOROS_HAVE_FFTW_MPI
#include "Plasma_Ranks.hpp"
#endif

namespace {

/// The ranks of the job, if the build knows FFTW-MPI.
std::unique_ptr<PlasmaApp::World> make_world(const PlasmaApp::Options& o) {
  const PlasmaApp::Setup setup(o);
#ifdef SPOROS_HAVE_FFTW_MPI
  const Sporos::Communicator comm(MPI_COMM_WORLD);
  if (comm.size() > 1 || o.any_ranks)
    return PlasmaApp::make_world_of_ranks(comm, setup, o.any_ranks);
#else
  if (o.any_ranks)
    throw std::invalid_argument(
        "plasma: --any-ranks: this build is without FFTW-MPI");
#endif
  return PlasmaApp::make_world_of_one(setup);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace PlasmaApp;
  return AppCommon::run_main(
      argc, argv, parse_options, print_help, [](const Options& options) {
        const auto world = make_world(options);
        return AppCommon::print_and_check(run(*world, options));
      });
}
