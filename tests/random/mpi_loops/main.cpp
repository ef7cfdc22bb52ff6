// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random chains of mesh loops on MPI ranks. Judged by plain serial loops over
// the whole mesh; with any_ranks also by the bits of one rank and one process.
// Meshes in HDF5 files.
#include "Sporos_Loops.hpp"
#include "Sporos_RandomRanks.hpp"

#include <mpi/Sporos_LongestMessage.hpp>

#include <string>

namespace {

using namespace Sporos;
using namespace Sporos::Test;

void run_chain(LoopChain& chain) {
  RandomCase& random = chain.random;
  for (int steps = random.integer(1, 12); steps > 0; --steps) {
    bool found = false;
    for (int tries = 0; !found && tries < 8; ++tries)
      switch (random.integer(0, 7)) {
        case 0:
        case 1: found = loops_of_double(chain); break;
        case 2: found = loops_of_float(chain); break;
        case 3: found = loops_of_unsigned(chain); break;
        case 4: found = direct_loops(chain); break;
        case 5: found = loops_at_one_index(chain); break;
        case 6: found = matrix_loops(chain); break;
        default: found = writing_loops(chain);
      }
    if (random.chance(15)) chain.check_all();
    if (random.chance(10))
      chain.refill(DatName<double, 2, Kokkos::LayoutRight>{
          random.integer(0, int(chain.mesh.sizes.size()) - 1),
          random.integer(0, 2)});
  }
  chain.check_all();
}

std::string chain_of_loops(RandomCase& random) {
  const Communicator comm     = random_ranks(random);
  RandomMesh mesh             = random_mesh(random, comm.size());
  const int bits              = random.integer(0, 2);
  mesh.deal.options.any_ranks = bits == 2;
  const LongestMessage pieces(random.chance(20) ? 24 : std::size_t(1) << 30);
  LoopChain chain(random, mesh, bits > 0);
  chain.did(mesh.describe());
  using Form = MeshSide::Form;
  chain.sides.emplace_back(Form::ranks, comm, mesh);
  if (bits > 0 || random.chance(30)) {
    const Communicator self(MPI_COMM_SELF);
    chain.sides.emplace_back(Form::alone, self, mesh);
    chain.sides.emplace_back(Form::whole, self, mesh);
  } else if (random.chance(50)) {
    chain.sides.emplace_back(Form::ranks, comm, mesh);
    chain.bits = true;  // on the same ranks always
  }
  run_chain(chain);
  return chain.wrong();
}

std::string one_case(RandomCase& random) {
  const int kind = random.integer(1, 100);
  if (kind <= 15) return refusals(random, random_ranks(random));
  if (kind <= 30) return random_files(random, random_ranks(random));
  return chain_of_loops(random);
}

}  // namespace

int main(int argc, char* argv[]) {
  return random_main_on_ranks("random_mpi_loops", one_case, argc, argv);
}
