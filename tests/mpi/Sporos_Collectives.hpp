// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Counts how often a program waits for all ranks: functions that stand in
/// front of MPI's own. Include it in one file of a program.

#ifndef SPOROS_COLLECTIVES_HPP
#define SPOROS_COLLECTIVES_HPP

#include <mpi.h>

namespace Sporos {
namespace Test {

struct Collectives {
  int reductions = 0, others = 0;
  int all() const { return reductions + others; }
};
inline Collectives collectives;

/// Calls f and returns how many it called.
template <class F>
Collectives collectives_of(const F& f) {
  collectives = {};
  f();
  return collectives;
}

}  // namespace Test
}  // namespace Sporos

extern "C" {
int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type,
                  MPI_Op op, MPI_Comm comm) {
  ++Sporos::Test::collectives.reductions;
  return PMPI_Allreduce(from, to, n, type, op, comm);
}
int MPI_Iallreduce(const void* from, void* to, int n, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  ++Sporos::Test::collectives.reductions;
  return PMPI_Iallreduce(from, to, n, type, op, comm, request);
}
int MPI_Allgather(const void* from, int n, MPI_Datatype type, void* to, int m,
                  MPI_Datatype type_to, MPI_Comm comm) {
  ++Sporos::Test::collectives.others;
  return PMPI_Allgather(from, n, type, to, m, type_to, comm);
}
int MPI_Iallgather(const void* from, int n, MPI_Datatype type, void* to, int m,
                   MPI_Datatype type_to, MPI_Comm comm, MPI_Request* request) {
  ++Sporos::Test::collectives.others;
  return PMPI_Iallgather(from, n, type, to, m, type_to, comm, request);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  ++Sporos::Test::collectives.others;
  return PMPI_Ibarrier(comm, request);
}
int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  ++Sporos::Test::collectives.others;
  return PMPI_Bcast(data, n, type, root, comm);
}
}

#endif
