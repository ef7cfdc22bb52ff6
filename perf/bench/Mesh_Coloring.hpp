// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_COLORING_HPP
#define SPOROS_BENCH_MESH_COLORING_HPP

/// \file Mesh_Coloring.hpp
/// Hand-written loops over elements that increment what they share: one thread,
/// blocks of elements coloured and run by OpenMP, and atomic additions. Plain
/// code, without Sporos and Kokkos.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef _OPENMP
#define SPOROS_BENCH_OPENMP(clauses) _Pragma(clauses)
#else
#define SPOROS_BENCH_OPENMP(clauses)
#endif

namespace Bench {
namespace ByHand {

/// Blocks of consecutive elements, sorted by colour: no two blocks of a colour
/// share a target.
struct BlockColors {
  int elements   = 0;
  int block_size = 0;
  std::vector<int> blocks;  ///< by colour
  std::vector<int> first;   ///< of each colour in blocks, and the end
};

/// Greedy, 64 colours at a time.
/// \param targets arity per element
inline BlockColors color_blocks(const std::vector<int>& targets, int arity,
                                int number_of_targets, int block_size) {
  BlockColors c;
  c.elements     = int(targets.size() / std::size_t(arity));
  c.block_size   = block_size;
  const int size = (c.elements + block_size - 1) / block_size;
  const auto row = std::size_t(block_size) * std::size_t(arity);
  std::vector<int> color(std::size_t(size), -1);
  int colors = 0, left = size;
  for (int base = 0; left > 0; base += 64) {
    std::vector<std::uint64_t> used(std::size_t(number_of_targets), 0);
    for (std::size_t b = 0; b < color.size(); ++b) {
      if (color[b] >= 0) continue;
      const auto begin = targets.begin() + std::ptrdiff_t(b * row);
      const auto end   = targets.begin() +
                       std::ptrdiff_t(std::min((b + 1) * row, targets.size()));
      std::uint64_t taken = 0;
      for (auto t = begin; t != end; ++t) taken |= used[std::size_t(*t)];
      if (taken == ~std::uint64_t(0)) continue;
      int bit = 0;
      while (taken >> bit & 1) ++bit;
      for (auto t = begin; t != end; ++t)
        used[std::size_t(*t)] |= std::uint64_t(1) << bit;
      color[b] = base + bit;
      colors   = std::max(colors, base + bit + 1);
      --left;
    }
  }
  c.blocks.resize(std::size_t(size));
  c.first.assign(std::size_t(colors) + 1, 0);
  for (const int k : color) ++c.first[std::size_t(k) + 1];
  for (std::size_t k = 1; k < c.first.size(); ++k) c.first[k] += c.first[k - 1];
  std::vector<int> next = c.first;
  for (int b = 0; b < size; ++b)
    c.blocks[std::size_t(next[std::size_t(color[std::size_t(b)])]++)] = b;
  return c;
}

/// element(e) for all elements of one thread.
template <class Element>
void serial(int elements, const Element& element) {
  for (int e = 0; e < elements; ++e) element(e);
}

/// element(e) for all elements of all threads at once.
template <class Element>
void parallel(int elements, const Element& element) {
  SPOROS_BENCH_OPENMP("omp parallel for schedule(static)")
  for (int e = 0; e < elements; ++e) element(e);
}

template <class Element>
void block_colored(const BlockColors& c, const Element& element) {
  for (std::size_t color = 0; color + 1 < c.first.size(); ++color) {
    SPOROS_BENCH_OPENMP("omp parallel for schedule(static)")
    for (int k = c.first[color]; k < c.first[color + 1]; ++k) {
      const int begin = c.blocks[std::size_t(k)] * c.block_size;
      const int end   = std::min(begin + c.block_size, c.elements);
      for (int e = begin; e < end; ++e) element(e);
    }
  }
}

/// Adds N increments to a target that other threads may add to.
template <int N, class T>
inline void atomic_add(T* target, const T* increments) {
  for (int c = 0; c < N; ++c) {
    SPOROS_BENCH_OPENMP("omp atomic")
    target[c] += increments[c];
  }
}

}  // namespace ByHand
}  // namespace Bench

#endif
