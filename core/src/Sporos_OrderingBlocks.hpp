// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDERINGBLOCKS_HPP
#define SPOROS_ORDERINGBLOCKS_HPP

/// \file Sporos_OrderingBlocks.hpp
/// METIS k-way blocks. Puts elements in blocks of limited size that share few
/// targets, and orders targets by the blocks that write them. Costs some
/// seconds for a million elements; minutes for a thousand vertices that are all
/// neighbours, in blocks of three. Helps most where the data of a block is
/// staged in scratch, as on GPUs.
///
/// Needs SPOROS_HAVE_METIS and linking with metis.

#include <Sporos_OrderingGraph.hpp>
#include <Sporos_OrderingRcm.hpp>

#ifdef SPOROS_HAVE_METIS
#include <metis.h>
#endif

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Files of one program may have METIS or not. What depends on it, up to the
/// functions that users call, is in an inline namespace with a name of its own.
#ifdef SPOROS_HAVE_METIS
#define SPOROS_IMPL_METIS with_metis
#else
#define SPOROS_IMPL_METIS without_metis
#endif

namespace Sporos {
inline namespace SPOROS_IMPL_METIS {

/// Is METIS available?
constexpr bool have_metis() {
#ifdef SPOROS_HAVE_METIS
  return true;
#else
  return false;
#endif
}

}  // namespace SPOROS_IMPL_METIS

/// Vertices in blocks.
struct Blocks {
  int n_blocks = 0;        ///< number of blocks
  std::vector<int> block;  ///< of each vertex, 0 .. n_blocks - 1
};

namespace Impl {

#ifdef SPOROS_HAVE_METIS
/// Sulyok et al.: blocks of at most S come of asking for S' = floor(S / 1.001)
/// with a tolerance of (S + 0.1) / S'. METIS wants each neighbour once, and no
/// vertex among its own.
inline std::vector<int> metis_partition(const Graph& given, int block_size) {
  const int smaller = std::max(1, static_cast<int>(block_size / 1.001));
  idx_t parts       = static_cast<idx_t>((given.size() - 1) / smaller + 1);
  std::vector<int> block(static_cast<std::size_t>(given.size()), 0);
  if (parts < 2) return block;
  GraphBuilder builder(given.size());
  for (int v = 0; v < given.size(); ++v) {
    builder.begin(v);
    for (const int* w = given.begin(v); w != given.end(v); ++w) builder.add(*w);
    builder.end();
  }
  const Graph graph = builder.take();
  idx_t n           = static_cast<idx_t>(graph.size());
  std::vector<idx_t> offsets(graph.offsets.begin(), graph.offsets.end());
  std::vector<idx_t> neighbors(graph.neighbors.begin(), graph.neighbors.end());
  std::vector<idx_t> part(block.size(), 0);
  idx_t constraints = 1, objective = 0;
  real_t tolerance =
      static_cast<real_t>((block_size + 0.1) / static_cast<double>(smaller));
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_OBJTYPE]   = METIS_OBJTYPE_VOL;
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED]      = 1;
  // METIS 5.1 fails now and then on dense graphs, and not for the same call
  // again; results are the same when it does not. (It raises SIGTERM for that,
  // so that one from outside is not told apart.)
  int status = METIS_ERROR;
  for (int tries = 0; status == METIS_ERROR && tries < 8; ++tries)
    status = METIS_PartGraphKway(
        &n, &constraints, offsets.data(), neighbors.data(), nullptr, nullptr,
        nullptr, &parts, nullptr, &tolerance, options, &objective, part.data());
  if (status != METIS_OK)
    throw std::runtime_error(
        "Sporos::metis_blocks: METIS failed with status " +
        std::to_string(status) + " for " + std::to_string(graph.size()) +
        " vertices with " + std::to_string(graph.neighbors.size()) +
        " neighbours in " + std::to_string(parts) + " parts");
  std::copy(part.begin(), part.end(), block.begin());
  return block;
}
#endif

/// Blocks that are too large give vertices away: to the neighbouring block
/// with room that has most of their neighbours, or to a new block.
class BlockRepair {
 public:
  BlockRepair(const Graph& graph, std::vector<int>& block, int limit)
      : m_graph(graph), m_block(block), m_limit(limit) {
    for (int b : block) {
      if (static_cast<std::size_t>(b) >= m_size.size())
        m_size.resize(static_cast<std::size_t>(b) + 1, 0);
      ++m_size[b];
    }
    m_links.resize(m_size.size(), 0);
  }

  void run() {
    for (int v = m_graph.size() - 1; v >= 0; --v)
      if (m_size[m_block[v]] > m_limit) move(v);
  }

 private:
  void move(int v) {
    int best = -1;
    for (const int* w = m_graph.begin(v); w != m_graph.end(v); ++w) {
      const int b = m_block[*w];
      if (m_size[b] >= m_limit) continue;
      ++m_links[b];
      if (best < 0 || m_links[b] > m_links[best]) best = b;
    }
    for (const int* w = m_graph.begin(v); w != m_graph.end(v); ++w)
      m_links[m_block[*w]] = 0;
    if (best < 0) {
      if (m_spare < 0 || m_size[m_spare] >= m_limit) {
        m_spare = static_cast<int>(m_size.size());
        m_size.push_back(0);
        m_links.push_back(0);
      }
      best = m_spare;
    }
    --m_size[m_block[v]];
    ++m_size[best];
    m_block[v] = best;
  }

  const Graph& m_graph;
  std::vector<int>& m_block;
  int m_limit;
  int m_spare = -1;  // the block that takes what finds no room
  std::vector<int> m_size, m_links;
};

/// Numbers blocks anew, without those that are empty, neighbours close to one
/// another.
inline Blocks number_blocks(const Graph& graph, std::vector<int> block) {
  int n = 0;
  for (int b : block) n = std::max(n, b + 1);
  std::vector<int> number(static_cast<std::size_t>(n), -1);
  Blocks blocks;
  for (int& b : block) {
    if (number[b] < 0) number[b] = blocks.n_blocks++;
    b = number[b];
  }
  std::vector<std::vector<int>> members(
      static_cast<std::size_t>(blocks.n_blocks));
  for (int v = 0; v < graph.size(); ++v) members[block[v]].push_back(v);
  GraphBuilder builder(blocks.n_blocks);
  for (int b = 0; b < blocks.n_blocks; ++b) {
    builder.begin(b);
    for (int v : members[b])
      for (const int* w = graph.begin(v); w != graph.end(v); ++w)
        builder.add(block[*w]);
    builder.end();
  }
  const auto renumbered = inverse(reverse_cuthill_mckee(builder.take()));
  for (int& b : block) b = renumbered[b];
  blocks.block = std::move(block);
  return blocks;
}

/// Throws unless each vertex is in one of the blocks.
inline void check_blocks(const char* function, const Blocks& blocks) {
  check(blocks.n_blocks >= 0, function, "blocks.n_blocks", "at least 0",
        blocks.n_blocks);
  for (std::size_t v = 0; v < blocks.block.size(); ++v)
    check(blocks.block[v] >= 0 && blocks.block[v] < blocks.n_blocks, function,
          "blocks.block", text("blocks in [0, ", blocks.n_blocks, ')'),
          blocks.block[v], " of vertex ", v);
}

}  // namespace Impl

inline namespace SPOROS_IMPL_METIS {

/// Blocks of at most block_size vertices with few neighbours in other blocks:
/// METIS' k-way partition with the volume objective, corrected where it exceeds
/// the size. Neighbouring blocks have close numbers. Throws
/// std::invalid_argument for malformed graphs, a block_size below 1, and
/// without METIS. std::runtime_error if METIS fails.
inline Blocks metis_blocks(const Graph& graph, int block_size) {
  constexpr const char* function = "Sporos::metis_blocks";
  Impl::check_undirected(graph, function);
  Impl::check(block_size > 0, function, "block_size", "at least 1", block_size);
  Impl::check(have_metis(), function, "library",
              "a program linked with Sporos::metis (SPOROS_HAVE_METIS)",
              "none");
  std::vector<int> block;
#ifdef SPOROS_HAVE_METIS
  block = Impl::metis_partition(graph, block_size);
#endif
  Impl::BlockRepair(graph, block, block_size).run();
  return Impl::number_blocks(graph, std::move(block));
}

}  // namespace SPOROS_IMPL_METIS

/// Vertices sorted by block, and within a block in the order `within` of all
/// vertices (empty: by number). O(vertices). Throws std::invalid_argument for a
/// block out of range, and if `within` is not an order of the vertices.
inline Order order_by_block(const Blocks& blocks, const Order& within = {}) {
  const int n = static_cast<int>(blocks.block.size());
  Impl::check_blocks("Sporos::order_by_block", blocks);
  Impl::check(within.empty() || within.size() == blocks.block.size(),
              "Sporos::order_by_block", "within", Impl::text("size ", n),
              within.size());
  Impl::check(is_permutation(within), "Sporos::order_by_block", "within",
              Impl::text("each number below ", n, " once"), "another list");
  std::vector<int> next(static_cast<std::size_t>(blocks.n_blocks) + 1, 0);
  for (int b : blocks.block) ++next[b + 1];
  for (int b = 0; b < blocks.n_blocks; ++b) next[b + 1] += next[b];
  Order order(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    const int v                    = within.empty() ? k : within[k];
    order[next[blocks.block[v]]++] = v;
  }
  return order;
}

/// Targets sorted by the number of blocks that write them, then by these blocks
/// (ascending lists), then by number; targets that no item writes come last
/// (Sulyok et al., data points by writing blocks). O(entries + n log n). Throws
/// std::invalid_argument for negative numbers, targets and blocks out of range,
/// and blocks of other items.
template <class Targets>
Order order_by_writing_blocks(int n_items, int n_targets,
                              const Targets& targets, const Blocks& blocks) {
  constexpr const char* name = "Sporos::order_by_writing_blocks";
  const Graph items = Impl::items_of_targets(name, n_items, n_targets, targets);
  Impl::check(static_cast<int>(blocks.block.size()) == n_items, name,
              "blocks.block", Impl::text("size ", n_items),
              blocks.block.size());
  Impl::check_blocks(name, blocks);
  Graph writers;  // blocks of each target
  writers.offsets.reserve(items.offsets.size());
  std::vector<int>& list = writers.neighbors;
  for (int t = 0; t < n_targets; ++t) {
    const auto first = static_cast<std::ptrdiff_t>(list.size());
    for (const int* i = items.begin(t); i != items.end(t); ++i)
      list.push_back(blocks.block[*i]);
    std::sort(list.begin() + first, list.end());
    list.erase(std::unique(list.begin() + first, list.end()), list.end());
    writers.offsets.push_back(static_cast<int>(list.size()));
  }
  Order order = identity_order(n_targets);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const int na = writers.degree(a), nb = writers.degree(b);
    if (na != nb) return na == 0 || nb == 0 ? nb == 0 : na < nb;
    for (int k = 0; k < na; ++k) {
      const int ba = writers.begin(a)[k], bb = writers.begin(b)[k];
      if (ba != bb) return ba < bb;
    }
    return a < b;
  });
  return order;
}

}  // namespace Sporos

#endif
