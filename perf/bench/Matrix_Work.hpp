// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MATRIX_WORK_HPP
#define SPOROS_BENCH_MATRIX_WORK_HPP

/// \file Matrix_Work.hpp
/// What each row runs.

#include "Matrix_Peers.hpp"
#include "Matrix_Problem.hpp"

#ifdef SPOROS_HAVE_PETSC
#include "Matrix_Petsc.hpp"
#endif

#include <Sporos_LoopPlan.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace Bench {

/// Strategies by the names that they have in rows.
struct NamedStrategy {
  const char* name;
  Sporos::LoopStrategy strategy;
};
inline const std::vector<NamedStrategy>& matrix_strategies() {
  using S                                     = Sporos::LoopStrategy;
  static const std::vector<NamedStrategy> all = {
      {"automatic", S::automatic},
      {"serial", S::serial},
      {"hierarchical", S::hierarchical},
      {"global_coloring", S::global_coloring},
      {"gather", S::gather},
      {"owners", S::owners},
      {"atomic", S::atomic}};
  return all;
}
/// Peers but for PETSc, whose rows are petsc_setvalues and petsc_coo.
inline const std::vector<const char*>& matrix_peers() {
  static const std::vector<const char*> all = {"hand_serial", "hand_atomic",
                                               "scatterview"};
  return all;
}

inline bool is_peer(const std::string& way) {
  for (const char* peer : matrix_peers())
    if (way == peer) return true;
  return false;
}
inline bool is_petsc(const std::string& way) {
  return way.rfind("petsc_", 0) == 0;
}

inline Sporos::LoopOptions matrix_options(const std::string& way) {
  Sporos::LoopOptions options;
  for (const NamedStrategy& s : matrix_strategies())
    if (way == s.name) {
      options.strategy = s.strategy;
      return options;
    }
  throw std::invalid_argument("no strategy is called " + way);
}

/// Assembly by par_loop, or a part of it.
template <int C>
Work loop_work(const MatrixRow& row, TetrahedronCache& cache) {
  const auto options = matrix_options(row.way);
  std::shared_ptr<MatrixProblem<C>> p;
  Work work;
  work.setup_ms = milliseconds([&] {
    p = std::make_shared<MatrixProblem<C>>(cache.mesh(row));
    p->make_matrix();
    p->make_plan(options);
  });
  if (row.step == "sparsity") {
    work.run = [p] {
      p->make_sparsity();
      p->exec.fence();
    };
  } else if (row.step == "plan") {
    work.before = [p] { p->make_matrix(); };
    work.run    = [p, options] { p->make_plan(options); };
  } else if (row.step == "first") {
    work.before = [p] { p->make_matrix(); };
    work.run    = [p, options] {
      p->make_plan(options);
      p->assemble();
    };
  } else {
    work.moved = p->moved();
    work.run   = [p] { p->assemble(); };
  }
  return work;
}

template <int C>
Work peer_work(const MatrixRow& row, TetrahedronCache& cache) {
  std::shared_ptr<MatrixProblem<C>> p;
  std::shared_ptr<MatrixPeer<C>> peer;
  Work work;
  work.setup_ms = milliseconds([&] {
    p = std::make_shared<MatrixProblem<C>>(cache.mesh(row));
    p->make_matrix();
    peer = std::make_shared<MatrixPeer<C>>(*p, row.way);
  });
  work.moved    = p->moved();
  work.run      = [p, peer] { peer->assemble(); };
  return work;
}

#ifdef SPOROS_HAVE_PETSC
template <int C>
Work petsc_work(const MatrixRow& row, TetrahedronCache& cache) {
  const auto p = std::make_shared<PetscAssembly<C>>(cache.mesh(row), row.way);
  Work work;
  if (row.step == "sparsity") {
    work.before = [p] { p->prepare(); };
    work.run    = [p] { p->preallocate(); };
    return work;
  }
  if (row.way == "petsc_coo")
    work.setup_ms = milliseconds([&] {
      p->prepare();
      p->preallocate();
    });
  work.run = [p] { p->assemble(); };
  return work;
}
#endif

template <int C>
Work matrix_work_of(const MatrixRow& row, TetrahedronCache& cache) {
  if (is_peer(row.way)) return peer_work<C>(row, cache);
#ifdef SPOROS_HAVE_PETSC
  if (is_petsc(row.way)) return petsc_work<C>(row, cache);
#endif
  return loop_work<C>(row, cache);
}

inline Work matrix_work(const MatrixRow& row, TetrahedronCache& cache) {
  return row.matrix == "poisson_p1" ? matrix_work_of<1>(row, cache)
                                    : matrix_work_of<3>(row, cache);
}

}  // namespace Bench

#endif
