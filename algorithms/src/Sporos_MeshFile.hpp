// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHFILE_HPP
#define SPOROS_MESHFILE_HPP

/// \file Sporos_MeshFile.hpp
/// Reads and writes the plain-text meshes of OP2's airfoil code
/// (`new_grid.dat`).
///
/// A line is a record; blanks separate its fields. Elements are numbered from
/// 0:
///
///     nodes cells edges boundary_edges
///     x y                                  for each node
///     node0 node1 node2 node3              for each cell
///     node0 node1 cell0 cell1              for each edge between two cells
///     node0 node1 cell flag                for each boundary edge

#include <Sporos_Error.hpp>
#include <Sporos_MeshGenerators.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

// Standard libraries before GCC 11 convert integers only.
#if defined(__cpp_lib_to_chars)
#define SPOROS_MESHFILE_CHARCONV
#endif

/// Reads a number at the beginning of [at, end); text after `end` is a 0.
/// \return where it ends, or null
template <class T>
const char* parse_number(const char* at, const char* end, T& value) {
#ifndef SPOROS_MESHFILE_CHARCONV
  if constexpr (std::is_floating_point<T>::value) {
    char* stop = nullptr;
    if (at == end || std::strchr(" \t\r\n", *at)) return nullptr;
    value = std::strtod(at, &stop);
    return stop == at ? nullptr : stop;
  } else
#endif
  {
    const std::from_chars_result result = std::from_chars(at, end, value);
    return result.ec == std::errc() ? result.ptr : nullptr;
  }
}

inline void append_number(std::string& to, int value) {
  char digits[16];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// The shortest text that is read as the same number again.
inline void append_number(std::string& to, double value) {
  char digits[40];
#ifdef SPOROS_MESHFILE_CHARCONV
  to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
#else
  to.append(digits,
            std::size_t(std::snprintf(digits, sizeof digits, "%.17g", value)));
#endif
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] inline void throw_file_error(const char* function,
                                          const std::string& path,
                                          const char* what) {
  throw std::runtime_error(std::string(function) + ": cannot " + what + ' ' +
                           path + ": " + std::strerror(errno));
}

inline std::string whole_file(const char* function, const std::string& path) {
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) throw_file_error(function, path, "open");
  std::string text;
  std::size_t size = 0;
  do {
    text.resize(std::max(std::size_t(1) << 16, 2 * size));
    size += std::fread(&text[size], 1, text.size() - size, file.get());
  } while (size == text.size());
  if (std::ferror(file.get())) throw_file_error(function, path, "read");
  text.resize(size);
  return text;
}

/// Reads the text of a file field by field.
class MeshReader {
 public:
  MeshReader(const std::string& path, const std::string& contents)
      : m_path(path),
        m_at(contents.data()),
        m_end(contents.data() + contents.size()) {}

  /// Appends the fields of `count` records to arrays; `fields` says which.
  /// \param record what a record is called: "cell"
  template <class... Fields>
  void read(const char* record, int count, const Fields&... fields) {
    m_record = record;
    m_count  = count;
    for (m_number = 0; m_number < count; ++m_number) {
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
  int m_line = 1;
};

}  // namespace Impl

/// Reads a mesh. Blank lines are skipped; every other line must be one record
/// with exactly its fields, and indices must be in range.
/// \throws std::runtime_error with the name of the file; for truncated or
///         corrupt contents also with the line, the record, the field, and the
///         expected and actual text
inline QuadMesh read_mesh(const std::string& path) {
  const std::string contents = Impl::whole_file("Sporos::read_mesh", path);
  Impl::MeshReader file(path, contents);
  using Reader   = Impl::MeshReader;
  const int most = std::numeric_limits<int>::max();
  std::vector<int> counts;
  file.read_header(Reader::field("count", 4, 0, most, counts));
  const int nodes = counts[0], cells = counts[1], edges = counts[2];
  QuadMesh m;
  file.reserve(m.coordinates, nodes, 2);
  const double largest = std::numeric_limits<double>::max();
  file.read("node", nodes,
            Reader::field("coordinate", 2, -largest, largest, m.coordinates));
  const auto node_field = [&](int width, std::vector<int>& to) {
    return Reader::field("node", width, 0, nodes - 1, to);
  };
  const auto cell_field = [&](int width, std::vector<int>& to) {
    return Reader::field("cell", width, 0, cells - 1, to);
  };
  file.reserve(m.cell_nodes, cells, 4);
  file.read("cell", cells, node_field(4, m.cell_nodes));
  file.reserve(m.edge_nodes, edges, 2);
  file.reserve(m.edge_cells, edges, 2);
  file.read("edge", edges, node_field(2, m.edge_nodes),
            cell_field(2, m.edge_cells));
  file.read("boundary edge", counts[3], node_field(2, m.boundary_nodes),
            cell_field(1, m.boundary_cells),
            Reader::field("flag", 1, -most - 1, most, m.boundary_flags));
  file.end_file();
  return m;
}

namespace Impl {

/// Writes a file piece by piece.
class MeshWriter {
 public:
  explicit MeshWriter(const std::string& path)
      : m_path(path), m_file(std::fopen(path.c_str(), "wb")) {
    if (!m_file) throw_file_error("Sporos::write_mesh", path, "create");
  }

  template <class T>
  void fields(const T* values, int count) {
    for (int k = 0; k < count; ++k) {
      append_number(m_text, values[k]);
      m_text += ' ';
    }
  }
  void end_record() {
    m_text.back() = '\n';
    if (m_text.size() > std::size_t(1) << 20) flush();
  }
  void close() {
    flush();
    if (std::fclose(m_file.release()) != 0) fail();
  }

 private:
  void flush() {
    if (std::fwrite(m_text.data(), 1, m_text.size(), m_file.get()) !=
        m_text.size())
      fail();
    m_text.clear();
  }
  [[noreturn]] void fail() {
    throw_file_error("Sporos::write_mesh", m_path, "write");
  }

  const std::string& m_path;
  FileHandle m_file;
  std::string m_text;
};

/// Throws unless the arrays of a mesh belong together.
inline void check_mesh(const QuadMesh& m) {
  const auto same = [](const char* name, std::size_t actual, int elements,
                       int width) {
    const std::size_t expected = std::size_t(elements) * std::size_t(width);
    check(actual == expected, "Sporos::write_mesh", name,
          text(expected, " values"), actual);
  };
  same("coordinates", m.coordinates.size(), m.nodes(), 2);
  same("cell_nodes", m.cell_nodes.size(), m.cells(), 4);
  same("edge_nodes", m.edge_nodes.size(), m.edges(), 2);
  same("edge_cells", m.edge_cells.size(), m.edges(), 2);
  same("boundary_nodes", m.boundary_nodes.size(), m.boundary_edges(), 2);
  same("boundary_flags", m.boundary_flags.size(), m.boundary_edges(), 1);
}

}  // namespace Impl

/// Writes a mesh. read_mesh reads the same bits back.
/// \throws std::invalid_argument for arrays whose sizes do not fit together
/// \throws std::runtime_error with the name of the file if writing fails
inline void write_mesh(const std::string& path, const QuadMesh& m) {
  Impl::check_mesh(m);
  Impl::MeshWriter file(path);
  const int counts[] = {m.nodes(), m.cells(), m.edges(), m.boundary_edges()};
  file.fields(counts, 4);
  file.end_record();
  const auto row = [&file](const auto& values, int element, int width) {
    file.fields(&values[std::size_t(element) * std::size_t(width)], width);
  };
  for (int n = 0; n < m.nodes(); ++n) {
    row(m.coordinates, n, 2);
    file.end_record();
  }
  for (int c = 0; c < m.cells(); ++c) {
    row(m.cell_nodes, c, 4);
    file.end_record();
  }
  for (int e = 0; e < m.edges(); ++e) {
    row(m.edge_nodes, e, 2);
    row(m.edge_cells, e, 2);
    file.end_record();
  }
  for (int b = 0; b < m.boundary_edges(); ++b) {
    row(m.boundary_nodes, b, 2);
    row(m.boundary_cells, b, 1);
    row(m.boundary_flags, b, 1);
    file.end_record();
  }
  file.close();
}

}  // namespace Sporos

#undef SPOROS_MESHFILE_CHARCONV

#endif
