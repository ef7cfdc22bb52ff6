// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MATRIX_PETSC_HPP
#define SPOROS_BENCH_MATRIX_PETSC_HPP

/// \file Matrix_Petsc.hpp
/// Assembly by PETSc on one process, which PETSc does with one thread:
///
///   petsc_setvalues  MatSetValuesBlocked, cell by cell, into a matrix that has
///                    the right room (AIJ, of elasticity BAIJ)
///   petsc_coo        MatSetPreallocationCOO with the rows and columns of all
///                    cells, then MatSetValuesCOO with their values (AIJ)

#include "Matrix_Problem.hpp"

#include <petscmat.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace Bench {

/// Throws if PETSc did not do what it was asked for.
inline void petsc(PetscErrorCode code) {
  if (code != 0)
    throw std::runtime_error("PETSc: error " + std::to_string(int(code)));
}

/// PETSc from its beginning to its end.
class PetscJob {
 public:
  PetscJob(int& argc, char**& argv) {
    petsc(PetscInitialize(&argc, &argv, nullptr, nullptr));
  }
  PetscJob(const PetscJob&)            = delete;
  PetscJob& operator=(const PetscJob&) = delete;
  ~PetscJob() { PetscFinalize(); }
};

template <int C>
class PetscAssembly {
 public:
  PetscAssembly(const TetrahedronMesh& mesh, const std::string& way)
      : m_mesh(mesh), m_coo(way == "petsc_coo") {
    if (m_coo) {
      start();
      return;
    }
    // the right number of blocks in each row, from our own sparsity
    MatrixProblem<C> problem(mesh);
    problem.make_sparsity();
    const auto offsets = Sporos::Impl::on_host(problem.sparsity.row_offsets());
    for (std::size_t n = 0; n + 1 < offsets.extent(0); ++n)
      m_room.push_back(PetscInt(offsets(n + 1) - offsets(n)));
    start();
    petsc(C == 1 ? MatSeqAIJSetPreallocation(m_matrix, 0, m_room.data())
                 : MatSeqBAIJSetPreallocation(m_matrix, C, 0, m_room.data()));
    petsc(MatSetOption(m_matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_TRUE));
  }
  PetscAssembly(const PetscAssembly&)            = delete;
  PetscAssembly& operator=(const PetscAssembly&) = delete;
  ~PetscAssembly() { MatDestroy(&m_matrix); }

  /// A new matrix, and what MatSetPreallocationCOO may overwrite.
  void prepare() {
    petsc(MatDestroy(&m_matrix));
    start();
    m_rows.clear();
    m_columns.clear();
    for (int cell = 0; cell < m_mesh.cells(); ++cell)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          for (int c = 0; c < C; ++c)
            for (int d = 0; d < C; ++d) {
              m_rows.push_back(C * nodes(cell)[i] + c);
              m_columns.push_back(C * nodes(cell)[j] + d);
            }
  }
  /// Room for the values of prepare()'s matrix.
  void preallocate() {
    petsc(MatSetPreallocationCOO(m_matrix, PetscCount(m_rows.size()),
                                 m_rows.data(), m_columns.data()));
  }
  void assemble() { m_coo ? assemble_coo() : set_values(); }

  double norm() const {
    PetscReal value = 0;
    petsc(MatNorm(m_matrix, NORM_FROBENIUS, &value));
    return value;
  }

 private:
  const int* nodes(int cell) const {
    return m_mesh.cell_nodes.data() + 4 * std::ptrdiff_t(cell);
  }
  void start() {
    const PetscInt n = C * m_mesh.nodes();
    petsc(MatCreate(PETSC_COMM_SELF, &m_matrix));
    petsc(MatSetSizes(m_matrix, n, n, n, n));
    petsc(MatSetBlockSize(m_matrix, C));
    petsc(MatSetType(m_matrix, m_coo || C == 1 ? MATSEQAIJ : MATSEQBAIJ));
  }
  /// Values of a cell: put(i, j, block).
  template <class Put>
  void of_cell(int cell, const Put& put) const {
    const int* const n = nodes(cell);
    const auto place   = [&](int k, int d) {
      return m_mesh.x[3 * std::size_t(n[k]) + std::size_t(d)];
    };
    const TetrahedronGradients<double> t(place);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        double k[C][C];
        node_block(t, i, j, k);
        put(i, j, k);
      }
  }
  void set_values() {
    petsc(MatZeroEntries(m_matrix));
    for (int cell = 0; cell < m_mesh.cells(); ++cell) {
      double values[4 * C][4 * C];  // rows of the cell's matrix
      of_cell(cell, [&](int i, int j, const double(&k)[C][C]) {
        for (int c = 0; c < C; ++c)
          for (int d = 0; d < C; ++d) values[C * i + c][C * j + d] = k[c][d];
      });
      PetscInt n[4];
      for (int k = 0; k < 4; ++k) n[k] = nodes(cell)[k];
      petsc(
          MatSetValuesBlocked(m_matrix, 4, n, 4, n, &values[0][0], ADD_VALUES));
    }
    petsc(MatAssemblyBegin(m_matrix, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(m_matrix, MAT_FINAL_ASSEMBLY));
  }
  void assemble_coo() {
    m_values.resize(std::size_t(m_mesh.cells()) * 16 * C * C);
    double* to = m_values.data();
    for (int cell = 0; cell < m_mesh.cells(); ++cell)
      of_cell(cell, [&](int, int, const double(&k)[C][C]) {
        for (int c = 0; c < C; ++c)
          for (int d = 0; d < C; ++d) *to++ = k[c][d];
      });
    petsc(MatSetValuesCOO(m_matrix, m_values.data(), INSERT_VALUES));
  }

  const TetrahedronMesh& m_mesh;
  bool m_coo;
  ::Mat m_matrix = nullptr;
  std::vector<PetscInt> m_room, m_rows, m_columns;
  std::vector<double> m_values;
};

}  // namespace Bench

#endif
