// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_NETCDF_HPP
#define SPOROS_APP_NETCDF_HPP

/// \file App_NetCdf.hpp
/// NetCDF files, without a library: the classic format with 64-bit offsets.

#include "App_WholeFile.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace AppCommon {

/// Collects dimensions, texts and variables of doubles, and writes them. The
/// file has its name when it is complete; before, ".part" follows.
class NetCdfFile {
 public:
  using Texts = std::vector<std::pair<std::string, std::string>>;

  explicit NetCdfFile(std::string path) : m_path(std::move(path)) {}

  /// \return number of the dimension
  int dimension(const std::string& name, int size) {
    m_dimensions.push_back({name, size});
    return static_cast<int>(m_dimensions.size()) - 1;
  }
  /// An attribute of the file.
  void text(const std::string& name, const std::string& value) {
    m_texts.push_back({name, value});
  }
  /// \param dimensions numbers of them, the slowest first
  /// \param values as many as the dimensions have; NaN: none
  void variable(const std::string& name, const std::vector<int>& dimensions,
                const std::vector<double>& values, const Texts& texts) {
    m_variables.push_back({name, dimensions, values, texts});
  }

  /// \throws std::runtime_error that names a file that cannot be written
  void close() const {
    // the length of the header does not depend on the places in it
    const std::string bytes = header(header(0).size());
    write_whole(m_path, [&](const std::string& part) -> std::string {
      std::ofstream out(part, std::ios::binary);
      out << bytes;
      for (const Variable& v : m_variables) {
        std::string data;
        for (const double value : v.values) data += number(value);
        out << data;
      }
      out.close();
      return out ? "" : std::strerror(errno);
    });
  }

 private:
  struct Variable {
    std::string name;
    std::vector<int> dimensions;
    std::vector<double> values;
    Texts texts;
  };
  enum : std::uint64_t { char_type = 2, double_type = 6 };
  enum : std::uint64_t { dimensions_tag = 10, variables_tag, attributes_tag };

  /// Big-endian
  static std::string integer(std::uint64_t value, int bytes = 4) {
    std::string text;
    for (int k = bytes - 1; k >= 0; --k)
      text += static_cast<char>(value >> (8 * k) & 255);
    return text;
  }
  static std::string number(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return integer(bits, 8);
  }
  static std::string padded(std::string text) {
    text.resize((text.size() + 3) / 4 * 4);
    return text;
  }
  static std::string named(const std::string& name) {
    return integer(name.size()) + padded(name);
  }
  /// A list is absent if it is empty.
  static std::string list(std::uint64_t tag, std::size_t size) {
    return integer(size > 0 ? tag : 0) + integer(size);
  }
  static std::string attributes(const Texts& texts) {
    std::string all = list(attributes_tag, texts.size());
    for (const auto& text : texts)
      all += named(text.first) + integer(char_type) + named(text.second);
    return all;
  }
  /// \param begin of the values
  std::string header(std::uint64_t begin) const {
    std::string all =
        "CDF\2" + integer(0) + list(dimensions_tag, m_dimensions.size());
    for (const auto& d : m_dimensions)
      all += named(d.first) + integer(static_cast<std::uint64_t>(d.second));
    all += attributes(m_texts) + list(variables_tag, m_variables.size());
    for (const Variable& v : m_variables) {
      all += named(v.name) + integer(v.dimensions.size());
      for (const int d : v.dimensions)
        all += integer(static_cast<std::uint64_t>(d));
      const std::uint64_t bytes = 8 * v.values.size();
      all += attributes(v.texts) + integer(double_type) + integer(bytes) +
             integer(begin, 8);
      begin += bytes;
    }
    return all;
  }

  std::string m_path;
  std::vector<std::pair<std::string, int>> m_dimensions;
  Texts m_texts;
  std::vector<Variable> m_variables;
};

}  // namespace AppCommon

#endif
