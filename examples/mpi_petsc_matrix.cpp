// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix that loops assemble on many MPI ranks, and PETSc solves with it.
#include <Sporos_DatVectors.hpp>
#include <Sporos_DistributedMatrix.hpp>
#include <Sporos_Matrix.hpp>
#include <Sporos_ParLoop.hpp>

#include <petscksp.h>

#include <cstdio>
#include <vector>

using Exec   = Kokkos::DefaultHostExecutionSpace;  // PETSc takes host memory
using Memory = Exec::memory_space;
using Vector = Sporos::Dat<double, 1, Kokkos::LayoutRight, Memory>;
using Matrix = Sporos::Mat<double, 1, 1, Memory>;

struct Spring {  // one edge, and a part of what holds its vertices
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::MatInc<Real, 2, 2> a) const {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) a(i, j) += Real(i == j ? 1.5 : -1);
  }
};

/// Solves A x = b by PETSc, which uses the memory of x and b.
PetscErrorCode solve(const Sporos::Communicator& comm, const Matrix& A,
                     const Sporos::GlobalRows<PetscInt, Memory>& rows,
                     const Vector& x, const Vector& b) {
  PetscFunctionBeginUser;
  const auto n = PetscInt(rows.numbers.extent(0));
  Mat matrix;
  Vec solution, right;
  KSP solver;
  PetscCall(MatCreateMPIAIJWithArrays(
      comm.mpi(), n, n, PETSC_DETERMINE, PETSC_DETERMINE, rows.offsets.data(),
      rows.columns.data(), A.values().data(), &matrix));
  PetscCall(VecCreateMPIWithArray(comm.mpi(), 1, n, PETSC_DETERMINE,
                                  x.view().data(), &solution));
  PetscCall(VecCreateMPIWithArray(comm.mpi(), 1, n, PETSC_DETERMINE,
                                  b.view().data(), &right));
  PetscCall(KSPCreate(comm.mpi(), &solver));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
  PetscCall(KSPSetType(solver, KSPCG));
  PetscCall(KSPSetTolerances(solver, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 200));
  PetscCall(KSPSolve(solver, right, solution));
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&right));
  PetscCall(VecDestroy(&solution));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(0);
}

int run(const Sporos::Communicator& comm) {
  const int n = 1000, begin = n * comm.rank() / comm.size();
  const int mine = n * (comm.rank() + 1) / comm.size() - begin;
  std::vector<int> pairs;
  std::vector<double> places;
  for (int i = begin; i < begin + mine; ++i) {
    pairs.insert(pairs.end(), {i, (i + 1) % n});
    places.push_back(i);
  }
  Sporos::GlobalMesh ring(comm);
  const auto vertices = ring.set("vertices", mine);
  const auto edges    = ring.set("edges", mine);
  const auto ends     = ring.map<2>("ends", edges, vertices, pairs);
  const auto place    = ring.dat<double, 1>("place", vertices, places);

  const Exec exec;
  const auto mesh =
      Sporos::distribute(exec, ring, Sporos::MeshPartition::along(place));
  const auto local_ends = mesh.map(ends);
  const Sporos::Sparsity sparsity(exec, "ring", local_ends, local_ends);
  const Matrix A(exec, "A", sparsity);
  Sporos::par_loop("springs", exec, mesh.set(edges), Spring{},
                   Sporos::inc(A, local_ends, local_ends));
  const Vector exact = mesh.dat(place), b("b", mesh.set(vertices)),
               x("x", mesh.set(vertices));
  Sporos::multiply(exec, A, exact, b);

  const auto numbers = Sporos::solver_numbers<PetscInt>(exec, mesh, vertices);
  const auto rows    = Sporos::global_rows(exec, sparsity, numbers, numbers);
  exec.fence();
  if (solve(comm, A, rows, x, b) != 0) return 1;
  x.modified();  // loops did not write it
  Sporos::axpy(exec, -1, exact, x);
  const double error = Sporos::norm(exec, x);
  if (comm.rank() == 0) std::printf("error %.1e\n", error);
  return error < 1e-6 ? 0 : 1;
}

int main(int argc, char* argv[]) {
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  Kokkos::initialize(argc, argv);
  int result = 1;
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) == 0) {
    result = run(Sporos::Communicator(MPI_COMM_WORLD));
    if (PetscFinalize() != 0) result = 1;
  }
  Kokkos::finalize();
  MPI_Finalize();
  return result;
}
