// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHREADER_HPP
#define SPOROS_MESHREADER_HPP

/// \file Sporos_MeshReader.hpp
/// Reads the records of text meshes (Sporos_MeshFile.hpp), all of them or some.

#include <Sporos_Error.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <mesh/files/Sporos_MeshText.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Reads the text of a file field by field.
class MeshReader {
 public:
  /// \param contents whole lines of the file
  /// \param line number of the first of them
  MeshReader(const std::string& path, const std::string& contents,
             std::int64_t line = 1)
      : m_path(path),
        m_at(contents.data()),
        m_end(contents.data() + contents.size()),
        m_line(line) {}

  /// Appends the fields of the records [first, end) of `count` to arrays;
  /// `fields` says which.
  /// \param record what a record is called: "cell"
  template <class... Fields>
  void read(const char* record, int count, int first, int end,
            const Fields&... fields) {
    m_record = record;
    m_count  = count;
    for (m_number = first; m_number < end; ++m_number) {
      begin_line();
      (read_field(fields), ...);
      end_line();
    }
  }

  /// The first record, of which there is one.
  template <class Fields>
  void read_header(const Fields& fields) {
    m_record = "header";
    begin_line();
    read_field(fields);
    end_line();
  }

  /// Several fields of one kind.
  template <class T>
  struct Field {
    const char* name;
    int width;
    T lowest, highest;
    std::vector<T>& to;
  };
  template <class T>
  static Field<T> field(const char* name, int width, T lowest, T highest,
                        std::vector<T>& to) {
    return {name, width, lowest, highest, to};
  }

  /// Room for as many values as the rest of the file can hold.
  template <class T>
  void reserve(std::vector<T>& values, int count, int width) const {
    values.reserve(std::min(std::size_t(count) * std::size_t(width),
                            std::size_t(m_end - m_at) / 2));
  }

  void end_file() {
    skip_space();
    if (m_at < m_end) fail(text("expected the end of the file, got ", word()));
  }

 private:
  bool at_line_end() const { return m_at == m_end || *m_at == '\n'; }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  void skip_blanks() {
    while (m_at < m_end && is_blank(*m_at)) ++m_at;
  }
  void skip_space() {
    for (skip_blanks(); m_at < m_end && *m_at == '\n'; skip_blanks()) {
      ++m_at;
      ++m_line;
    }
  }

  void begin_line() {
    skip_space();
    if (m_at == m_end)
      fail(m_count == 0 ? "the file is empty"
                        : "the file ends before " + label() + " of " +
                              std::to_string(m_count));
  }
  void end_line() {
    skip_blanks();
    if (!at_line_end())
      fail(text(label(), ": expected the end of the line, got ", word()));
  }

  template <class T>
  void read_field(const Field<T>& f) {
    for (int k = 0; k < f.width; ++k) {
      skip_blanks();
      T value{};
      const char* stop = parse_number(m_at, m_end, value);
      // false for a NaN, too
      const bool ok = stop != nullptr && value >= f.lowest &&
                      value <= f.highest &&
                      (stop == m_end || is_blank(*stop) || *stop == '\n');
      if (!ok) refuse(f, k);
      m_at = stop;
      f.to.push_back(value);
    }
  }

  template <class T>
  [[noreturn, gnu::noinline, gnu::cold]] void refuse(const Field<T>& f, int k) {
    std::ostringstream expected;
    if (std::is_same<T, double>::value)
      expected << "a finite number";
    else if (f.highest < f.lowest)
      expected << "no " << f.name << ", as the mesh has none";
    else
      expected << "an integer from " << f.lowest << " to " << f.highest;
    const std::string number = f.width == 1 ? "" : ' ' + std::to_string(k);
    fail(text(label(), ", ", f.name, number, ": expected ", expected.str(),
              ", got ", word()));
  }

  /// "cell 3"
  std::string label() const {
    return m_count == 0 ? m_record
                        : m_record + (' ' + std::to_string(m_number));
  }

  /// What stands where something else was expected.
  std::string word() const {
    if (m_at == m_end) return "the end of the file";
    if (*m_at == '\n') return "the end of the line";
    std::string w;
    for (const char* c = m_at; c < m_end && w.size() < 40; ++c) {
      if (is_blank(*c) || *c == '\n') break;
      w += *c >= ' ' && *c <= '~' ? *c : '?';
    }
    return '\'' + w + '\'';
  }

  template <class Message>
  [[noreturn, gnu::noinline, gnu::cold]] void fail(const Message& message) {
    std::ostringstream out;
    out << "Sporos::read_mesh: " << m_path << ':' << m_line << ": " << message;
    throw std::runtime_error(out.str());
  }

  const std::string& m_path;
  const char* m_at;
  const char* m_end;
  const char* m_record = "";
  int m_count = 0, m_number = 0;  // no records yet: the header
  std::int64_t m_line;
};

/// Numbers of nodes, cells, edges and boundary edges.
inline std::vector<int> read_counts(MeshReader& file) {
  std::vector<int> counts;
  file.read_header(MeshReader::field("count", 4, 0,
                                     std::numeric_limits<int>::max(), counts));
  return counts;
}

/// The records [first, end) of all of a file, which follow the header.
inline QuadMesh read_records(MeshReader& file, const std::vector<int>& counts,
                             std::int64_t first, std::int64_t end) {
  using Reader       = MeshReader;
  const int most     = std::numeric_limits<int>::max();
  const auto largest = std::numeric_limits<double>::max();
  QuadMesh m;
  const auto section = [&](const char* record, int count,
                           const auto&... field) {
    const auto inside = [count](std::int64_t k) {
      return int(std::max<std::int64_t>(0, std::min<std::int64_t>(k, count)));
    };
    const int from = inside(first), to = inside(end);
    (file.reserve(field.to, to - from, field.width), ...);
    file.read(record, count, from, to, field...);
    first -= count;
    end -= count;
  };
  const auto node_field = [&](int width, std::vector<int>& to) {
    return Reader::field("node", width, 0, counts[0] - 1, to);
  };
  const auto cell_field = [&](int width, std::vector<int>& to) {
    return Reader::field("cell", width, 0, counts[1] - 1, to);
  };
  section("node", counts[0],
          Reader::field("coordinate", 2, -largest, largest, m.coordinates));
  section("cell", counts[1], node_field(4, m.cell_nodes));
  section("edge", counts[2], node_field(2, m.edge_nodes),
          cell_field(2, m.edge_cells));
  section("boundary edge", counts[3], node_field(2, m.boundary_nodes),
          cell_field(1, m.boundary_cells),
          Reader::field("flag", 1, -most - 1, most, m.boundary_flags));
  return m;
}

/// All of them.
inline std::int64_t number_of_records(const std::vector<int>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t(0));
}

}  // namespace Impl
}  // namespace Sporos

#endif
