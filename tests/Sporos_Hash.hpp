// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// For repeatability tests: programs that print hashes of results, which must
/// be the same with any number of threads (sporos_add_repeatability_test).

#ifndef SPOROS_HASH_HPP
#define SPOROS_HASH_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace Sporos {
namespace Test {

/// FNV-1a over bytes.
inline std::uint64_t hash_bytes(const void* data, std::size_t size) {
  const auto* bytes  = static_cast<const unsigned char*>(data);
  std::uint64_t hash = 14695981039346656037ull;
  for (std::size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 1099511628211ull;
  return hash;
}

/// Hash of all bits of a contiguous view, in the order in memory.
template <class View>
std::uint64_t hash(const View& view) {
  Kokkos::fence();
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return hash_bytes(host.data(),
                    host.span() * sizeof(typename View::value_type));
}

/// A line that is compared.
inline void print_hash(const std::string& what, std::uint64_t hash) {
  std::printf("%s %016llx\n", what.c_str(),
              static_cast<unsigned long long>(hash));
}

/// The line that says how many threads the program really had.
template <class Exec>
void print_threads(const Exec& exec) {
  std::printf("# threads: %d\n", static_cast<int>(exec.concurrency()));
}

}  // namespace Test
}  // namespace Sporos

#endif
