// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints hashes of what the engine computes; they must not depend on the
// number of threads.

#include "Sporos_Hash.hpp"
#include "Sporos_SlowRun.hpp"

#include <Sporos_SegmentedReduce.hpp>
#include <Sporos_SortByKey.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

/// A hash as a random number.
KOKKOS_INLINE_FUNCTION std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <class Key>
struct FillKeys {
  Kokkos::View<Key*, Exec> m_keys;
  int m_distinct;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    m_keys(i) = static_cast<Key>(scramble(std::uint64_t(i) + 1) %
                                 std::uint64_t(m_distinct));
  }
};

struct FillColumns {
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> m_columns;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    for (int c = 0; c < int(m_columns.extent(1)); ++c)
      m_columns(i, c) =
          static_cast<double>(scramble(std::uint64_t(i * 16 + c)) >> 11) *
          0x1p-53;
  }
};

template <class Key>
void run(int n, int distinct, int bits) {
  const Exec exec{};
  const std::size_t rows = std::size_t(n);
  Kokkos::View<Key*, Exec> keys("keys", rows), unique("unique", rows);
  Kokkos::View<int*, Exec> permutation("permutation", rows);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> columns("columns", rows, 9),
      sums("sums", rows, 9);
  Kokkos::View<int, Exec> count("count");
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Exec>(exec, 0, n),
                       FillKeys<Key>{keys, distinct});
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Exec>(exec, 0, n),
                       FillColumns{columns});
  Sporos::SortWorkspace<Key, Memory> sort;
  Sporos::ReduceWorkspace<Memory> reduce;
  Sporos::sort_by_key(exec, sort, keys, permutation, bits);
  Sporos::reduce_by_key(exec, reduce, keys, columns, unique, sums, count);
  Kokkos::fence();
  const std::string what =
      std::to_string(n) + " rows, " + std::to_string(distinct) + " keys, ";
  Sporos::Test::print_hash(what + "sorted", Sporos::Test::hash(keys));
  Sporos::Test::print_hash(what + "permutation",
                           Sporos::Test::hash(permutation));
  Sporos::Test::print_hash(what + "count", Sporos::Test::hash(count));
  Sporos::Test::print_hash(what + "sums", Sporos::Test::hash(sums));
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Sporos::Test::print_threads(Exec{});
  const int part = Sporos::Test::slow_run ? 10 : 1;
  for (int n : {1, 1000, 65536 / part, 300007 / part})
    for (int distinct : {1, 5, 1000, 2000000})
      run<std::uint32_t>(n, distinct, 21);
  run<std::uint64_t>(200003 / part, 1 << 30, 40);
}
