// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GMSHINPUT_HPP
#define SPOROS_GMSHINPUT_HPP

/// \file Sporos_GmshInput.hpp
/// The contents of a Gmsh file, number by number: as text, or as raw bytes.

#include <Sporos_Error.hpp>
#include <mesh/files/Sporos_MeshText.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// What is being read, for messages: "node 3, coordinate".
struct GmshField {
  const char* record;
  std::int64_t number;  ///< from 0; negative: the record has none
  const char* name;
};

class GmshInput {
 public:
  GmshInput(const std::string& path, const std::string& contents)
      : m_path(path),
        m_begin(contents.data()),
        m_at(m_begin),
        m_end(m_begin + contents.size()) {}

  /// Numbers that raw() reads are bytes of this machine from now on.
  void set_binary() { m_binary = true; }
  bool is_binary() const { return m_binary; }

  /// The next number, as text.
  template <class T>
  T number(const GmshField& field, T lowest = std::numeric_limits<T>::lowest(),
           T highest = std::numeric_limits<T>::max()) {
    skip_space();
    T value{};
    const char* const stop = parse_number(m_at, m_end, value);
    const bool ends = stop == m_end || (stop != nullptr && is_space(*stop));
    // false for a NaN, too
    if (stop == nullptr || !ends || !(value >= lowest && value <= highest))
      refuse_number(field, lowest, highest, word());
    m_at = stop;
    return value;
  }

  /// The next number of a section that binary files have in bytes.
  template <class T>
  T raw(const GmshField& field, T lowest = std::numeric_limits<T>::lowest(),
        T highest = std::numeric_limits<T>::max()) {
    if (!m_binary) return number(field, lowest, highest);
    T value{};
    if (std::size_t(m_end - m_at) < sizeof(T))
      refuse_number(field, lowest, highest, "the end of the file");
    std::memcpy(&value, m_at, sizeof(T));
    if (!(value >= lowest && value <= highest))
      refuse_number(field, lowest, highest, value);
    m_at += sizeof(T);
    return value;
  }

  /// Leaves the line whose end separates text from bytes.
  void begin_bytes() {
    if (!m_binary) return;
    while (m_at < m_end && *m_at != '\n') {
      if (!is_space(*m_at))
        fail(text("expected the end of the line, got ", word()));
      ++m_at;
    }
    if (m_at < m_end) ++m_at;
  }

  /// The name of the next section, "" at the end of the file.
  std::string section() {
    skip_space();
    if (m_at == m_end) return "";
    if (*m_at != '$')
      fail(text("expected a section such as $Nodes, got ", word()));
    const char* const begin = ++m_at;
    while (m_at < m_end && !is_space(*m_at)) ++m_at;
    return std::string(begin, m_at);
  }
  void end_section(const std::string& name) {
    skip_space();
    const std::string mark = "$End" + name;
    if (std::size_t(m_end - m_at) < mark.size() ||
        !std::equal(mark.begin(), mark.end(), m_at))
      fail(text("expected ", mark, ", got ", word()));
    m_at += mark.size();
  }
  void skip_section(const std::string& name) {
    const std::string mark = "\n$End" + name;
    const char* at         = m_at;
    const char* after;
    do {
      at = std::search(at, m_end, mark.begin(), mark.end());
      if (at == m_end)
        fail(text("expected $End", name, ", got the end of the file"));
      after = at + mark.size();
      ++at;
    } while (after != m_end && !is_space(*after));  // the end of another one
    m_at = after;
  }

  /// A name in double quotes, in one line.
  std::string quoted(const GmshField& field) {
    skip_space();
    if (m_at < m_end && *m_at == '"') {
      const char* const begin = m_at + 1;
      const char* const line  = std::find(begin, m_end, '\n');
      const char* const end   = std::find(begin, line, '"');
      if (end != line) {
        m_at = end + 1;
        return std::string(begin, end);
      }
    }
    fail(
        text(label(field), ": expected a name in double quotes, got ", word()));
  }

  /// Throws for a field; what is expected and there may be any that streams
  /// take.
  template <class Expected, class Got>
  [[noreturn, gnu::noinline, gnu::cold]] void refuse(const GmshField& field,
                                                     const Expected& expected,
                                                     const Got& got) const {
    fail(text(label(field), ": expected ", expected, ", got ", got));
  }
  /// Throws with the place: the line of a text file, the byte of a binary one.
  template <class Message>
  [[noreturn, gnu::noinline, gnu::cold]] void fail(
      const Message& message) const {
    std::ostringstream out;
    out << "Sporos::read_mesh_gmsh: " << m_path;
    if (m_binary)
      out << ": byte " << m_at - m_begin;
    else
      out << ':' << 1 + std::count(m_begin, m_at, '\n');
    out << ": " << message;
    throw std::runtime_error(out.str());
  }

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
  void skip_space() {
    while (m_at < m_end && is_space(*m_at)) ++m_at;
  }
  static std::string label(const GmshField& f) {
    const std::string number =
        f.number < 0 ? "" : ' ' + std::to_string(f.number);
    return f.record + number + ", " + f.name;
  }
  /// What stands where something else was expected.
  std::string word() const {
    if (m_at == m_end) return "the end of the file";
    std::string w;
    for (const char* c = m_at; c < m_end && w.size() < 40; ++c) {
      if (is_space(*c)) break;
      w += *c >= ' ' && *c <= '~' ? *c : '?';
    }
    return '\'' + w + '\'';
  }
  template <class T, class Got>
  [[noreturn, gnu::noinline, gnu::cold]] void refuse_number(
      const GmshField& field, T lowest, T highest, const Got& got) const {
    if (std::is_floating_point<T>::value) refuse(field, "a finite number", got);
    refuse(field, text("an integer from ", lowest, " to ", highest), got);
  }

  const std::string& m_path;
  const char *m_begin, *m_at, *m_end;
  bool m_binary = false;
};

}  // namespace Impl
}  // namespace Sporos

#endif
