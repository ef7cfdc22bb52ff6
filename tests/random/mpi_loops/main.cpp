// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random chains of mesh loops on MPI ranks. Judged by plain serial loops over
// the whole mesh; with any_ranks also by the bits of one rank and one process.
#include "Sporos_Loops.hpp"

#include <mpi/Sporos_CaseEnd.hpp>
#include <mpi/Sporos_LongestMessage.hpp>

#include <unistd.h>

#include <csignal>

namespace {

using namespace Sporos;
using namespace Sporos::Test;

/// Random ranks of the world, or some of them: the caller's communicator.
Communicator random_ranks(RandomCase& random) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int groups = random.chance(20) ? 2 : 1;
  const int key    = random.chance(20) ? -rank : rank;
  MPI_Comm comm    = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % groups, key, &comm);
  const Communicator ranks(comm);
  MPI_Comm_free(&comm);
  return ranks;
}

void run_chain(LoopChain& chain) {
  RandomCase& random = chain.random;
  for (int steps = random.integer(1, 12); steps > 0; --steps) {
    bool found = false;
    for (int tries = 0; !found && tries < 8; ++tries)
      switch (random.integer(0, 6)) {
        case 0:
        case 1: found = loops_of_double(chain); break;
        case 2: found = loops_of_float(chain); break;
        case 3: found = loops_of_unsigned(chain); break;
        case 4: found = direct_loops(chain); break;
        case 5: found = loops_at_one_index(chain); break;
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
  if (!random.chance(15)) return chain_of_loops(random);
  return refusals(random, random_ranks(random));
}

/// The text of the lowest rank that has one, on all ranks. All come here, or
/// the job ends with the text of a rank that waits.
std::string text_of_all(const std::string& mine, const CaseEnd& end) {
  end.wait(mine.empty() ? "a random case" : mine);
  const Communicator world(MPI_COMM_WORLD);
  int first = mine.empty() ? world.size() : world.rank();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == world.size()) return {};
  const std::string text =
      Sporos::Impl::text_of_rank(world, "one case", first, mine);
  return world.rank() == first ? text
                               : "the case of rank " + std::to_string(first);
}

int run_cases(int argc, char* argv[]) {
  RandomRun run = RandomRun::from(argc, argv);
  int rank      = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&run.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::signal(SIGALRM, [](int) { std::abort(); });
  const CaseEnd end;
  const auto check = [&](RandomCase& random) {
    ::alarm(slow_run ? 900 : 120);
    std::string wrong = Sporos::Impl::thrown_text([&] {
      const std::string text = one_case(random);
      if (!text.empty()) throw std::invalid_argument(text);
    });
    wrong             = text_of_all(wrong, end);
    ::alarm(0);
    return wrong;
  };
  const auto agree = [](bool go) {
    int word = go ? 1 : 0;
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return word != 0;
  };
  return run_random_cases("random_mpi_loops", run, check, agree, rank == 0);
}

}  // namespace

int main(int argc, char* argv[]) {
  int threads = 0;  // PT-Scotch sends messages from several
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  int status = EXIT_FAILURE;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    status = run_cases(argc, argv);
  }
  MPI_Finalize();
  return status;
}
