// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators, errors on which all ranks agree, and messages that nobody
// expects.
#include <Sporos_Communicator.hpp>
#include <Sporos_Test.hpp>
#include <distributed/messages/Sporos_SparseMessages.hpp>

#include "Sporos_LongestMessage.hpp"
#include "Sporos_WrongCalls.hpp"

#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace CommunicatorOnRanks {

using Sporos::Communicator;
using Sporos::Test::error_of;
namespace Impl = Sporos::Impl;

TEST_CASE("a communicator duplicates the caller's") {
  const Communicator comm(MPI_COMM_WORLD);
  int rank = -1, size = -1, relation = MPI_IDENT;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(comm.rank() == rank);
  CHECK(comm.size() == size);
  MPI_Comm_compare(MPI_COMM_WORLD, comm.mpi(), &relation);
  CHECK(relation == MPI_CONGRUENT);
}

TEST_CASE("empty communicators are refused") {
  CHECK_THROWS_AS(Communicator(MPI_COMM_NULL), std::invalid_argument);
  CHECK_THROWS_AS(Communicator().rank(), std::invalid_argument);
}

TEST_CASE("communicators between two groups are refused") {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 1) return;
  MPI_Comm mine = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : 1, rank, &mine);
  MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &between);
  CHECK_THROWS_WITH((Communicator(between)),
                    "Sporos::Communicator: comm: expected a communicator of "
                    "one group of ranks, got one between two groups");
  MPI_Comm_free(&between);
  MPI_Comm_free(&mine);
}

TEST_CASE("errors of MPI carry its text") {
  const Communicator comm(MPI_COMM_SELF);
  int value      = 0;
  const int code = MPI_Send(&value, 1, MPI_INT, 7, 0, comm.mpi());
  try {
    Impl::check_mpi(code, "Sporos::f", "MPI_Send");
    FAIL("a rank that does not exist");
  } catch (const std::runtime_error& e) {
    CHECK(std::string(e.what()).find("Sporos::f: MPI_Send failed: ") == 0);
    CHECK(std::string(e.what()).find("rank") != std::string::npos);
  }
}

TEST_CASE("all ranks throw if one does") {
  const Communicator comm(MPI_COMM_WORLD);
  Impl::agree(comm, "Sporos::f", "");
  for (int guilty = 0; guilty < comm.size(); ++guilty) {
    const std::string text = error_of([&] {
      Impl::agree_on(comm, "Sporos::f", [&] {
        Impl::check(comm.rank() != guilty, "Sporos::f", "x", "1", 2);
      });
    });
    const std::string own  = "Sporos::f: x: expected 1, got 2";
    CHECK(text ==
          (comm.rank() == guilty
               ? own
               : "Sporos::f: on rank " + std::to_string(guilty) + ": " + own));
  }
}

TEST_CASE("what differs between ranks is told with two ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  for (int other = 1; other < comm.size(); ++other) {
    const std::string text = error_of([&] {
      Impl::agree(comm, "Sporos::f", "", comm.rank() < other ? "ab" : "abc");
    });
    CHECK(
        text ==
        "Sporos::f: arguments: expected the same on all ranks, got ab on rank "
        "0, abc on rank " +
            std::to_string(other));
  }
}

TEST_CASE("messages arrive at ranks that do not expect them") {
  const Communicator comm(MPI_COMM_WORLD);
  // some are cut into pieces
  const Sporos::Test::LongestMessage cut(300);
  // the same numbers on all ranks: who sends how much to whom, in each round
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::map<int, std::vector<int>> to, expected;
    for (int from = 0; from < comm.size(); ++from)
      for (int rank = 0; rank < comm.size(); ++rank) {
        const unsigned n = random() % 4 == 0 ? random() % 1000 : 0;
        std::vector<int> values;
        for (unsigned k = 0; k < n; ++k)
          values.push_back(int(k) + 1000 * (round + from));
        if (from == comm.rank()) to[rank] = values;
        if (rank == comm.rank() && n > 0) expected[from] = values;
      }
    CHECK(Impl::sparse_messages(comm, to) == expected);
  }
}

TEST_CASE("messages to ranks that do not exist are refused") {
  const Communicator comm(MPI_COMM_SELF);
  const std::map<int, std::vector<int>> to{{1, {1}}};
  CHECK_THROWS_AS(Impl::sparse_messages(comm, to), std::invalid_argument);
}

}  // namespace CommunicatorOnRanks
