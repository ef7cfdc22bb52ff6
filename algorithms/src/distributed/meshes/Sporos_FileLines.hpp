// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FILELINES_HPP
#define SPOROS_FILELINES_HPP

/// \file Sporos_FileLines.hpp
/// The lines of a text file in blocks, a block for each MPI rank.

#include <Sporos_Communicator.hpp>
#include <mesh/files/Sporos_MeshText.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>

namespace Sporos {
namespace Impl {

/// Is there something else than blanks in the line text[begin, end)?
inline bool is_record(const std::string& text, std::size_t begin,
                      std::size_t end) {
  const std::string_view line(text.data() + begin, end - begin);
  return line.find_first_not_of(" \t\r\n") != line.npos;
}

/// A file of which some bytes are read.
class ByteReader {
 public:
  ByteReader(const char* function, const std::string& path)
      : m_function(function), m_path(path) {
    errno = 0;
    m_in.open(path, std::ios::binary);
    if (!m_in) fail("open");
    m_in.seekg(0, std::ios::end);
    m_size = std::int64_t(m_in.tellg());
    if (!m_in || m_size < 0) fail("read");
  }

  std::int64_t size() const { return m_size; }

  /// The bytes [begin, end), as far as the file has them.
  std::string bytes(std::int64_t begin, std::int64_t end) {
    end = end < m_size ? end : m_size;
    if (begin >= end) return {};
    std::string text(std::size_t(end - begin), '\0');
    m_in.seekg(std::streamoff(begin));
    m_in.read(&text[0], std::streamsize(text.size()));
    if (!m_in) fail("read");
    return text;
  }

  /// The lines that begin in [begin, end), to their ends.
  std::string lines(std::int64_t begin, std::int64_t end) {
    // a line begins where the byte before ends one
    const std::int64_t from = begin > 0 ? begin - 1 : 0;
    std::string text        = bytes(from, end);
    if (begin > 0) {
      const std::size_t stop = text.find('\n');
      if (stop >= text.size() - 1) return {};
      text.erase(0, stop + 1);
    }
    complete(text, end);
    return text;
  }

  /// Appends what is left of the last line of a text that ends at byte `at`.
  void complete(std::string& text, std::int64_t at) {
    while (!text.empty() && text.back() != '\n' && at < m_size) {
      const std::string more = bytes(at, at + 4096);
      text.append(more, 0, more.find('\n') + (more.find('\n') < more.size()));
      at += std::int64_t(more.size());
    }
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw_file_error(m_function, m_path, what);
  }

  const char* m_function;
  const std::string& m_path;
  std::ifstream m_in;
  std::int64_t m_size = 0;
};

/// The lines of a file up to the first one that is not blank.
inline std::string first_line(const char* function, const std::string& path) {
  ByteReader file(function, path);
  std::string text;
  for (std::int64_t at = 0; at < file.size(); at = std::int64_t(text.size())) {
    text += file.lines(at, at + 1);
    if (is_record(text, std::size_t(at), text.size())) break;
  }
  return text;
}

/// Collective. The lines of a file that begin in this rank's part of its bytes,
/// and how many come before.
class FileLines {
 public:
  FileLines(const Communicator& comm, const char* function,
            const std::string& path) {
    agree_on(comm, function, [&] {
      ByteReader file(function, path);
      const auto cut = [&](int rank) {
        // exact for files below 2^63 / ranks bytes
        return file.size() * rank / comm.size();
      };
      m_text = file.lines(cut(comm.rank()), cut(comm.rank() + 1));
    });
    const std::int64_t mine[2] = {count_records(), count_lines()};
    std::int64_t before[2]     = {0, 0};
    check_mpi(MPI_Exscan(mine, before, 2, MPI_INT64_T, MPI_SUM, comm.mpi()),
              function, "MPI_Exscan");
    m_records      = mine[0];
    m_first_record = comm.rank() == 0 ? 0 : before[0];
    m_first_line   = comm.rank() == 0 ? 1 : before[1] + 1;
  }

  const std::string& text() const { return m_text; }
  /// Lines of this rank that are not blank.
  std::int64_t records() const { return m_records; }
  /// How many of those come before, on other ranks.
  std::int64_t first_record() const { return m_first_record; }
  /// Number of the first line of this rank, from 1.
  std::int64_t first_line() const { return m_first_line; }

 private:
  std::int64_t count_records() const {
    std::int64_t n = 0;
    for (std::size_t at = 0; at < m_text.size();) {
      const std::size_t end = std::min(m_text.find('\n', at), m_text.size());
      n += is_record(m_text, at, end) ? 1 : 0;
      at = end + 1;
    }
    return n;
  }
  /// Lines that end: the last one of the file need not.
  std::int64_t count_lines() const {
    return std::count(m_text.begin(), m_text.end(), '\n');
  }

  std::string m_text;
  std::int64_t m_records = 0, m_first_record = 0, m_first_line = 1;
};

}  // namespace Impl
}  // namespace Sporos

#endif
