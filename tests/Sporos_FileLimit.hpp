// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A disk that is full, for tests of what writes files.

#ifndef SPOROS_FILELIMIT_HPP
#define SPOROS_FILELIMIT_HPP

#include <sys/resource.h>

#include <csignal>

namespace Sporos {
namespace Test {

/// This process writes no bytes of files beyond the first `bytes` meanwhile:
/// it gets the error "File too large".
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit now{bytes, m_before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  FileLimit(const FileLimit&)            = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }

 private:
  void (*m_handler)(int);
  rlimit m_before{};
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_FILELIMIT_HPP
