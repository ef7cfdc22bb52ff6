// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Options.hpp"
#include "Elasticity_Run.hpp"

#include <App_Main.hpp>

#include <memory>
#include <stdexcept>

#ifdef SPOROS_HAVE_MPI
#include "Elasticity_Ranks.hpp"
#endif

namespace {

/// The ranks of the job, if the build knows MPI.
std::unique_ptr<ElasticityApp::World> make_world(
    const ElasticityApp::Options& o) {
#ifdef SPOROS_HAVE_MPI
  const Sporos::Communicator comm(MPI_COMM_WORLD);
  if (comm.size() > 1 || o.any_ranks)
    return ElasticityApp::make_world_of_ranks(comm, o.any_ranks);
#else
  if (o.any_ranks)
    throw std::invalid_argument(
        "elasticity: --any-ranks: this build is without MPI");
#endif
  return ElasticityApp::make_world_of_one();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ElasticityApp;
  return AppCommon::run_main(
      argc, argv, parse_options, print_help, [](const Options& options) {
        const auto world = make_world(options);
        return AppCommon::print_and_check(run(*world, options));
      });
}
