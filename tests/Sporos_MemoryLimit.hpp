// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Memory that runs out, for tests of what allocates. Linux only.

#ifndef SPOROS_MEMORYLIMIT_HPP
#define SPOROS_MEMORYLIMIT_HPP

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace Sporos {
namespace Test {

/// This process gets no more than so many further bytes of addresses meanwhile.
class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t more) {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &m_before);
    const rlimit now{pages * rlim_t(sysconf(_SC_PAGESIZE)) + more,
                     m_before.rlim_max};
    setrlimit(RLIMIT_AS, &now);
  }
  MemoryLimit(const MemoryLimit&)            = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &m_before); }

 private:
  rlimit m_before{};
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_MEMORYLIMIT_HPP
