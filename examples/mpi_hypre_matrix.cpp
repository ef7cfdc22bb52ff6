// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix that loops assemble on many MPI ranks, and Hypre solves with it by
// conjugate gradients and algebraic multigrid.
#include <Sporos_DatVectors.hpp>
#include <Sporos_DistributedMatrix.hpp>
#include <Sporos_Matrix.hpp>
#include <Sporos_ParLoop.hpp>

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>

#include <cstddef>
#include <cstdio>
#include <vector>

using Exec   = Kokkos::DefaultHostExecutionSpace;  // of Debian's Hypre
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

/// A vector of Hypre with copies of the values of a dat's owned elements.
HYPRE_IJVector vector_of(const Sporos::Communicator& comm,
                         const std::vector<HYPRE_BigInt>& rows,
                         const Vector& values) {
  HYPRE_IJVector v;
  HYPRE_IJVectorCreate(comm.mpi(), rows.front(), rows.back(), &v);
  HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(v);
  HYPRE_IJVectorSetValues(v, HYPRE_Int(rows.size()), rows.data(),
                          values.view().data());
  HYPRE_IJVectorAssemble(v);
  return v;
}

/// Solves A x = b by Hypre. Returns whether it could.
bool solve(const Sporos::Communicator& comm, const Matrix& A,
           const Sporos::GlobalRows<HYPRE_BigInt, Memory>& global,
           const Vector& x, const Vector& b) {
  const std::size_t n = global.numbers.extent(0);  // rows of this rank
  std::vector<HYPRE_BigInt> rows(n);
  std::vector<HYPRE_Int> lengths(n);
  for (std::size_t i = 0; i < n; ++i) {
    rows[i]    = global.numbers(i);
    lengths[i] = HYPRE_Int(global.offsets(i + 1) - global.offsets(i));
  }
  HYPRE_IJMatrix matrix;
  HYPRE_IJMatrixCreate(comm.mpi(), rows.front(), rows.back(), rows.front(),
                       rows.back(), &matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(matrix);
  HYPRE_IJMatrixSetValues(matrix, HYPRE_Int(n), lengths.data(), rows.data(),
                          global.columns.data(), A.values().data());
  HYPRE_IJMatrixAssemble(matrix);
  HYPRE_IJVector solution = vector_of(comm, rows, x),
                 right    = vector_of(comm, rows, b);

  void *of_matrix, *of_solution, *of_right;
  HYPRE_IJMatrixGetObject(matrix, &of_matrix);
  HYPRE_IJVectorGetObject(solution, &of_solution);
  HYPRE_IJVectorGetObject(right, &of_right);
  const auto a = static_cast<HYPRE_ParCSRMatrix>(of_matrix);
  const auto u = static_cast<HYPRE_ParVector>(of_solution);
  const auto f = static_cast<HYPRE_ParVector>(of_right);
  HYPRE_Solver solver, multigrid;
  HYPRE_BoomerAMGCreate(&multigrid);  // one cycle for each iteration
  HYPRE_BoomerAMGSetTol(multigrid, 0);
  HYPRE_BoomerAMGSetMaxIter(multigrid, 1);
  HYPRE_BoomerAMGSetRelaxType(multigrid, 6);  // symmetric
  HYPRE_ParCSRPCGCreate(comm.mpi(), &solver);
  HYPRE_ParCSRPCGSetTol(solver, 1e-12);
  HYPRE_ParCSRPCGSetMaxIter(solver, 200);
  HYPRE_ParCSRPCGSetPrecond(solver, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup,
                            multigrid);
  HYPRE_ParCSRPCGSetup(solver, a, f, u);
  HYPRE_ParCSRPCGSolve(solver, a, f, u);
  HYPRE_IJVectorGetValues(solution, HYPRE_Int(n), rows.data(), x.view().data());
  HYPRE_ParCSRPCGDestroy(solver);
  HYPRE_BoomerAMGDestroy(multigrid);
  HYPRE_IJVectorDestroy(right);
  HYPRE_IJVectorDestroy(solution);
  HYPRE_IJMatrixDestroy(matrix);
  return HYPRE_GetError() == 0;
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

  const auto numbers =
      Sporos::solver_numbers<HYPRE_BigInt>(exec, mesh, vertices);
  const auto rows = Sporos::global_rows(exec, sparsity, numbers, numbers);
  exec.fence();
  if (!solve(comm, A, rows, x, b)) return 1;
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
  HYPRE_Init();
  const int result = run(Sporos::Communicator(MPI_COMM_WORLD));
  HYPRE_Finalize();
  Kokkos::finalize();
  MPI_Finalize();
  return result;
}
