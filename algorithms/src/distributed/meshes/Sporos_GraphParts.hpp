// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GRAPHPARTS_HPP
#define SPOROS_GRAPHPARTS_HPP

/// \file Sporos_GraphParts.hpp
/// Partition of a graph that lies on many ranks, by PT-Scotch.

#include <distributed/meshes/Sporos_Blocks.hpp>
#include <distributed/messages/Sporos_SparseMessages.hpp>

#ifdef SPOROS_HAVE_PTSCOTCH
#include <cstdio>
// after cstdio, whose FILE it needs
#include <ptscotch.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// Neighbours of the elements of this rank's block, by global number.
struct BlockGraph {
  RankBlocks blocks;
  std::vector<std::size_t> first;  ///< one more than elements
  std::vector<GlobalNumber> neighbours;
};

/// An edge of a graph: from one of its ends to the other.
using GraphLink = std::array<GlobalNumber, 2>;

/// Collective. Two targets are neighbours if an element of a map names both.
/// \param rows of this rank's block of the map's elements
inline BlockGraph dual_graph(const Communicator& comm,
                             const RankBlocks& targets,
                             const std::vector<GlobalNumber>& rows, int arity) {
  std::map<int, std::vector<GraphLink>> to;
  for (std::size_t row = 0; row < rows.size(); row += std::size_t(arity))
    for (std::size_t a = 0; a < std::size_t(arity); ++a)
      for (std::size_t b = 0; b < std::size_t(arity); ++b)
        if (rows[row + a] >= 0 && rows[row + b] >= 0 &&
            rows[row + a] != rows[row + b])
          to[targets.holder(rows[row + a])].push_back(
              {rows[row + a], rows[row + b]});
  std::vector<GraphLink> links;
  for (const auto& rank_and_links : sparse_messages(comm, to))
    links.insert(links.end(), rank_and_links.second.begin(),
                 rank_and_links.second.end());
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  BlockGraph graph;
  graph.blocks = targets;
  graph.first.assign(std::size_t(targets.count(comm.rank())) + 1, 0);
  for (const auto& [element, neighbour] : links) {
    ++graph.first[std::size_t(element - targets.begin(comm.rank())) + 1];
    graph.neighbours.push_back(neighbour);
  }
  for (std::size_t k = 1; k < graph.first.size(); ++k)
    graph.first[k] += graph.first[k - 1];
  return graph;
}

#ifdef SPOROS_HAVE_PTSCOTCH
inline namespace with_ptscotch {
constexpr bool have_ptscotch = true;

/// Throws unless a call of PT-Scotch succeeded.
inline void check_scotch(int status, const char* call) {
  if (status != 0)
    throw std::runtime_error(std::string("Sporos::distribute: ") + call +
                             " failed");
}

/// Collective. The weights, divided by a number so that PT-Scotch's integers
/// hold their sum.
inline std::vector<SCOTCH_Num> scotch_weights(const Communicator& comm,
                                              const std::vector<int>& weights) {
  long long sum = 0;
  for (const int w : weights) sum += w;
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG_LONG, MPI_SUM, comm.mpi()),
      "Sporos::distribute", "MPI_Allreduce");
  const long long most    = std::numeric_limits<SCOTCH_Num>::max() / 2;
  const long long divisor = sum / most + 1;
  std::vector<SCOTCH_Num> loads;
  for (const int w : weights)
    loads.push_back(SCOTCH_Num(std::max(1LL, w / divisor)));
  return loads;
}

/// SCOTCH_dgraphPart with the same result in each call. Its threads make
/// results differ, and ranks may then wait for messages that no rank sends:
/// the context (of Scotch 7 on) has one.
inline int repeatable_parts(SCOTCH_Dgraph& graph, int parts, SCOTCH_Num* part) {
  SCOTCH_Strat strategy;
  SCOTCH_stratInit(&strategy);
  int status = 0;
#ifdef SCOTCH_OPTIONNUMDETERMINISTIC
  SCOTCH_Context context;
  SCOTCH_Dgraph in_context;
  status = SCOTCH_contextInit(&context);
  if (status == 0) {
    SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
    SCOTCH_contextRandomClone(&context);
    SCOTCH_contextRandomSeed(&context, 1);
    SCOTCH_contextRandomReset(&context);
    status = SCOTCH_contextThreadSpawn(&context, 1, nullptr);
    if (status == 0)
      status = SCOTCH_contextBindDgraph(&context, &graph, &in_context);
    if (status == 0) {
      status = SCOTCH_dgraphPart(&in_context, parts, &strategy, part);
      SCOTCH_dgraphExit(&in_context);
    }
    SCOTCH_contextExit(&context);
  }
#else
  SCOTCH_randomSeed(1);
  SCOTCH_randomReset();
  status = SCOTCH_dgraphPart(&graph, parts, &strategy, part);
#endif
  SCOTCH_stratExit(&strategy);
  return status;
}

/// Collective. Parts of the block's elements by PT-Scotch's k-way partition.
/// weights: of the elements, if weighted. The same result in each run.
inline std::vector<int> graph_parts(const Communicator& comm,
                                    const BlockGraph& graph,
                                    const std::vector<int>& weights,
                                    bool weighted, int parts) {
  constexpr auto most = std::numeric_limits<SCOTCH_Num>::max();
  check(graph.blocks.size() < most, "Sporos::distribute", "partition",
        "fewer elements than PT-Scotch's integers count", graph.blocks.size());
  long long arcs = (long long)(graph.neighbours.size());
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, &arcs, 1, MPI_LONG_LONG, MPI_SUM, comm.mpi()),
      "Sporos::distribute", "MPI_Allreduce");
  check(arcs < most, "Sporos::distribute", "partition",
        "fewer pairs of neighbours than PT-Scotch's integers count", arcs);
  std::vector<SCOTCH_Num> first(graph.first.begin(), graph.first.end());
  std::vector<SCOTCH_Num> ends(graph.neighbours.begin(),
                               graph.neighbours.end());
  std::vector<SCOTCH_Num> loads;
  if (weighted) loads = scotch_weights(comm, weights);
  std::vector<SCOTCH_Num> part(first.size());  // one more: never null
  const auto n = SCOTCH_Num(first.size()) - 1;
  ends.reserve(1);  // never null
  loads.reserve(1);
  SCOTCH_Dgraph scotch;
  check_scotch(SCOTCH_dgraphInit(&scotch, comm.mpi()), "SCOTCH_dgraphInit");
  int status = SCOTCH_dgraphBuild(&scotch, 0, n, n, first.data(), nullptr,
                                  weighted ? loads.data() : nullptr, nullptr,
                                  first[std::size_t(n)], first[std::size_t(n)],
                                  ends.data(), nullptr, nullptr);
  if (status == 0) status = repeatable_parts(scotch, parts, part.data());
  SCOTCH_dgraphExit(&scotch);
  check_scotch(status, "SCOTCH_dgraphPart");
  return std::vector<int>(part.begin(), part.end() - 1);
}
}  // namespace with_ptscotch
#else
inline namespace without_ptscotch {
constexpr bool have_ptscotch = false;
}
#endif

}  // namespace Impl
}  // namespace Sporos

#endif
