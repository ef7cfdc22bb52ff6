// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Sporos_Collectives.hpp"

#include <mpi.h>

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
