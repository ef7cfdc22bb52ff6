// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Meshes on several ranks for the tests of loops.

#ifndef SPOROS_RANKMESHES_HPP
#define SPOROS_RANKMESHES_HPP

#include "Sporos_MeshCases.hpp"

#include <Sporos_DistributedMesh.hpp>
#include <Sporos_ParLoop.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

using RankExec = Kokkos::DefaultExecutionSpace;

/// The rows of this rank's block of an array with `width` values an element.
template <class T>
std::vector<T> block(const Communicator& comm, const std::vector<T>& all,
                     std::size_t width) {
  const std::size_t n = all.size() / width, ranks = std::size_t(comm.size());
  const std::size_t r = std::size_t(comm.rank());
  return std::vector<T>(
      all.begin() + std::ptrdiff_t(n * r / ranks * width),
      all.begin() + std::ptrdiff_t(n * (r + 1) / ranks * width));
}

/// How elements are dealt out.
enum class Deal { blocks, cyclic, all_to_last, half };

inline std::vector<int> ranks_of(const Communicator& comm, Deal deal, int n) {
  std::vector<int> ranks;
  for (int i = 0; i < n; ++i)
    ranks.push_back(deal == Deal::blocks
                        ? int(std::int64_t(i) * comm.size() / n)
                    : deal == Deal::cyclic ? i % comm.size()
                    : deal == Deal::half   ? (i < n / 2 ? 0 : comm.size() - 1)
                                           : comm.size() - 1);
  return block(comm, ranks, 1);
}

constexpr Deal deals[] = {Deal::blocks, Deal::cyclic, Deal::all_to_last,
                          Deal::half};

/// to = 2 to + from
struct Increase {
  template <class Real>
  KOKKOS_FUNCTION void operator()(ReadWrite<Real, 1> to,
                                  Read<Real, 1> from) const {
    to[0] = Real(2) * to[0] + from[0];
  }
};
struct AddAll {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1, 2> from,
                                  Inc<Real, 1, 2> to) const {
    to(0, 0) += from(0, 0) + Real(2) * from(1, 0);
    to(1, 0) += from(1, 0);
  }
};
/// Edges 0-1, 1-2, ... with numbers, dealt out by their points.
struct Chain {
  Communicator comm{MPI_COMM_WORLD};
  GlobalMesh global{comm};
  int n;
  GlobalSet edges, points;
  DistributedMesh<RankExec> mesh;
  Map<2, RankExec::memory_space> map;

  Chain(Deal deal, int n_edges) : n(n_edges) {
    const auto rows = block(comm, chain_entries(n), 2);
    points          = global.set("points", std::int64_t(numbers(n + 1).size()));
    edges           = global.set("edges", std::int64_t(rows.size() / 2));
    const auto m    = global.map<2>("ends", edges, points, rows);
    mesh =
        distribute(RankExec{}, global,
                   MeshPartition::given(points, ranks_of(comm, deal, n + 1)));
    map = mesh.map(m);
  }
  std::vector<int> numbers(int count) const {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return block(comm, all, 1);
  }
  Dat<int, 1> dat(const std::string& name, const GlobalSet& set,
                  int count) const {
    return mesh.dat(global.dat<int, 1>(name, set, numbers(count)));
  }
  /// What AddAll adds to this rank's block of points, for a multiple of their
  /// numbers.
  std::vector<int> added(int factor = 1) const {
    std::vector<int> sums(std::size_t(n) + 1);
    for (int e = 0; e < n; ++e) {
      sums[std::size_t(e)] += factor * (e + 2 * (e + 1));
      sums[std::size_t(e) + 1] += factor * (e + 1);
    }
    return block(comm, sums, 1);
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
