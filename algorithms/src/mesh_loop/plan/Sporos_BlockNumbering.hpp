// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BLOCKNUMBERING_HPP
#define SPOROS_BLOCKNUMBERING_HPP

/// \file Sporos_BlockNumbering.hpp
/// The targets of a block of elements, sorted, each once, and where each entry
/// of its maps is among them. O(entries) while the targets lie close together
/// (a bit for each in their range), else O(entries log entries of the block).

#include <Sporos_Coloring.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

// On hosts, where Kokkos before 4.1 has nothing of the kind.
#if defined(__GNUC__) || defined(__clang__)
inline int bits_in(std::uint64_t x) { return __builtin_popcountll(x); }
inline int lowest_bit(std::uint64_t x) { return __builtin_ctzll(x); }
#else
inline int bits_in(std::uint64_t x) { return popcount(x); }
inline int lowest_bit(std::uint64_t x) { return countr_zero(x); }
#endif

/// Result and workspace of BlockNumbering::number.
struct BlockLocals {
  std::vector<int> unique;  ///< sorted targets
  /// of each entry, element by element: position in unique
  std::vector<int> local;
  int slots = 0;  ///< entries of an element

  std::vector<std::uint64_t> bits;
  std::vector<int> before;
};

/// Targets of the elements of a block in local numbers, for colouring.
struct LocalTargets {
  const BlockLocals& locals;
  template <class F>
  void for_each(int item, F&& f) const {
    for (int s = 0; s < locals.slots; ++s)
      f(locals.local[std::size_t(item) * locals.slots + s]);
  }
};

struct BlockNumbering {
  std::vector<TargetTable<int>> tables;
  int slots = 0;

  /// Numbers the targets of rows begin, ..., begin + count - 1.
  void number(int begin, int count, BlockLocals& b) const {
    b.slots = slots;
    b.local.resize(std::size_t(count) * slots);
    int low = std::numeric_limits<int>::max(), high = -1;
    std::size_t k = 0;
    for (int e = begin; e < begin + count; ++e)
      for (const TargetTable<int>& t : tables)
        for (int s = 0; s < t.arity; ++s) {
          const int target =
              t.first_target + t.data[e * t.item_stride + s * t.slot_stride];
          low          = std::min(low, target);
          high         = std::max(high, target);
          b.local[k++] = target;
        }
    b.unique.clear();
    if (k == 0) return;
    const auto words = std::size_t(high / 64 - low / 64 + 1);
    if (words <= most_words_of_entry * k)
      by_bits(low / 64, words, b);
    else
      by_sorting(b);
  }

 private:
  static void by_bits(int first_word, std::size_t words, BlockLocals& b) {
    b.bits.assign(words, 0);
    b.before.resize(words);
    const unsigned low        = unsigned(first_word) * 64;
    std::uint64_t* const bits = b.bits.data();
    for (const int t : b.local)
      bits[(unsigned(t) - low) / 64] |= std::uint64_t(1) << (unsigned(t) % 64);
    int n = 0;
    for (std::size_t w = 0; w < words; ++w) {
      b.before[w] = n;
      n += bits_in(bits[w]);
    }
    b.unique.resize(std::size_t(n));
    int* to = b.unique.data();
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
        *to++ = int(low) + int(w) * 64 + lowest_bit(rest);
    const int* const before = b.before.data();
    for (int& t : b.local) {
      const unsigned w = (unsigned(t) - low) / 64;
      t                = before[w] +
          bits_in(bits[w] & ((std::uint64_t(1) << (unsigned(t) % 64)) - 1));
    }
  }
  static void by_sorting(BlockLocals& b) {
    b.unique = b.local;
    std::sort(b.unique.begin(), b.unique.end());
    b.unique.erase(std::unique(b.unique.begin(), b.unique.end()),
                   b.unique.end());
    for (int& t : b.local)
      t = int(std::lower_bound(b.unique.begin(), b.unique.end(), t) -
              b.unique.begin());
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
