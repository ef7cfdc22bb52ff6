// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPARSEMEMORY_HPP
#define SPOROS_SPARSEMEMORY_HPP

/// \file Sporos_SparseMemory.hpp
/// Arrays that are larger than the memory of the machine, for tests of offsets
/// that do not fit into 32 bits.

#include <cstddef>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace Sporos {
namespace Test {

/// n zeros; only the pages that are written take memory. data() is null where
/// the system does not give that much.
template <class T>
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t n) : m_bytes(n * sizeof(T)) {
#if defined(__linux__)
    void* const pages =
        mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return;
    madvise(pages, m_bytes, MADV_NOHUGEPAGE);  // those take two megabytes each
    m_data = static_cast<T*>(pages);
#endif
  }
  ~SparseMemory() {
#if defined(__linux__)
    if (m_data != nullptr) munmap(m_data, m_bytes);
#endif
  }
  SparseMemory(const SparseMemory&)            = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  T* data() const { return m_data; }

 private:
  std::size_t m_bytes;
  T* m_data = nullptr;
};

}  // namespace Test
}  // namespace Sporos

#endif
