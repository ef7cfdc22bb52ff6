// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MATRIX_CHECK_HPP
#define SPOROS_BENCH_MATRIX_CHECK_HPP

/// \file Matrix_Check.hpp
/// Compares what every strategy and peer assembles with the loop of one thread
/// (on hosts one written by hand), on small meshes.

#include "Matrix_Work.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace Bench {

class MatrixCheck {
 public:
  template <int C>
  void run(const std::string& numbering) {
    const MatrixRow row{"assembly", C == 1 ? "poisson_p1" : "elasticity_p1", "",
                        numbering, 7};
    const TetrahedronMesh& mesh = m_cache.mesh(row);
    MatrixProblem<C> p(mesh);
    p.make_matrix();
    constexpr bool on_host = Sporos::Impl::is_host_space_v<Exec>;
    if (on_host) {
      MatrixPeer<C>(p, "hand_serial").assemble();
    } else {
      p.make_plan(matrix_options("serial"));
      p.assemble();
    }
    const std::vector<double> right = p.matrix.dat().to_host();
    for (const char* peer : matrix_peers()) {
      if (!on_host && peer == std::string("hand_serial")) continue;
      MatrixPeer<C>(p, peer).assemble();
      compare(row, peer, off(right, p.matrix.dat().to_host()));
    }
    for (const NamedStrategy& s : matrix_strategies()) {
      p.make_plan(matrix_options(s.name));
      p.assemble();
      compare(row, s.name, off(right, p.matrix.dat().to_host()));
    }
#ifdef SPOROS_HAVE_PETSC
    double square = 0;
    for (const double v : right) square += v * v;
    for (const char* way : {"petsc_setvalues", "petsc_coo"}) {
      PetscAssembly<C> by_petsc(mesh, way);
      if (std::string(way) == "petsc_coo") {
        by_petsc.prepare();
        by_petsc.preallocate();
      }
      by_petsc.assemble();
      compare(row, way, std::fabs(by_petsc.norm() / std::sqrt(square) - 1));
    }
#endif
  }
  int result() const {
    std::printf("%d failed\n", m_failed);
    return m_failed == 0 ? 0 : 1;
  }

 private:
  /// The largest difference, relative to the largest value; NaN if there is
  /// one.
  static double off(const std::vector<double>& right,
                    const std::vector<double>& got) {
    double worst = 0, largest = 0;
    for (std::size_t k = 0; k < right.size(); ++k) {
      const double d = std::fabs(right[k] - got[k]);
      if (!(d <= worst)) worst = d;
      largest = std::max(largest, std::fabs(right[k]));
    }
    return worst / largest;
  }
  void compare(MatrixRow row, const std::string& way, double difference) {
    row.way       = way;
    const bool ok = difference <= 1e-13;  // false for NaN, too
    std::printf("%-60s %.1e %s\n", row.name().c_str(), difference,
                ok ? "ok" : "FAILED");
    m_failed += ok ? 0 : 1;
  }

  TetrahedronCache m_cache;
  int m_failed = 0;
};

inline int check_matrices() {
  MatrixCheck check;
  for (const char* numbering : {"natural", "shuffled"}) {
    check.run<1>(numbering);
    check.run<3>(numbering);
  }
  return check.result();
}

}  // namespace Bench

#endif
