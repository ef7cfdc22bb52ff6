// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What fuzz targets share: files in memory, input byte by byte, properties.

#ifndef SPOROS_FUZZ_HPP
#define SPOROS_FUZZ_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace Sporos {
namespace Fuzz {

/// Ends the program, which libFuzzer reports with the input, unless `holds`.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what.c_str());
  std::abort();
}

/// A file in memory (Linux), for what reads and writes files by their names.
class MemoryFile {
 public:
  MemoryFile()
      : m_number(memfd_create("sporos_fuzz", 0)),
        m_path("/proc/self/fd/" + std::to_string(m_number)) {
    require(m_number >= 0, "memfd_create gives a file");
  }
  MemoryFile(const MemoryFile&)            = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(m_number); }

  const std::string& path() const { return m_path; }

  void assign(const std::uint8_t* data, std::size_t size) const {
    require(ftruncate(m_number, 0) == 0 &&
                pwrite(m_number, data, size, 0) == ssize_t(size),
            "a file in memory can be written");
  }

 private:
  int m_number;
  std::string m_path;
};

/// The input, byte by byte; zeros after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size)
      : m_at(data), m_end(data + size) {}

  int next() { return m_at == m_end ? 0 : *m_at++; }
  /// 0 to n - 1
  int below(int n) { return next() % n; }
  bool flag() { return next() % 2 != 0; }

 private:
  const std::uint8_t *m_at, *m_end;
};

}  // namespace Fuzz
}  // namespace Sporos

#endif
